//! The thread-local words of the library, in the initial-exec model: a `thread_local!` in a shared library costs a call
//! of `__tls_get_addr`, these words cost two loads.

use std::ffi::c_void;

// Five words:
//  0  the thread's descriptor while it is known that there is no tool, else null. This word comes first because each
//     entry point reads it, and a displacement would make the instruction longer;
//  8  the return address that the last entry point with `entry_notes_caller!` left;
// 16  the frame that it left;
// 24  the thread's descriptor in any case;
// 32  what the thread puts into locks that it takes, 4 bytes;
// 36  the word of a lock that the thread has taken, while it is known that there is no tool, else 0. 4 bytes.
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

/// Reads a thread-local word by an instruction that finds the words' offset in `{v}`.
macro_rules! read_word {
    ($type:ty, $instruction:literal) => {{
        let value: $type;
        // SAFETY: reads the thread's own static TLS word; the offset is resolved by the dynamic linker.
        unsafe {
            std::arch::asm!(
                "mov {v}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
                $instruction,
                v = out(reg) value,
                options(nostack, preserves_flags, readonly, pure)
            );
        }
        value
    }};
}

/// The calling thread's descriptor, or null before its first use of OpenMP. Async-signal-safe.
#[inline(always)]
pub fn tls_thread() -> *mut c_void {
    read_word!(*mut c_void, "mov {v}, qword ptr fs:[{v} + 24]")
}

/// What the calling thread puts into locks that it takes; 0 before its first use of OpenMP.
#[inline(always)]
pub fn tls_mark() -> u32 {
    read_word!(u64, "mov {v:e}, dword ptr fs:[{v} + 32]") as u32
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
            "mov dword ptr fs:[{t} + 36], 0",
            t = out(reg) _,
            v = in(reg) value,
            m = in(reg) mark,
            options(nostack, preserves_flags)
        );
    }
}

/// The calling thread's descriptor, or null if there may be a tool. Async-signal-safe.
#[inline(always)]
pub fn tls_without_tool() -> *mut c_void {
    read_word!(*mut c_void, "mov {v}, qword ptr fs:[{v}]")
}

/// There is no tool, and none will come: from now on [`tls_without_tool`] is the calling thread's descriptor, and
/// `entry_takes_lock!` makes `taken` of the words of free locks.
pub fn set_tls_without_tool(taken: u32) {
    // SAFETY: reads and writes the thread's own static TLS words.
    unsafe {
        std::arch::asm!(
            "mov {t}, qword ptr [rip + ferromp_tls@GOTTPOFF]",
            "mov {v}, qword ptr fs:[{t} + 24]",
            "mov qword ptr fs:[{t}], {v}",
            "mov dword ptr fs:[{t} + 36], {m:e}",
            t = out(reg) _,
            v = out(reg) _,
            m = in(reg) taken,
            options(nostack, preserves_flags)
        );
    }
}

/// The return address and frame that the last entry point with `entry_notes_caller!` left on this thread.
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
