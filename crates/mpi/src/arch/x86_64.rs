//! x86-64: the return address and the stack address go through two words of thread-local memory by the initial-exec
//! model, because the registers and stack slots belong to the arguments.

std::arch::global_asm!(
    ".pushsection .tbss.ferromp_mpi_caller,\"awT\",@nobits",
    ".hidden ferromp_mpi_caller",
    ".globl ferromp_mpi_caller",
    ".type ferromp_mpi_caller,@object",
    ".size ferromp_mpi_caller,16",
    ".p2align 3",
    "ferromp_mpi_caller: .zero 16",
    ".popsection",
);

/// The body of a naked entry point: keeps the return address and the stack address, and goes on to the target of the
/// route with all arguments. R11 has the route's address there.
macro_rules! entry_point {
    ($route:path) => {
        std::arch::naked_asm!(
            "mov r10, qword ptr [rsp]",
            "mov r11, qword ptr [rip + ferromp_mpi_caller@GOTTPOFF]",
            "mov qword ptr fs:[r11], r10",
            "mov qword ptr fs:[r11 + 8], rsp",
            "lea r11, [rip + {route}]",
            "jmp qword ptr [r11]",
            route = sym $route,
        )
    };
}
pub(crate) use entry_point;

/// The body of the naked function that is each route's target at first. `$choose` gets the route's address and returns
/// the function to go on to. All registers that may hold arguments are kept, because the function may be anyone's.
macro_rules! first_call {
    ($choose:path) => {
        std::arch::naked_asm!(
            "push rdi",
            "push rsi",
            "push rdx",
            "push rcx",
            "push r8",
            "push r9",
            "push rax",
            "sub rsp, 128",
            "movups xmmword ptr [rsp], xmm0",
            "movups xmmword ptr [rsp + 16], xmm1",
            "movups xmmword ptr [rsp + 32], xmm2",
            "movups xmmword ptr [rsp + 48], xmm3",
            "movups xmmword ptr [rsp + 64], xmm4",
            "movups xmmword ptr [rsp + 80], xmm5",
            "movups xmmword ptr [rsp + 96], xmm6",
            "movups xmmword ptr [rsp + 112], xmm7",
            "mov rdi, r11",
            "call {choose}",
            "mov r11, rax",
            "movups xmm0, xmmword ptr [rsp]",
            "movups xmm1, xmmword ptr [rsp + 16]",
            "movups xmm2, xmmword ptr [rsp + 32]",
            "movups xmm3, xmmword ptr [rsp + 48]",
            "movups xmm4, xmmword ptr [rsp + 64]",
            "movups xmm5, xmmword ptr [rsp + 80]",
            "movups xmm6, xmmword ptr [rsp + 96]",
            "movups xmm7, xmmword ptr [rsp + 112]",
            "add rsp, 128",
            "pop rax",
            "pop r9",
            "pop r8",
            "pop rcx",
            "pop rdx",
            "pop rsi",
            "pop rdi",
            "jmp r11",
            choose = sym $choose,
        )
    };
}
pub(crate) use first_call;

/// The return address of the calling thread's last entry point.
#[inline(always)]
pub fn caller() -> usize {
    word::<0>()
}

/// The stack address at the calling thread's last entry point: that of the return address.
#[inline(always)]
pub fn entered() -> usize {
    word::<8>()
}

/// The word that the calling thread's last entry point has left at an offset.
#[inline(always)]
fn word<const OFFSET: usize>() -> usize {
    let value: usize;
    // SAFETY: reads a word of the calling thread, through the offset that the loader wrote into the GOT.
    unsafe {
        std::arch::asm!(
            "mov {value}, qword ptr [rip + ferromp_mpi_caller@GOTTPOFF]",
            "mov {value}, qword ptr fs:[{value} + {offset}]",
            value = out(reg) value,
            offset = const OFFSET,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}
