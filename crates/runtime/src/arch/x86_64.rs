//! x86-64: the thread-local word, the naked doors, the trampolines into the program's code.
//!
//! Everything here follows the System V ABI for x86-64. The doors hand two more arguments to their
//! implementation: the return address (OMPT's `codeptr_ra`) and the canonical frame address.

use std::ffi::c_void;

// The one static thread-local of the library, in the initial-exec model: a `thread_local!` in a
// shared library costs a call to `__tls_get_addr`. Five words: the thread descriptor if it is known that there
// is no tool, which comes first because each door reads it, and a displacement would make that longer; the
// return address and frame that doors with more than four arguments leave behind; the descriptor in any case;
// and what the thread puts into locks that it takes.
std::arch::global_asm!(
    ".pushsection .tbss,\"awT\",@nobits",
    ".balign 8",
    ".hidden ferromp_tls",
    ".globl ferromp_tls",
    ".type ferromp_tls, @object",
    ".size ferromp_tls, 40",
    "ferromp_tls:",
    ".zero 40",
    ".popsection",
);

/// The processor's vendor and model, as the processor itself has them. Empty where it does not say.
pub fn processor() -> (String, String) {
    use std::arch::x86_64::{__cpuid, CpuidResult};
    /// The leaves that hold the model's name, 16 bytes each.
    const MODEL: [u32; 3] = [0x8000_0002, 0x8000_0003, 0x8000_0004];
    const MOST: u32 = 0x8000_0000;
    let text = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).filter(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    };
    let CpuidResult { ebx, ecx, edx, .. } = __cpuid(0);
    let vendor = text(&[ebx, edx, ecx]);
    if __cpuid(MOST).eax < MODEL[2] {
        return (vendor, String::new());
    }
    let of = |CpuidResult { eax, ebx, ecx, edx }| [eax, ebx, ecx, edx];
    (vendor, text(&MODEL.map(|leaf| of(__cpuid(leaf))).concat()))
}

/// The calling thread's descriptor, or null before its first use of OpenMP. Async-signal-safe.
#[inline(always)]
pub fn tls_thread() -> *mut c_void {
    let value: *mut c_void;
    // SAFETY: reads the thread's own static TLS word; the offset is resolved by the dynamic linker.
    unsafe {
        std::arch::asm!(
            "mov {v}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov {v}, qword ptr fs:[{v} + 24]",
            v = out(reg) value,
            options(nostack, preserves_flags, readonly, pure)
        );
    }
    value
}

/// What the calling thread puts into locks that it takes; 0 before its first use of OpenMP.
#[inline(always)]
pub fn tls_mark() -> u32 {
    let value: u64;
    // SAFETY: reads the thread's own static TLS word.
    unsafe {
        std::arch::asm!(
            "mov {v}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov {v:e}, dword ptr fs:[{v} + 32]",
            v = out(reg) value,
            options(nostack, preserves_flags, readonly, pure)
        );
    }
    value as u32
}

/// Sets the calling thread's descriptor, and what it puts into locks. There may be a tool.
pub fn set_tls_thread(value: *mut c_void, mark: u32) {
    // SAFETY: writes the thread's own static TLS words.
    unsafe {
        std::arch::asm!(
            "mov {t}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov qword ptr fs:[{t} + 24], {v}",
            "mov qword ptr fs:[{t}], 0",
            "mov dword ptr fs:[{t} + 32], {m:e}",
            t = out(reg) _,
            v = in(reg) value,
            m = in(reg) mark,
            options(nostack, preserves_flags)
        );
    }
}

/// The calling thread's descriptor, or null if there may be a tool. Async-signal-safe.
#[inline(always)]
pub fn tls_unwatched() -> *mut c_void {
    let value: *mut c_void;
    // SAFETY: reads the thread's own static TLS word.
    unsafe {
        std::arch::asm!(
            "mov {v}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov {v}, qword ptr fs:[{v}]",
            v = out(reg) value,
            options(nostack, preserves_flags, readonly, pure)
        );
    }
    value
}

/// There is no tool, and none will come: from now on [`tls_unwatched`] is the calling thread's descriptor.
pub fn set_tls_unwatched() {
    // SAFETY: reads and writes the thread's own static TLS words.
    unsafe {
        std::arch::asm!(
            "mov {t}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov {v}, qword ptr fs:[{t} + 24]",
            "mov qword ptr fs:[{t}], {v}",
            t = out(reg) _,
            v = out(reg) _,
            options(nostack, preserves_flags)
        );
    }
}

/// The return address and frame that the last many-argument door on this thread left (see
/// [`wide_door!`](crate::abi::wide_door)).
#[inline(always)]
pub fn tls_call() -> (usize, usize) {
    let (ra, frame): (usize, usize);
    // SAFETY: reads the thread's own static TLS words.
    unsafe {
        std::arch::asm!(
            "mov {t}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov {a}, qword ptr fs:[{t} + 8]",
            "mov {f}, qword ptr fs:[{t} + 16]",
            t = out(reg) _,
            a = out(reg) ra,
            f = out(reg) frame,
            options(nostack, preserves_flags, readonly)
        );
    }
    (ra, frame)
}

/// Calls `function(a, b)` and stores the trampoline's frame pointer in `*exit_frame` first, so that a debugger or tool
/// can tell where the program's frames begin (OMPT `exit_frame`). The last instructions, from the call on, are those of
/// all trampolines, so that a return address in one of them is one comparison away ([`is_trampoline`]).
///
/// # Safety
/// `function` must accept two machine words; `exit_frame` must be writable.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub unsafe extern "C" fn call_outlined(function: *const c_void, a: usize, b: usize, exit_frame: *mut usize) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
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
/// pointers. The first three lie at `head`, the rest at `tail`; `*exit_frame` as in
/// [`call_outlined`].
///
/// # Safety
/// `head` must hold three readable words, `tail` one, or `argc - 3` if that is more.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub unsafe extern "C" fn call_microtask(
    microtask: *const c_void,
    gtid: *const i32,
    btid: *const i32,
    argc: usize,
    head: *const usize,
    tail: *const usize,
    exit_frame: *mut usize,
) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
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
pub unsafe extern "C" fn call_with(function: *const c_void, argc: usize, argv: *const usize, exit_frame: *mut usize) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
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

/// Stands for a callback of OMPT that nobody has registered: of any signature, since it looks at no argument. Answers
/// `omp_control_tool_nocallback`, -1, where an answer is asked for.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
pub extern "C" fn no_callback() {
    std::arch::naked_asm!(".cfi_startproc", "mov eax, -1", "ret", ".cfi_endproc")
}
