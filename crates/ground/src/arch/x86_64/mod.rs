//! x86-64, by the System V ABI. `../README.md` says what each name is for.

mod call;
mod entry;
mod processor;
mod reals;
// Where no entry point has two forms, nothing uses the file.
#[cfg(not(any(debug_assertions, instrumented)))]
mod registers;
mod symbols;
mod thread_words;
mod trampolines;

pub use call::{call_microtask, call_outlined, call_with};
pub use entry::{ARGUMENT_WORDS, FORK_WORDS};
pub use entry::{
    entry_adds_caller, entry_frees_lock, entry_notes_caller, entry_returns_complex_long_double,
    entry_returns_long_double, entry_spills_fork, entry_spills_words, entry_takes_lock, entry_takes_long_double,
    return_at_once,
};
pub use processor::{ADDRESS_BITS, ELF_MACHINE, PAGE, last_level_cache, processor, ticks, vendor_name};
pub use reals::{
    F128, LongDouble, complex_product_f128, complex_product_long_double, complex_quotient_f128,
    complex_quotient_long_double,
};
#[cfg(not(any(debug_assertions, instrumented)))]
pub use registers::{call_with_register_arguments, with_register_arguments};
pub use symbols::{directives, function_that_jumps, weak_reference};
pub use thread_words::{set_tls_thread, set_tls_without_tool, tls_call, tls_mark, tls_thread, tls_without_tool};
pub use trampolines::{is_trampoline, no_callback};
