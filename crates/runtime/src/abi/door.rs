//! Doors: exported functions that note who called them before anything else runs.
//!
//! A door is a naked function that adds two arguments, the return address and the canonical frame
//! address of its caller's call, and jumps to its implementation. So `codeptr_ra` is always in the
//! program (OpenMP 5.1 §4.5.2), and the runtime's own frames can be told from the program's.

use crate::{arch, ompt, thread};
use std::ffi::c_void;
#[cfg(feature = "ompt")]
use std::sync::atomic::{AtomicPtr, Ordering};

/// What the core is told of who called a door. The core's functions are compiled for both kinds: [`Call`], and [`Unasked`] where
/// there is no tool, so that a construct pays nothing for the events that nobody hears.
pub trait Caller: Copy {
    /// Whether there may be a tool.
    const ASKED: bool;
    /// The call, if a tool is active: then there are events to tell.
    fn told(self) -> Option<Call>;
    /// OMPT's `codeptr_ra`, null where nobody asks. See [`Call::codeptr`].
    fn codeptr(&self) -> *const c_void;
}

/// No tool is active, so that nobody asks who called.
#[derive(Clone, Copy, Debug)]
pub struct Unasked;

impl Caller for Unasked {
    const ASKED: bool = false;

    #[inline(always)]
    fn told(self) -> Option<Call> {
        None
    }

    #[inline(always)]
    fn codeptr(&self) -> *const c_void {
        std::ptr::null()
    }
}

impl Caller for Call {
    const ASKED: bool = true;

    #[inline(always)]
    fn told(self) -> Option<Call> {
        ompt::active().then_some(self)
    }

    #[inline(always)]
    fn codeptr(&self) -> *const c_void {
        Call::codeptr(self)
    }
}

/// Who called a door: what OMPT needs to know about the place in the program.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The address that the call returns to.
    returns_to: *const c_void,
    /// The canonical frame address of the door: the stack pointer before the call.
    pub frame: *mut c_void,
}

impl Call {
    /// From the two words that a door hands on.
    #[inline(always)]
    pub fn new(returns_to: usize, frame: usize) -> Self {
        Call { returns_to: returns_to as *const c_void, frame: frame as *mut c_void }
    }

    /// A call whose place is known from elsewhere.
    pub fn at(codeptr: *const c_void) -> Self {
        Call { returns_to: codeptr, frame: std::ptr::null_mut() }
    }

    /// OMPT's `codeptr_ra`. Where an outlined function jumped to the door as its last act, the return
    /// address is a trampoline's; an address in the function itself stands for it then, just past
    /// its first byte, so that the byte before it, where tools look, lies in the function. To be
    /// asked for on the calling thread, before the call changes its current task.
    #[inline(always)]
    pub fn codeptr(&self) -> *const c_void {
        if arch::is_trampoline(self.returns_to as usize) {
            return thread::current().outlined_function().wrapping_byte_add(1);
        }
        self.returns_to
    }
}

/// Defines exported functions of up to four integer or pointer arguments that know their caller:
/// `door! { /// doc  pub fn name(a: T, …) -> R, |call| { body } }`.
macro_rules! door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?, |$call:ident| $body:block)*) => {$(
        $crate::abi::door!(@one door [$(#[$meta])*] $name ($($arg: $ty),*) ($($ret)?) $call $body);
    )*};
    (@one $kind:ident [$($meta:tt)*] $name:ident () ($($ret:ty)?) $bound:tt $body:block) => {
        $crate::abi::$kind!(@make [$($meta)*] $name () ($($ret)?) $bound $body "rdi" "rsi");
    };
    (@one $kind:ident [$($meta:tt)*] $name:ident ($a:ident: $ta:ty) ($($ret:ty)?) $bound:tt $body:block) => {
        $crate::abi::$kind!(@make [$($meta)*] $name ($a: $ta) ($($ret)?) $bound $body "rsi" "rdx");
    };
    (@one $kind:ident [$($meta:tt)*] $name:ident ($a:ident: $ta:ty, $b:ident: $tb:ty) ($($ret:ty)?) $bound:tt $body:block) => {
        $crate::abi::$kind!(@make [$($meta)*] $name ($a: $ta, $b: $tb) ($($ret)?) $bound $body "rdx" "rcx");
    };
    (@one $kind:ident [$($meta:tt)*] $name:ident ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty) ($($ret:ty)?) $bound:tt $body:block) => {
        $crate::abi::$kind!(@make [$($meta)*] $name ($a: $ta, $b: $tb, $c: $tc) ($($ret)?) $bound $body "rcx" "r8");
    };
    (@one $kind:ident [$($meta:tt)*] $name:ident ($a:ident: $ta:ty, $b:ident: $tb:ty, $c:ident: $tc:ty, $d:ident: $td:ty) ($($ret:ty)?) $bound:tt $body:block) => {
        $crate::abi::$kind!(@make [$($meta)*] $name ($a: $ta, $b: $tb, $c: $tc, $d: $td) ($($ret)?) $bound $body "r8" "r9");
    };
    (@make [$($meta:tt)*] $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?) $call:ident $body:block $ra:literal $frame:literal) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_variables, reason = "an ABI's arguments need not all matter")]
            unsafe extern "C" fn implementation($($arg: $ty,)* codeptr: usize, frame: usize) $(-> $ret)? {
                let $call = $crate::abi::Call::new(codeptr, frame);
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            std::arch::naked_asm!(
                ".cfi_startproc",
                concat!("mov ", $ra, ", qword ptr [rsp]"),
                concat!("lea ", $frame, ", [rsp + 8]"),
                "jmp {implementation}",
                ".cfi_endproc",
                implementation = sym implementation,
            )
        }
    };
}

/// Instructions that go on with one of the two forms of a construct: behind the label 2 if there may be a tool, at `unwatched` if there is
/// none. They jump where the door's entry among [`Entry`]s says, so that the choice costs no compare.
#[cfg(feature = "ompt")]
macro_rules! choose_form {
    () => {
        "jmp qword ptr [rip + 3f]
         .pushsection ferromp_doors,\"aw\",@progbits
         .balign 8
         3: .quad 2f, {unwatched}
         .popsection"
    };
}

/// Without OMPT there is nothing to choose.
#[cfg(not(feature = "ompt"))]
macro_rules! choose_form {
    () => {
        "jmp {unwatched}"
    };
}

/// Where a door with two forms goes on. The section `ferromp_doors` is an array of these, which the doors themselves fill.
#[cfg(feature = "ompt")]
#[repr(C)]
struct Entry {
    /// The form that is in use: the one for tools at first.
    used: AtomicPtr<c_void>,
    /// The form without a tool.
    unwatched: *mut c_void,
}

// An entry that is none, so that the section is there in a program that uses no door.
#[cfg(feature = "ompt")]
std::arch::global_asm!(
    ".pushsection ferromp_doors,\"aw\",@progbits",
    ".balign 8",
    ".hidden ferromp_no_door",
    ".globl ferromp_no_door",
    "ferromp_no_door: .quad 0, 0",
    ".popsection",
);

/// From now on all doors go on in their form without a tool: there is none, and there will be none. A thread that is in a door finds
/// one form or the other, and each does what it should.
#[cfg(feature = "ompt")]
pub fn stop_asking() {
    unsafe extern "C" {
        /// The linker's names for the section's bounds.
        static __start_ferromp_doors: Entry;
        static __stop_ferromp_doors: Entry;
        /// The entry that is none.
        static ferromp_no_door: Entry;
    }
    // Linkers drop a section to which nobody refers but by its bounds.
    std::hint::black_box(&raw const ferromp_no_door);
    let (first, end) = (&raw const __start_ferromp_doors, &raw const __stop_ferromp_doors);
    // SAFETY: the section is an array of entries, as the doors and the assembly above write it; it is writable, and only this
    // function changes it, by atomic stores.
    let entries = unsafe { std::slice::from_raw_parts(first, end.offset_from_unsigned(first)) };
    for entry in entries {
        entry.used.store(entry.unwatched, Ordering::Relaxed);
    }
}

/// Without OMPT doors have one form.
#[cfg(not(feature = "ompt"))]
pub fn stop_asking() {}

/// As [`door!`], for constructs that must be quick: the body is compiled once for [`Call`] and once for [`Unasked`], and
/// the door goes on in the form that is in use. What the body calls takes `impl Caller`.
macro_rules! split_door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?, |$call:ident| $body:block)*) => {$(
        $crate::abi::door!(@one split_door [$(#[$meta])*] $name ($($arg: $ty),*) ($($ret)?) $call $body);
    )*};
    (@make [$($meta:tt)*] $name:ident ($($arg:ident: $ty:ty),*) ($($ret:ty)?) $call:ident $body:block $ra:literal $frame:literal) => {
        $($meta)*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_variables, reason = "an ABI's arguments need not all matter")]
            unsafe extern "C" fn implementation($($arg: $ty,)* codeptr: usize, frame: usize) $(-> $ret)? {
                let $call = $crate::abi::Call::new(codeptr, frame);
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            #[allow(unused_variables, reason = "an ABI's arguments need not all matter")]
            unsafe extern "C" fn unwatched($($arg: $ty,)*) $(-> $ret)? {
                let $call = $crate::abi::Unasked;
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: as above.
                unsafe { $body }
            }
            std::arch::naked_asm!(
                ".cfi_startproc",
                $crate::abi::choose_form!(),
                "2:",
                concat!("mov ", $ra, ", qword ptr [rsp]"),
                concat!("lea ", $frame, ", [rsp + 8]"),
                "jmp {implementation}",
                ".cfi_endproc",
                unwatched = sym unwatched,
                implementation = sym implementation,
            )
        }
    };
}

/// The instructions with which a naked function begins that leaves its caller in two thread-local words, where
/// [`arch::tls_call`] finds it. They leave all arguments as they are.
macro_rules! note_caller {
    () => {
        "mov r11, qword ptr [rip + ferromp_tls@GOTTPOFF]
         mov r10, qword ptr [rsp]
         mov qword ptr fs:[r11 + 8], r10
         lea r10, [rsp + 8]
         mov qword ptr fs:[r11 + 16], r10"
    };
}

/// As `door!`, for functions of any signature: the caller is left in two thread-local words,
/// because all argument registers may be taken.
macro_rules! wide_door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?, |$call:ident| $body:block)*) => {$(
        $(#[$meta])*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
            unsafe extern "C" fn implementation($($arg: $ty),*) $(-> $ret)? {
                let (codeptr, frame) = $crate::arch::tls_call();
                let $call = $crate::abi::Call::new(codeptr, frame);
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            std::arch::naked_asm!(
                ".cfi_startproc",
                $crate::abi::note_caller!(),
                "jmp {implementation}",
                ".cfi_endproc",
                implementation = sym implementation,
            )
        }
    )*};
}

/// As [`split_door!`], for functions of any signature.
macro_rules! split_wide_door {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?, |$call:ident| $body:block)*) => {$(
        $(#[$meta])*
        #[allow(clippy::missing_safety_doc, reason = "called by compiled code, as its ABI asks")]
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) $(-> $ret)? {
            #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
            unsafe extern "C" fn implementation($($arg: $ty),*) $(-> $ret)? {
                let (codeptr, frame) = $crate::arch::tls_call();
                let $call = $crate::abi::Call::new(codeptr, frame);
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: the caller upholds what the entry point's ABI asks for.
                unsafe { $body }
            }
            #[allow(unused_variables, clippy::too_many_arguments, reason = "the ABI says which")]
            unsafe extern "C" fn unwatched($($arg: $ty),*) $(-> $ret)? {
                let $call = $crate::abi::Unasked;
                #[allow(unused_unsafe, reason = "one macro serves safe and unsafe bodies")]
                // SAFETY: as above.
                unsafe { $body }
            }
            std::arch::naked_asm!(
                ".cfi_startproc",
                $crate::abi::choose_form!(),
                "2:",
                $crate::abi::note_caller!(),
                "jmp {implementation}",
                ".cfi_endproc",
                unwatched = sym unwatched,
                implementation = sym implementation,
            )
        }
    )*};
}

pub(crate) use {choose_form, door, note_caller, split_door, split_wide_door, wide_door};
