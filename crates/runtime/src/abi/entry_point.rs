//! Entry points: exported functions that note who called them before anything else runs.
//!
//! An entry point is a naked function that adds two arguments, the return address and the canonical frame address of
//! its caller's call, and jumps to its implementation. So `codeptr_ra` is always in the program (OpenMP 5.1 §4.5.2),
//! and the runtime's own frames can be told from the program's. A split entry point is an ordinary function as long as
//! there is no tool: a jump to an entry point is all that it has of one.
//!
//! The functions that an entry point consists of share a section, `.text.sorted.` and the entry point's name, and GNU's
//! linker puts those sections side by side, in the order of their names: a processor follows a jump within a few
//! kilobytes faster than one across the library, and with an empty tool that is 4 to 8 % of a short construct. Other
//! linkers put them where they like.

/// Defines exported functions of up to four integer or pointer arguments that know their caller:
/// `entry_point! { /// doc  pub fn name(a: T, …) -> R, |call| { body } }`.
macro_rules! entry_point {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body);
    )*};
    (@make [$($meta:tt)*] $entry:ident $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?) $bound:tt $body:block) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        // SAFETY: code may lie in this section.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_variables, reason = "an ABI's arguments need not all matter")]
            // SAFETY: code may lie in this section.
            #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
            unsafe extern "C" fn implementation($($arg: $ty,)* codeptr: usize, frame: usize) $(-> $ret)? {
                $crate::abi::bind!($bound $crate::objects::call::Call::new(codeptr, frame),
                    $crate::objects::current::current());
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            $crate::arch::entry_adds_caller!(implementation, $($arg)*)
        }
    };
}

/// Gives an entry point's body what it asked for by name: the call, and before that the thread if it wants to have it.
macro_rules! bind {
    (($call:ident) $called:expr, $current:expr) => {
        let $call = $called;
    };
    (($thread:ident, $call:ident) $called:expr, $current:expr) => {
        let $call = $called;
        let $thread = $current;
    };
}

/// As [`entry_point!`], for constructs that must be quick: the body is compiled once for [`Call`] and once for
/// [`NoTool`], and the entry point goes on in the form that is in use. What the body calls takes `impl Caller`.
///
/// The exported function is the form without a tool. Before all else it looks whether there may be one, and then calls
/// an entry point for the other form, as its last act: optimising compilers make that a jump, which leaves the return
/// address and the frame as the program's call made them. `xtask/src/verify_entry_points.rs` holds each library to it.
///
/// With `|thread, call|` the body is given the thread, too, and the look costs nothing: the thread-local word that has
/// the thread is null as long as there may be a tool ([`thread::without_tool`]), and a body that looked for its thread
/// itself would have to compare that with null as well. A thread's first entry point goes on in the form for tools,
/// too, which gives it its descriptor.
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_entry_point {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::split_entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body entry_point);
    )*};
    (@make [$($meta:tt)*] $entry:ident $name:ident ($($arg:ident: $ty:ty),*)
        ($($ret:ty)?) $bound:tt $body:block $kind:ident) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
        // SAFETY: code may lie in this section.
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
    (@look ($thread:ident, $call:ident) $($arg:ident)*) => {
        let Some($thread) = $crate::objects::current::without_tool() else {
            std::hint::cold_path();
            $crate::abi::split_entry_point!(@go_on $($arg)*);
        };
        let $call = $crate::objects::call::NoTool;
    };
    // Arguments on the stack are where they have to be. Nobody may touch them: the compiler, which knows nothing of
    // them, makes sure of it.
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

/// As [`split_entry_point!`], for functions of any signature.
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_wide_entry_point {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::split_entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body wide_entry_point);
    )*};
}

/// As `entry_point!`, for functions of any signature: the caller is left in two thread-local words,
/// because all argument registers may be taken.
macro_rules! wide_entry_point {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::wide_entry_point!(@make [$(#[$meta])* #[unsafe(no_mangle)]]
            $name $name ($($arg: $ty),*) ($($arg: $ty),*) ($($ret)?) ($($bound),*) $body);
    )*};
    // The first list is of the arguments that callers pass knowingly.
    (@make [$($meta:tt)*] $entry:ident $name:ident ($($known:ident: $tk:ty),*) ($($arg:ident: $ty:ty),*)
        ($($ret:ty)?) $bound:tt $body:block) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        // SAFETY: code may lie in this section.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
        pub unsafe extern "C" fn $name($($known: $tk),*) $(-> $ret)? {
            #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
            // SAFETY: code may lie in this section.
            #[unsafe(link_section = concat!(".text.sorted.", stringify!($entry)))]
            unsafe extern "C" fn implementation($($arg: $ty),*) $(-> $ret)? {
                let (codeptr, frame) = $crate::arch::tls_call();
                $crate::abi::bind!($bound $crate::objects::call::Call::new(codeptr, frame),
                    $crate::objects::current::current());
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            $crate::arch::entry_notes_caller!(implementation)
        }
    };
}

pub(crate) use {bind, entry_point, wide_entry_point};
#[cfg(not(any(debug_assertions, instrumented)))]
pub(crate) use {split_entry_point, split_wide_entry_point};
// A compiler that does not optimise, or that adds instructions at a function's end, makes no jump of a last call:
// there, each entry point has the form for tools alone.
#[cfg(any(debug_assertions, instrumented))]
pub(crate) use {entry_point as split_entry_point, wide_entry_point as split_wide_entry_point};
