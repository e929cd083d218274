//! Trampolines: calls into the program's code. Each leaves a frame that debuggers and tools can tell from the
//! program's. `call.rs` has the functions for other crates.

use std::ffi::c_void;

/// The first instructions of each trampoline: they make its frame.
macro_rules! new_frame {
    () => {
        ".cfi_startproc
         push rbp
         .cfi_def_cfa_offset 16
         .cfi_offset rbp, -16
         mov rbp, rsp
         .cfi_def_cfa_register rbp"
    };
}

/// Calls `function(a, b)` and stores the trampoline's frame pointer in `*exit_frame` first, so that a debugger or tool
/// can tell where the program's frames begin (OMPT `exit_frame`). The last instructions, from the call on, are those of
/// all trampolines, so that a return address in one of them is one comparison away ([`is_trampoline`]).
///
/// # Safety
/// `function` must accept two machine words; `exit_frame` must be writable.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn call_outlined(function: *const c_void, a: usize, b: usize, exit_frame: *mut usize) {
    std::arch::naked_asm!(
        new_frame!(),
        "mov qword ptr [rcx], rbp",
        "mov r11, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        ".hidden ferromp_call",
        ".globl ferromp_call",
        "ferromp_call:",
        "call r11",
        ".hidden ferromp_after_call",
        ".globl ferromp_after_call",
        "ferromp_after_call:",
        "mov rsp, rbp",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
    )
}

/// Calls a microtask of the kmpc ABI: `microtask(gtid, btid, a0, a1, …)` with `argc` further
/// pointers. The first [`FORK_WORDS`](super::FORK_WORDS) lie at `head`, the rest at `tail`; `*exit_frame` as
/// in [`call_outlined`].
///
/// # Safety
/// `head` must hold three readable words, `tail` one, or `argc - 3` if that is more.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn call_microtask(
    microtask: *const c_void,
    gtid: *const i32,
    btid: *const i32,
    argc: usize,
    head: *const usize,
    tail: *const usize,
    exit_frame: *mut usize,
) {
    std::arch::naked_asm!(
        new_frame!(),
        "mov rax, qword ptr [rbp + 16]",
        "mov qword ptr [rax], rbp",
        "mov r11, rdi",
        "mov rdi, rsi",
        "mov rsi, rdx",
        "mov r10, r8",
        "mov rax, rcx",
        "sub rax, 4", // arguments that go on the stack: tail[1..]
        "jle 3f",
        "test al, 1",
        "jz 2f",
        "sub rsp, 8", // keep the stack aligned to 16 at the call
        "2:",
        "push qword ptr [r9 + rax*8]",
        "dec rax",
        "jnz 2b",
        "3:",
        "mov rdx, qword ptr [r10]",
        "mov rcx, qword ptr [r10 + 8]",
        "mov r8, qword ptr [r10 + 16]",
        "mov r9, qword ptr [r9]",
        "jmp ferromp_call",
        ".cfi_endproc",
    )
}

/// Calls `function` with `argc` words as its arguments, which lie at `argv`; `*exit_frame` as in [`call_outlined`].
///
/// # Safety
/// `function` takes that many words, and `exit_frame` is writable.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub(super) unsafe extern "C" fn call_with(
    function: *const c_void,
    argc: usize,
    argv: *const usize,
    exit_frame: *mut usize,
) {
    std::arch::naked_asm!(
        new_frame!(),
        "mov qword ptr [rcx], rbp",
        "mov r11, rdi",
        "mov r10, rdx",
        "mov rax, rsi",
        "sub rax, 6", // arguments that go on the stack: argv[6..]
        "jle 3f",
        "test al, 1",
        "jz 2f",
        "sub rsp, 8", // keep the stack aligned to 16 at the call
        "2:",
        "push qword ptr [r10 + rax*8 + 40]",
        "dec rax",
        "jnz 2b",
        "3:",
        "cmp rsi, 6",
        "jae 9f",
        "lea rax, [rip + 4f]",
        "movsxd rsi, dword ptr [rax + rsi*4]",
        "add rax, rsi",
        "jmp rax",
        ".balign 4",
        "4: .long 15f - 4b, 14f - 4b, 13f - 4b, 12f - 4b, 11f - 4b, 10f - 4b",
        "9: mov r9, qword ptr [r10 + 40]",
        "10: mov r8, qword ptr [r10 + 32]",
        "11: mov rcx, qword ptr [r10 + 24]",
        "12: mov rdx, qword ptr [r10 + 16]",
        "13: mov rsi, qword ptr [r10 + 8]",
        "14: mov rdi, qword ptr [r10]",
        "15: xor eax, eax",
        "jmp ferromp_call",
        ".cfi_endproc",
    )
}

/// Whether a return address is that of a trampoline: the program's outlined function ended with a
/// jump to the runtime instead of a call, so that the place in the program is not on the stack.
#[inline(always)]
pub fn is_trampoline(codeptr: usize) -> bool {
    let after_call: usize;
    // SAFETY: computes an address.
    unsafe {
        std::arch::asm!(
            "lea {a}, [rip + ferromp_after_call]",
            a = out(reg) after_call,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    codeptr == after_call
}

/// Stands for a callback of OMPT that is not registered. The function looks at no argument, so it fits any signature.
/// It returns `omp_control_tool_nocallback`, -1, where a result is expected.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub extern "C" fn no_callback() {
    std::arch::naked_asm!(".cfi_startproc", "mov eax, -1", "ret", ".cfi_endproc")
}
