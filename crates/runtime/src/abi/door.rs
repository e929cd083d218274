//! Doors: exported functions that note who called them before anything else runs.
//!
//! A door is a naked function that adds two arguments, the return address and the canonical frame
//! address of its caller's call, and jumps to its implementation. So `codeptr_ra` is always in the
//! program (OpenMP 5.1 §4.5.2), and the runtime's own frames can be told from the program's.
//! A split door is an ordinary function as long as there is no tool: a jump to a door is all that it has of one.
//!
//! The functions that a door consists of share a section, `.text.sorted.` and the door's name, and GNU's linker puts
//! those sections side by side, in the order of their names: a processor follows a jump within a few kilobytes faster
//! than one across the library, and with an empty tool that is 4 to 8 % of a short construct. Other linkers put them
//! where they like.

/// Defines exported functions of up to four integer or pointer arguments that know their caller:
/// `door! { /// doc  pub fn name(a: T, …) -> R, |call| { body } }`.
macro_rules! door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::door!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body);
    )*};
    (@make [$($meta:tt)*] $door:ident $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?) $bound:tt $body:block) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        // SAFETY: code may lie in this section.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($door)))]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_variables, reason = "an ABI's arguments need not all matter")]
            // SAFETY: code may lie in this section.
            #[unsafe(link_section = concat!(".text.sorted.", stringify!($door)))]
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

/// Gives a door's body what it asked for by name: the call, and before that the thread if it wants to have it.
macro_rules! bind {
    (($call:ident) $called:expr, $current:expr) => {
        let $call = $called;
    };
    (($thread:ident, $call:ident) $called:expr, $current:expr) => {
        let $call = $called;
        let $thread = $current;
    };
}

/// As [`door!`], for constructs that must be quick: the body is compiled once for [`Call`] and once for [`Unasked`],
/// and the door goes on in the form that is in use. What the body calls takes `impl Caller`.
///
/// The exported function is the form without a tool. Before all else it looks whether there may be one, and then calls
/// a door for the other form, as its last act: optimising compilers make that a jump, which leaves the return address
/// and the frame as the program's call made them. `xtask/src/verify_doors.rs` holds each library to it.
///
/// With `|thread, call|` the body is given the thread, too, and the look costs nothing: the thread-local word that has
/// the thread is null as long as there may be a tool ([`thread::unwatched`]), and a body that looked for its thread
/// itself would have to compare that with null as well. A thread's first door goes on in the form for tools, too, which
/// gives it its descriptor.
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::split_door!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body door);
    )*};
    (@make [$($meta:tt)*] $door:ident $name:ident ($($arg:ident: $ty:ty),*)
        ($($ret:ty)?) $bound:tt $body:block $kind:ident) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
        // SAFETY: code may lie in this section.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($door)))]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            $crate::abi::split_door!(@watched $door ($($arg: $ty),*) ($($ret)?) $bound $body $kind);
            $crate::abi::split_door!(@look $bound $($arg)*);
            #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
            // SAFETY: the caller upholds what the entry point's ABI asks for.
            unsafe { $body }
        }
    };
    (@look ($call:ident) $($arg:ident)*) => {
        if $crate::objects::switch::watched() {
            std::hint::cold_path();
            $crate::abi::split_door!(@go_on $($arg)*);
        }
        let $call = $crate::objects::call::Unasked;
    };
    (@look ($thread:ident, $call:ident) $($arg:ident)*) => {
        let Some($thread) = $crate::objects::current::unwatched() else {
            std::hint::cold_path();
            $crate::abi::split_door!(@go_on $($arg)*);
        };
        let $call = $crate::objects::call::Unasked;
    };
    // Arguments on the stack are where they have to be. Nobody may touch them: the compiler, which knows nothing of
    // them, makes sure of it.
    (@go_on $($arg:ident)*) => {
        // SAFETY: the caller upholds what the entry point's ABI asks for.
        return unsafe { $crate::arch::call_with_register_arguments!(watched, $($arg)*) };
    };
    (@watched $door:ident $args:tt $ret:tt $bound:tt $body:block door) => {
        $crate::abi::door!(@make [] $door watched $args $ret $bound $body);
    };
    (@watched $door:ident $args:tt $ret:tt $bound:tt $body:block wide_door) => {
        $crate::arch::with_register_arguments!(
            [$crate::abi::wide_door] [@make [] $door watched] $args [$ret $bound $body]
        );
    };
}

/// As [`split_door!`], for functions of any signature.
#[cfg(not(any(debug_assertions, instrumented)))]
macro_rules! split_wide_door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::split_door!(@make [$(#[$meta])* #[unsafe(no_mangle)]] $name $name ($($arg: $ty),*)
            ($($ret)?) ($($bound),*) $body wide_door);
    )*};
}

/// As `door!`, for functions of any signature: the caller is left in two thread-local words,
/// because all argument registers may be taken.
macro_rules! wide_door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?,
        |$($bound:ident),*| $body:block)*) => {$(
        $crate::abi::wide_door!(@make [$(#[$meta])* #[unsafe(no_mangle)]]
            $name $name ($($arg: $ty),*) ($($arg: $ty),*) ($($ret)?) ($($bound),*) $body);
    )*};
    // The first list is of the arguments that callers pass knowingly.
    (@make [$($meta:tt)*] $door:ident $name:ident ($($known:ident: $tk:ty),*) ($($arg:ident: $ty:ty),*)
        ($($ret:ty)?) $bound:tt $body:block) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        // SAFETY: code may lie in this section.
        #[unsafe(link_section = concat!(".text.sorted.", stringify!($door)))]
        pub unsafe extern "C" fn $name($($known: $tk),*) $(-> $ret)? {
            #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
            // SAFETY: code may lie in this section.
            #[unsafe(link_section = concat!(".text.sorted.", stringify!($door)))]
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

pub(crate) use {bind, door, wide_door};
#[cfg(not(any(debug_assertions, instrumented)))]
pub(crate) use {split_door, split_wide_door};
// A compiler that does not optimise, or that adds instructions at a function's end, makes no jump of a last call:
// there, each door has the form for tools alone.
#[cfg(any(debug_assertions, instrumented))]
pub(crate) use {door as split_door, wide_door as split_wide_door};
