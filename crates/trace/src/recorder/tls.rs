//! One word of thread-local memory that is read without a call. A shared library's `thread_local!` would cost a call of
//! `__tls_get_addr` an event; the initial-exec model costs two loads.

/// The word of a thread that has not yet recorded; any other value is the owner's.
pub const NEW: usize = 0;

#[cfg(target_arch = "x86_64")]
mod word {
    // Eight bytes fit in the static TLS that the loader keeps for libraries opened late.
    core::arch::global_asm!(
        ".pushsection .tbss.ferromp_trace_word,\"awT\",@nobits",
        ".hidden ferromp_trace_word",
        ".globl ferromp_trace_word",
        ".type ferromp_trace_word,@object",
        ".size ferromp_trace_word,8",
        ".p2align 3",
        "ferromp_trace_word: .zero 8",
        ".popsection",
    );

    #[inline(always)]
    pub fn get() -> usize {
        let value: usize;
        // SAFETY: reads the calling thread's word through the offset that the loader wrote into the GOT.
        unsafe {
            core::arch::asm!(
                "mov {value}, qword ptr [rip + ferromp_trace_word@GOTTPOFF]",
                "mov {value}, qword ptr fs:[{value}]",
                value = out(reg) value,
                options(nostack, readonly, preserves_flags),
            );
        }
        value
    }

    pub fn set(value: usize) {
        // SAFETY: writes the calling thread's word, as above.
        unsafe {
            core::arch::asm!(
                "mov {offset}, qword ptr [rip + ferromp_trace_word@GOTTPOFF]",
                "mov qword ptr fs:[{offset}], {value}",
                offset = out(reg) _,
                value = in(reg) value,
                options(nostack, preserves_flags),
            );
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod word {
    use std::cell::Cell;

    thread_local! {
        static WORD: Cell<usize> = const { Cell::new(super::NEW) };
    }

    pub fn get() -> usize {
        WORD.get()
    }

    pub fn set(value: usize) {
        WORD.set(value);
    }
}

pub use word::{get, set};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_its_own_word() {
        let word = || {
            let before = get();
            set(42);
            (before, get())
        };
        assert_eq!(std::thread::spawn(word).join().unwrap(), (NEW, 42));
        assert_eq!(std::thread::spawn(word).join().unwrap(), (NEW, 42));
    }
}
