//! Entry points that take and free locks, in a few instructions where no other thread waits and no tool listens.
//!
//! A thread that knows that there is no tool has a word of its own, which these entry points put into a free lock. A
//! lock that was taken with an active tool has a bit, `REPORTED`, which is found when the lock is freed. So neither
//! looks for a tool. All else is in the functions `…_slowly`, to which an entry point jumps. The program's return
//! address is then still on the stack, for tools.

use crate::objects::call::Call;
use crate::sync::{critical, lock};

/// Defines entry points, a row each: `"NODE" pub fn name(arguments) takes(slow function, lock);`, or `frees`. The lock
/// is at the `first` or `third` argument, or a static. The version nodes may be missing, as in
/// [`routines!`](crate::abi::routines).
macro_rules! lock_entry_points {
    ($($(#[$meta:meta])* $($node:literal)* pub fn $name:ident($($arg:ident: $ty:ty),*)
        $body:ident($slow:ident, $($lock:tt)+);)*) => {$(
        $(#[$meta])*
        // SAFETY: the name is an entry point's, which the library alone defines.
        #[unsafe(no_mangle)]
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        // SAFETY: the linker puts sections of this name among the code.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($name)))]
        pub unsafe extern "C" fn $name($($arg: $ty),*) {
            $crate::abi::lock_entry::$body!($slow, $($lock)+)
        }
        $crate::abi::routines!(@versions $name [$($node)*]);
    )*};
}

/// The body of an entry point that takes a lock.
macro_rules! takes {
    ($slow:ident, $($lock:tt)*) => {
        $crate::arch::entry_takes_lock!($crate::abi::lock_entry::$slow, $($lock)*)
    };
}

/// The body of an entry point that frees a lock.
macro_rules! frees {
    ($slow:ident, $($lock:tt)*) => {
        $crate::arch::entry_frees_lock!(
            $crate::abi::lock_entry::$slow, $crate::protocol::lock_word::ASKS_FOR_MORE, $($lock)*
        )
    };
}

/// Defines what the entry points jump to.
macro_rules! slowly {
    ($($name:ident = $function:path;)*) => {$(
        /// # Safety
        /// An entry point jumps here with the lock of its caller, which keeps to that entry point's contract.
        pub(super) unsafe extern "C" fn $name(lock: *mut u32, word: u32, codeptr: usize, frame: usize) {
            // SAFETY: the entry point's caller has passed a lock.
            unsafe { $function(lock, word, Call::new(codeptr, frame)) }
        }
    )*};
}

slowly! {
    set_slowly = lock::set_slowly;
    unset_slowly = lock::unset_slowly;
    enter_slowly = critical::enter_slowly;
    leave_slowly = critical::leave_slowly;
}

pub(crate) use {frees, lock_entry_points, takes};
