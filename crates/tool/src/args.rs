//! The arguments of events in safe form, and how they are made from what C passes.

use crate::slot::{Slot, Word};
use ompt::*;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// The return address of the call by which the program entered the runtime (`codeptr_ra`): it lies in the program's
/// code for the construct, just after the call. [`Runtime::construct_function`](crate::Runtime::construct_function)
/// answers with the first address of a function. 0 if the runtime does not know the address.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CodePtr(pub usize);

impl CodePtr {
    /// The address, or none if the runtime does not know it.
    pub fn addr(self) -> Option<usize> {
        (self.0 != 0).then_some(self.0)
    }
}

impl std::fmt::Debug for CodePtr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

ompt::open_flags! {
    /// A program's hint about a lock or critical section (`omp_sync_hint_t`, 2.19.12).
    pub enum SyncHint: c_uint => {
        NONE = 0x0 "omp_sync_hint_none",
        UNCONTENDED = 0x1 "omp_sync_hint_uncontended",
        CONTENDED = 0x2 "omp_sync_hint_contended",
        NONSPECULATIVE = 0x4 "omp_sync_hint_nonspeculative",
        SPECULATIVE = 0x8 "omp_sync_hint_speculative",
    }
}

/// Which piece of work a thread is given (4.5.2.6).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Instance {
    /// The number of a loop's iteration.
    Iteration(u64),
    /// A section, by the address of its code.
    Section(CodePtr),
    /// A chunk of a loop's iterations.
    Chunk(DispatchChunk),
    /// A kind that this version does not know, or a chunk that the runtime does not describe: the unchanged word.
    Other(u64),
}

impl Instance {
    /// # Safety
    /// `word` is what a runtime passes with `kind`, during the callback.
    #[inline(always)]
    pub(crate) unsafe fn new(kind: Dispatch, word: Data) -> Instance {
        match kind {
            Dispatch::ITERATION => Instance::Iteration(word.value()),
            Dispatch::SECTION => Instance::Section(CodePtr(word.ptr().addr())),
            Dispatch::WS_LOOP_CHUNK | Dispatch::TASKLOOP_CHUNK | Dispatch::DISTRIBUTE_CHUNK => {
                // SAFETY: by the caller's contract the word is of this kind: null or a chunk's description, which lives
                // as long as the callback runs.
                match unsafe { word.ptr().cast::<DispatchChunk>().as_ref() } {
                    Some(chunk) => Instance::Chunk(*chunk),
                    None => Instance::Other(0),
                }
            }
            _ => Instance::Other(word.value()),
        }
    }
}

/// One operation on a device's data (4.5.2.25). Addresses are numbers: most cannot be followed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DataOp {
    /// What is done.
    pub optype: TargetDataOp,
    /// Where the data comes from.
    pub src_addr: usize,
    /// The device of that address.
    pub src_device_num: c_int,
    /// Where it goes.
    pub dest_addr: usize,
    /// The device of that address.
    pub dest_device_num: c_int,
    /// How much.
    pub bytes: usize,
}

/// One variable that is mapped (4.5.2.27).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// Where it lies on the host.
    pub host_addr: usize,
    /// Where it lies on the device.
    pub device_addr: usize,
    /// The size.
    pub bytes: usize,
    /// How it is mapped.
    pub flags: TargetMapFlag,
}

/// The variables of one mapping: the arrays that the runtime passes, as one list.
#[derive(Copy, Clone)]
pub struct Mappings<'a> {
    host: &'a [*mut c_void],
    device: &'a [*mut c_void],
    bytes: &'a [usize],
    flags: &'a [c_uint],
}

impl<'a> Mappings<'a> {
    /// # Safety
    /// Each pointer is null or an array of `nitems` that lives for `'a`.
    #[inline]
    pub(crate) unsafe fn new(
        nitems: c_uint,
        host: *mut *mut c_void,
        device: *mut *mut c_void,
        bytes: *mut usize,
        flags: *mut c_uint,
    ) -> Mappings<'a> {
        // SAFETY: the pointer is null or valid by the contract above.
        unsafe {
            let (host, device) = (array(host, nitems as usize), array(device, nitems as usize));
            Mappings { host, device, bytes: array(bytes, nitems as usize), flags: array(flags, nitems as usize) }
        }
    }

    /// The variables, one by one; 0 where the runtime passed no array.
    pub fn iter(self) -> impl Iterator<Item = Mapped> + 'a {
        let length = self.host.len().max(self.device.len()).max(self.bytes.len()).max(self.flags.len());
        (0..length).map(move |at| Mapped {
            host_addr: self.host.get(at).map_or(0, |address| address.addr()),
            device_addr: self.device.get(at).map_or(0, |address| address.addr()),
            bytes: self.bytes.get(at).copied().unwrap_or(0),
            flags: TargetMapFlag(self.flags.get(at).copied().unwrap_or(0) as _),
        })
    }
}

impl std::fmt::Debug for Mappings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Code that was loaded onto a device (4.5.2.21).
#[derive(Copy, Clone, Debug)]
pub struct Loaded<'a> {
    /// The file that it came from.
    pub filename: Option<&'a CStr>,
    /// Where it begins in that file; -1 if that is not known.
    pub offset_in_file: i64,
    /// The address in the module's file; 0 if there is none.
    pub vma_in_file: usize,
    /// The size.
    pub bytes: usize,
    /// Where it lies on the host; 0 if it does not.
    pub host_addr: usize,
    /// Where it lies on the device.
    pub device_addr: usize,
    /// The number among the device's modules.
    pub module_id: u64,
}

/// A C array as a slice; empty for a null pointer.
///
/// # Safety
/// `first` is null or an array of `length` that lives for `'a`.
#[inline(always)]
pub(crate) unsafe fn array<'a, T>(first: *const T, length: usize) -> &'a [T] {
    if first.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: the pointer is null or valid by the contract above.
    unsafe { std::slice::from_raw_parts(first, length) }
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
            #[inline(always)]
            unsafe fn from_abi(raw: $ty) -> Self {
                raw
            }
        }
    )* };
}
as_it_is!(u64, c_int, c_uint, *mut c_void, Thread, ScopeEndpoint, SyncRegion, Work, Mutex, TaskStatus);
as_it_is!(Dispatch, Severity, Target, TargetDataOp);

macro_rules! flags {
    ($($ty:ident),* $(,)?) => { $(
        impl FromAbi<c_int> for $ty {
            #[inline(always)]
            unsafe fn from_abi(raw: c_int) -> Self {
                $ty(raw)
            }
        }
    )* };
}
flags!(ParallelFlag, TaskFlag, CancelFlag);

impl FromAbi<c_uint> for SyncHint {
    #[inline(always)]
    unsafe fn from_abi(raw: c_uint) -> Self {
        SyncHint(raw)
    }
}

impl FromAbi<u64> for ControlTool {
    #[inline(always)]
    unsafe fn from_abi(raw: u64) -> Self {
        // The program passes an `int`.
        ControlTool(raw as c_int)
    }
}

impl FromAbi<c_int> for bool {
    #[inline(always)]
    unsafe fn from_abi(raw: c_int) -> Self {
        raw != 0
    }
}

impl FromAbi<*const c_void> for CodePtr {
    #[inline(always)]
    unsafe fn from_abi(raw: *const c_void) -> Self {
        CodePtr(raw.addr())
    }
}

impl<'a, W: Word> FromAbi<*mut Data> for Option<Slot<'a, W>> {
    #[inline(always)]
    unsafe fn from_abi(raw: *mut Data) -> Self {
        // SAFETY: the runtime keeps data words alive during the callback and does not touch them; a
        // word holds what slots of the same type put there.
        unsafe { Slot::new(raw) }
    }
}

/// The identifier of an operation on a device: a word like the others, which the tool may write.
impl<'a> FromAbi<*mut Id> for Option<Slot<'a>> {
    #[inline(always)]
    unsafe fn from_abi(raw: *mut Id) -> Self {
        // SAFETY: as for data words; it is of the same size.
        unsafe { Slot::new(raw.cast()) }
    }
}

impl FromAbi<*const Frame> for Option<&Frame> {
    #[inline(always)]
    unsafe fn from_abi(raw: *const Frame) -> Self {
        // SAFETY: null or the frame of the task that the calling thread runs, which stays put
        // while the callback runs.
        unsafe { raw.as_ref() }
    }
}

impl FromAbi<*const c_char> for Option<&CStr> {
    #[inline(always)]
    unsafe fn from_abi(raw: *const c_char) -> Self {
        // SAFETY: null or a C string that lives as long as the callback runs.
        (!raw.is_null()).then(|| unsafe { CStr::from_ptr(raw) })
    }
}
