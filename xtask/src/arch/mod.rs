//! What differs from one processor architecture to the next, one file an architecture with the same names in each:
//!
//! | name | meaning | used by |
//! | --- | --- | --- |
//! | `TARGET` | what Rust calls the architecture under Linux | `sanitize.rs` |
//! | `LOADER` | the file of the dynamic loader, which defines `__tls_get_addr` | `glibc.rs` |
//! | `GLIBC_MACROS` | macros for `glibc/*.c`: glibc's first version, the layout of `struct stat` | `glibc.rs` |
//! | `INITIAL_EXEC` | the relocation of a thread-local symbol in the initial-exec model | `verify.rs` |
//! | `OBJDUMP` | options of objdump for the syntax that the functions below read | `verify_entry_points.rs` |
//! | `Flow`, `flow` | where an instruction leads | `verify_entry_points.rs` |
//! | `target` | the address in the operands of a jump or call | `verify_entry_points.rs` |
//! | `pushed_after` | the bytes on the stack after an instruction, or what is wrong | `verify_entry_points.rs` |

#[cfg(target_arch = "x86_64")]
mod x86_64;
#[cfg(target_arch = "x86_64")]
pub use x86_64::*;

#[cfg(not(target_arch = "x86_64"))]
compile_error!("xtask has no code for this processor: src/arch/mod.rs says what an architecture must offer");

/// Where an instruction leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    On,
    /// Elsewhere, always.
    Jump,
    /// Elsewhere or on.
    Branch,
    /// To a function, and on when the function returns.
    Call,
    /// To the caller.
    Return,
}
