//! x86-64: the return address goes through one word of thread-local memory by the initial-exec model, because the
//! registers and stack slots belong to the arguments.

std::arch::global_asm!(
    ".pushsection .tbss.ferromp_mpi_caller,\"awT\",@nobits",
    ".hidden ferromp_mpi_caller",
    ".globl ferromp_mpi_caller",
    ".type ferromp_mpi_caller,@object",
    ".size ferromp_mpi_caller,8",
    ".p2align 3",
    "ferromp_mpi_caller: .zero 8",
    ".popsection",
);

/// The body of a naked entry point: keeps the return address and goes on to the function with all arguments.
macro_rules! entry_point {
    ($function:path) => {
        std::arch::naked_asm!(
            "mov r10, qword ptr [rsp]",
            "mov r11, qword ptr [rip + ferromp_mpi_caller@GOTTPOFF]",
            "mov qword ptr fs:[r11], r10",
            "jmp {function}",
            function = sym $function,
        )
    };
}
pub(crate) use entry_point;

/// The return address of the calling thread's last entry point.
#[inline(always)]
pub fn caller() -> usize {
    let value: usize;
    // SAFETY: reads the calling thread's word through the offset that the loader wrote into the GOT.
    unsafe {
        std::arch::asm!(
            "mov {value}, qword ptr [rip + ferromp_mpi_caller@GOTTPOFF]",
            "mov {value}, qword ptr fs:[{value}]",
            value = out(reg) value,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}
