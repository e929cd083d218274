//! What differs from one processor architecture to the next, one file an architecture with the same names in each:
//!
//! | name | meaning | used by |
//! | --- | --- | --- |
//! | `thread_word`, `set_thread_word` | one word of thread-local memory, 0 at first; no call | `recorder/tls.rs` |
//! | `ticks` | a counter that every CPU reads in a few nanoseconds | `store/clock.rs` |
//! | `ticks_are_steady` | whether the counter runs at one rate and never stops | `store/clock.rs` |
//! | `CLOCK_SOURCES` | the kernel's clock sources that are made of that counter | `store/clock.rs` |
//! | `Unwinder`, `UnwindCache`, `UnwindRegisters` | framehop's types | `recorder/samples/unwind.rs` |
//! | `interrupted` | the registers of the code that a signal has interrupted | `recorder/samples/sampler.rs` |
//! | `general_registers` | its general registers | `recorder/samples/sampler.rs` |
//! | `registers` | the registers of the function that asks | `recorder/samples/unwind.rs` |
//! | `HAS_LOCK_PREFIX` | whether instructions are x86's, where a prefix makes them atomic | `symbols/` |

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!(
    "ferromp's recorder has no code for this processor: src/arch/mod.rs says what an architecture must offer"
);
