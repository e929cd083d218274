//! x86-64: the word by the initial-exec model, the time-stamp counter.

use framehop::x86_64::{CacheX86_64, UnwindRegsX86_64, UnwinderX86_64};
use std::arch::x86_64::{__cpuid, _rdtsc};

/// Whether instructions are x86's, where a prefix makes them atomic.
pub const HAS_LOCK_PREFIX: bool = true;

/// The unwinder of stacks, for tables `D` and the allocation policy `P`.
pub type Unwinder<D, P> = UnwinderX86_64<D, P>;
/// What the unwinder remembers.
pub type UnwindCache<P> = CacheX86_64<P>;
/// The registers that the unwinder begins with.
pub type UnwindRegisters = UnwindRegsX86_64;

/// The registers of the code that a signal has interrupted.
pub fn interrupted(context: &libc::ucontext_t) -> UnwindRegisters {
    let register = |which: i32| context.uc_mcontext.gregs[which as usize] as u64;
    UnwindRegisters::new(register(libc::REG_RIP), register(libc::REG_RSP), register(libc::REG_RBP))
}

/// The general registers of the code that a signal has interrupted, in the order of their numbers in instructions.
pub fn general_registers(context: &libc::ucontext_t) -> [u64; 16] {
    use libc::{REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    use libc::{REG_RAX, REG_RBP, REG_RBX, REG_RCX, REG_RDI, REG_RDX, REG_RSI, REG_RSP};
    [
        REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11,
        REG_R12, REG_R13, REG_R14, REG_R15,
    ]
    .map(|which| context.uc_mcontext.gregs[which as usize] as u64)
}

/// The registers of the function that asks.
#[inline(always)]
pub fn registers() -> UnwindRegisters {
    let (ip, sp, bp): (u64, u64, u64);
    // SAFETY: reads registers only.
    unsafe {
        std::arch::asm!(
            "lea {ip}, [rip]",
            "mov {sp}, rsp",
            "mov {bp}, rbp",
            ip = out(reg) ip,
            sp = out(reg) sp,
            bp = out(reg) bp,
            options(nomem, nostack, preserves_flags),
        );
    }
    UnwindRegisters::new(ip, sp, bp)
}

/// Clock sources of the kernel that are made of the time-stamp counter. The kernel gives the counter up for another
/// source when the counter drifts between CPUs.
pub const CLOCK_SOURCES: [&str; 4] = ["tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "xen"];

// Eight bytes fit in the static TLS that the loader keeps for libraries opened late.
std::arch::global_asm!(
    ".pushsection .tbss.ferromp_trace_word,\"awT\",@nobits",
    ".hidden ferromp_trace_word",
    ".globl ferromp_trace_word",
    ".type ferromp_trace_word,@object",
    ".size ferromp_trace_word,8",
    ".p2align 3",
    "ferromp_trace_word: .zero 8",
    ".popsection",
);

/// The calling thread's word.
#[inline(always)]
pub fn thread_word() -> usize {
    let value: usize;
    // SAFETY: reads the calling thread's word through the offset that the loader wrote into the GOT.
    unsafe {
        std::arch::asm!(
            "mov {value}, qword ptr [rip + ferromp_trace_word@GOTTPOFF]",
            "mov {value}, qword ptr fs:[{value}]",
            value = out(reg) value,
            options(nostack, readonly, preserves_flags),
        );
    }
    value
}

/// Changes the calling thread's word.
pub fn set_thread_word(value: usize) {
    // SAFETY: writes the calling thread's word, as above.
    unsafe {
        std::arch::asm!(
            "mov {offset}, qword ptr [rip + ferromp_trace_word@GOTTPOFF]",
            "mov qword ptr fs:[{offset}], {value}",
            offset = out(reg) _,
            value = in(reg) value,
            options(nostack, preserves_flags),
        );
    }
}

/// The time-stamp counter.
#[inline(always)]
pub fn ticks() -> u64 {
    // SAFETY: every x86-64 CPU has the instruction.
    unsafe { _rdtsc() }
}

/// Whether the CPU calls its time-stamp counter invariant.
pub fn ticks_are_steady() -> bool {
    __cpuid(0x8000_0000).eax >= 0x8000_0007 && __cpuid(0x8000_0007).edx & (1 << 8) != 0
}
