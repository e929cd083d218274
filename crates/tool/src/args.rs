//! The arguments of events in safe form, and how they are made from what C passes.

use ompt::*;
use std::ffi::{c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// The data word of a thread, parallel region or task, which belongs to the tool: zero at first,
/// then whatever the tool puts there (`ompt_data_t`, OpenMP 5.1, 4.4.4.4).
///
/// A slot is valid while the method runs that was given it; the lifetime says so. Several threads
/// may have the same slot at the same time (a parallel region's, say); accesses are atomic and
/// relaxed, which costs nothing on the usual machines. The runtime orders the event that begins a
/// thing before all other events of that thing.
#[derive(Copy, Clone)]
pub struct Slot<'a> {
    word: NonNull<Data>,
    alive: PhantomData<&'a Data>,
}

impl<'a> Slot<'a> {
    /// A slot for a data word, none for a null pointer.
    ///
    /// # Safety
    /// `word` is null or points to a data word that lives for `'a` and that everyone, for as long,
    /// only uses atomically or while no one else does.
    pub(crate) unsafe fn new(word: *mut Data) -> Option<Slot<'a>> {
        Some(Slot { word: NonNull::new(word)?, alive: PhantomData })
    }

    fn atomic(self) -> &'a AtomicU64 {
        // SAFETY: `new`'s caller promised the word's life for 'a; it is eight bytes, aligned to
        // eight, and shared only in the ways that atomics may be.
        unsafe { AtomicU64::from_ptr(self.word.as_ptr().cast()) }
    }

    /// The word.
    pub fn get(self) -> u64 {
        self.atomic().load(Ordering::Relaxed)
    }

    /// Replaces the word.
    pub fn set(self, value: u64) {
        self.atomic().store(value, Ordering::Relaxed);
    }

    /// Adds to the word, wrapping, and gives what it was.
    pub fn fetch_add(self, addend: u64) -> u64 {
        self.atomic().fetch_add(addend, Ordering::Relaxed)
    }

    /// The address of the word, which identifies the thread, region or task while it lives.
    pub fn addr(self) -> usize {
        self.word.as_ptr().addr()
    }
}

impl std::fmt::Debug for Slot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Slot({:#x} at {:#x})", self.get(), self.addr())
    }
}

/// The return address of the call by which the program entered the runtime (`codeptr_ra`): it lies
/// in the program's code for the construct, just behind the call. 0 where the runtime does not know.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CodePtr(pub usize);

impl CodePtr {
    /// The address, or none where the runtime does not know it.
    pub fn addr(self) -> Option<usize> {
        (self.0 != 0).then_some(self.0)
    }
}

impl std::fmt::Debug for CodePtr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

/// Makes a method's argument from what the runtime passes.
pub(crate) trait FromAbi<C> {
    /// # Safety
    /// `raw` is what an OMPT 5.1 runtime passes for this argument, and the result is not kept
    /// beyond the callback.
    unsafe fn from_abi(raw: C) -> Self;
}

macro_rules! as_it_is {
    ($($ty:ty),* $(,)?) => { $(
        impl FromAbi<$ty> for $ty {
            unsafe fn from_abi(raw: $ty) -> Self {
                raw
            }
        }
    )* };
}
as_it_is!(u64, c_uint, *mut c_void, Thread, ScopeEndpoint, SyncRegion, Work, Mutex, TaskStatus);
as_it_is!(ompt::Dispatch, Severity, Data);

macro_rules! flags {
    ($($ty:ident),* $(,)?) => { $(
        impl FromAbi<c_int> for $ty {
            unsafe fn from_abi(raw: c_int) -> Self {
                $ty(raw)
            }
        }
    )* };
}
flags!(ParallelFlag, TaskFlag, CancelFlag);

impl FromAbi<c_int> for bool {
    unsafe fn from_abi(raw: c_int) -> Self {
        raw != 0
    }
}

impl FromAbi<*const c_void> for CodePtr {
    unsafe fn from_abi(raw: *const c_void) -> Self {
        CodePtr(raw.addr())
    }
}

impl<'a> FromAbi<*mut Data> for Option<Slot<'a>> {
    unsafe fn from_abi(raw: *mut Data) -> Self {
        // SAFETY: the runtime keeps data words alive during the callback and does not touch them.
        unsafe { Slot::new(raw) }
    }
}

impl FromAbi<*const Frame> for Option<&Frame> {
    unsafe fn from_abi(raw: *const Frame) -> Self {
        // SAFETY: null or the frame of the task that the calling thread runs, which stays put
        // while the callback runs.
        unsafe { raw.as_ref() }
    }
}
