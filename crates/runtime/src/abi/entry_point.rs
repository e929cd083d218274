//! Macros that define entry points: exported functions that know their caller.
//!
//! A tool receives `codeptr_ra`, the return address of the program's call (OpenMP 5.1 §4.5.2), and for each task the
//! frame from which the program called the runtime. An ordinary Rust function has no reliable way to read either. An
//! entry point therefore has three parts. For example,
//!
//! ```text
//! split_entry_point! {
//!     pub fn GOMP_barrier(), |thread, call, _in| { barrier::barrier(thread, kind, call) }
//! }
//! ```
//!
//! becomes
//!
//! - `GOMP_barrier`, the exported function, which has a copy of the body for [`NoTool`];
//! - `for_tools`, a naked function of a few instructions;
//! - `implementation`, which has a copy of the body for [`Call`].
//!
//! Say that a program calls `GOMP_barrier`, and that the call returns to address 0x4011a5.
//!
//! **Without a tool**, `GOMP_barrier` finds the calling thread's descriptor in a thread-local word, and executes its
//! copy of the body. `call` is [`NoTool`], so everything that reports events is compiled away. The other two parts do
//! not run.
//!
//! **With a tool**, the thread-local word is null, and `GOMP_barrier` jumps to `for_tools`. The stack is still as the
//! program's call left it, with 0x4011a5 on top. `for_tools` adds two arguments to those of the call, this return
//! address and the canonical frame address of the program's call, and jumps to `implementation`. There `call` is a
//! [`Call`] of the two, and the tool receives 0x4011a5 as `codeptr_ra`. A thread's first call takes this way even
//! without a tool, because `implementation` creates the thread's descriptor.
//!
//! An entry point of [`entry_point!`] has no form without a tool: its exported function is the naked one.
//!
//! The names between the bars are what the body gets:
//!
//! - `call`: the caller.
//! - `thread`: the calling thread.
//! - `_in`: a guard. While the guard lives, tools see the current task inside the runtime ([`Entered`]).
//!
//! All parts of an entry point share a section, `.text.sorted.` and the entry point's name. GNU's linker puts these
//! sections side by side, in the order of their names. A processor follows a jump within a few kilobytes faster than
//! one across the library: with an empty tool, the order saves 4 to 8 % of a short construct. Other linkers may choose
//! another order.
//!
//! [`Call`]: crate::objects::call::Call
//! [`NoTool`]: crate::objects::call::NoTool
//! [`Entered`]: crate::ompt::Entered

/// Defines entry points of up to four integer or pointer arguments, with the form for tools alone:
/// `entry_point! { /// doc  "NODE" pub fn name(a: T, …) -> R, |call| { body } }`. The version nodes may be missing, as
/// in [`routines!`](crate::abi::routines).
macro_rules! entry_point {
    ($($(#[$meta:meta])* $($node:literal)* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body);
        $crate::abi::routines!(@versions $name [$($node)*]);
    )*};
    (@make $meta:tt $entry:ident $name:ident ($($arg:ident: $ty:ty),*) $ret:tt $bound:tt $body:block) => {
        $crate::abi::entry_point!(@define $meta $entry $name ($($arg: $ty),*)
            ($($arg: $ty,)* codeptr: usize, frame: usize) $ret $bound $body
            [(codeptr, frame)] [$crate::arch::entry_adds_caller!(implementation, $($arg)*)]);
    };
    // `$known` are the arguments of the naked function, `$arg` those of the implementation. `$caller` is how the
    // implementation finds its caller, and `$assembly` the naked function's body.
    (@define [$($meta:tt)*] $entry:ident $name:ident ($($known:ident: $tk:ty),*) ($($arg:ident: $ty:ty),*)
        ($($ret:ty)?) $bound:tt $body:block [$($caller:tt)*] [$($assembly:tt)*]) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        // SAFETY: the linker puts sections of this name among the code.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
        pub unsafe extern "C" fn $name($($known: $tk),*) $(-> $ret)? {
            #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
            // SAFETY: the linker puts sections of this name among the code.
            #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
            unsafe extern "C" fn implementation($($arg: $ty),*) $(-> $ret)? {
                let (codeptr, frame) = $($caller)*;
                $crate::abi::bind!($bound $crate::objects::call::Call::new(codeptr, frame),
                    $crate::objects::current::current());
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            $($assembly)*
        }
    };
}

/// Binds the names between an entry point's bars. The thread is looked up only for a body that names it.
macro_rules! bind {
    (($call:ident) $called:expr, $current:expr) => {
        let $call = $called;
    };
    (($thread:ident, $call:ident $(, $entered:ident)?) $called:expr, $current:expr) => {
        let $call = $called;
        let $thread = $current;
        $(let $entered = $crate::ompt::Entered::new($thread, $call);)?
    };
}

/// As [`entry_point!`], for constructs that must be fast: the body is compiled once for [`Call`] and once for
/// [`NoTool`]. Functions that the body calls take `impl Caller`.
///
/// The exported function calls the form for tools as its last act. Optimising compilers turn such a call into a jump,
/// which leaves the return address and the frame as the program's call made them. The compiler does not promise that
/// jump, so `xtask/src/verify_entry_points.rs` reads each library's instructions.
///
/// With `|thread, call|`, the test for a tool costs nothing: the body needs the thread, and would have to compare the
/// thread-local word with null in any case ([`current::without_tool`]). With `|call|` alone, the test reads a flag.
///
/// [`Call`]: crate::objects::call::Call
/// [`NoTool`]: crate::objects::call::NoTool
/// [`current::without_tool`]: crate::objects::current::without_tool
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_entry_point {
    ($($(#[$meta:meta])* $($node:literal)* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::split_entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body entry_point);
        $crate::abi::routines!(@versions $name [$($node)*]);
    )*};
    (@make [$($meta:tt)*] $entry:ident $name:ident ($($arg:ident: $ty:ty),*)
        ($($ret:ty)?) $bound:tt $body:block $kind:ident) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
        // SAFETY: the linker puts sections of this name among the code.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            $crate::abi::split_entry_point!(@for_tools $entry ($($arg: $ty),*) ($($ret)?) $bound $body $kind);
            $crate::abi::split_entry_point!(@look $bound $($arg)*);
            #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
            // SAFETY: the caller upholds what the entry point's ABI asks for.
            unsafe { $body }
        }
    };
    (@look ($call:ident) $($arg:ident)*) => {
        if $crate::objects::switch::may_have_tool() {
            std::hint::cold_path();
            $crate::abi::split_entry_point!(@go_on $($arg)*);
        }
        let $call = $crate::objects::call::NoTool;
    };
    (@look ($thread:ident, $call:ident $(, $entered:ident)?) $($arg:ident)*) => {
        let Some($thread) = $crate::objects::current::without_tool() else {
            std::hint::cold_path();
            $crate::abi::split_entry_point!(@go_on $($arg)*);
        };
        let $call = $crate::objects::call::NoTool;
        $(let $entered = $crate::ompt::Entered::new($thread, $call);)?
    };
    // Only the arguments in registers are passed on. Those on the stack are already where `for_tools` expects them, and
    // must not change before the jump. The compiler passes none of them, so no instruction moves them.
    (@go_on $($arg:ident)*) => {
        // SAFETY: the caller upholds what the entry point's ABI asks for.
        return unsafe { $crate::arch::call_with_register_arguments!(for_tools, $($arg)*) };
    };
    (@for_tools $entry:ident $args:tt $ret:tt $bound:tt $body:block entry_point) => {
        $crate::abi::entry_point!(@make [] $entry for_tools $args $ret $bound $body);
    };
    (@for_tools $entry:ident $args:tt $ret:tt $bound:tt $body:block wide_entry_point) => {
        $crate::arch::with_register_arguments!(
            [$crate::abi::wide_entry_point] [@make [] $entry for_tools] $args [$ret $bound $body]
        );
    };
}

/// As [`split_entry_point!`], for functions of any signature ([`wide_entry_point!`]).
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_wide_entry_point {
    ($($(#[$meta:meta])* $($node:literal)* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::split_entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body wide_entry_point);
        $crate::abi::routines!(@versions $name [$($node)*]);
    )*};
}

/// As [`entry_point!`], for functions of any signature. All argument registers may be taken, so the naked function
/// stores the return address and the frame in two thread-local words, where `implementation` reads them.
macro_rules! wide_entry_point {
    ($($(#[$meta:meta])* $($node:literal)* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::wide_entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]]
            $name $name ($($arg: $ty),*) ($($arg: $ty),*) ($($ret)?) ($($bound),*) $body);
        $crate::abi::routines!(@versions $name [$($node)*]);
    )*};
    // The first list has the arguments that the Rust caller of this function passes. The second list has all.
    (@make $meta:tt $entry:ident $name:ident $known:tt $all:tt $ret:tt $bound:tt $body:block) => {
        $crate::abi::entry_point!(@define $meta $entry $name $known $all $ret $bound $body
            [$crate::arch::tls_call()] [$crate::arch::entry_notes_caller!(implementation)]);
    };
}

pub(crate) use {bind, entry_point, wide_entry_point};
#[cfg(not(any(debug_assertions, instrumented)))]
pub(crate) use {split_entry_point, split_wide_entry_point};
// A build without optimisation, or one that adds instructions at a function's end, makes no jump of a last call. There,
// each entry point has the form for tools alone.
#[cfg(any(debug_assertions, instrumented))]
pub(crate) use {entry_point as split_entry_point, wide_entry_point as split_wide_entry_point};
