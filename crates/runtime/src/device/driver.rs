//! What a kind of device can do (OpenMP 5.1 §1.2.1, §3.8): memory, images of code, streams of operations, a clock.
//!
//! The rest of `device/` knows devices by these two traits alone. A driver serves one device.

pub use crate::ompt::Note;

use std::any::Any;
use std::ffi::{CStr, CString};

/// An address as the device has it. Not to be dereferenced by the host, unless the driver shares memory with it.
pub type Address = usize;

/// A loaded image, as its driver has it; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module(pub usize);

/// Code of a target region on a device, as its driver has it; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(pub usize);

/// A point in a stream of a device: whatever was queued there until it was made. As its driver has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    pub stream: usize,
    pub position: u64,
}

/// Which way a transfer goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    ToDevice,
    FromDevice,
}

/// Who can use memory that a driver gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// The device alone.
    Device,
    /// The host; the device transfers to and from it fast.
    Host,
    /// Both, by the same address.
    Shared,
}

/// How the code of a kernel takes its arguments: what compilers agree upon by a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Convention {
    /// The program's arguments, and no other.
    Plain,
    /// The first argument is the driver's: what it has to tell the kernel; 0 if that is nothing.
    DriversFirst,
    /// The last argument is the driver's. The processor's code takes one argument in all: the address of a list of the
    /// arguments' addresses.
    DriversLast,
}

impl Convention {
    /// How many arguments come before the program's.
    pub fn leading(self) -> usize {
        usize::from(self == Convention::DriversFirst)
    }
}

/// What happens where a device cannot give each team the memory that a kernel wants for it (OpenMP 6.1,
/// `dyn_groupprivate`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fallback {
    /// The program ends.
    #[default]
    Abort,
    /// Teams have no such memory.
    Null,
    /// Teams have other memory in its place.
    Memory,
}

/// A kernel to run.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    pub kernel: Kernel,
    /// Its arguments, one word each, in the order of the kernel's code; 0 where one is the driver's.
    pub arguments: &'a [usize],
    pub convention: Convention,
    /// As the `num_teams` clause says; 0 where it leaves that open.
    pub num_teams: u32,
    /// As the `thread_limit` clause says; 0 where it leaves that open.
    pub thread_limit: u32,
    /// Iterations of the loop that the kernel is made of; 0 if it is none, or if they are not known.
    pub trip_count: u64,
    /// Bytes of memory that each team wants for itself, and what it has where those cannot be had.
    pub dynamic_memory: u32,
    pub fallback: Fallback,
}

/// The runtime of others by which a driver uses its device, for programs that use it as well (§2.15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// Its number in the list of such runtimes that OpenMP refers to, and its name there.
    pub runtime: isize,
    pub name: &'static CStr,
    pub vendor: &'static CStr,
    /// What it knows the device and its context by.
    pub device: usize,
    pub context: usize,
}

impl Foreign {
    /// `omp_ifr_cuda_driver`
    pub const CUDA_DRIVER: isize = 2;
}

/// One device. Every function may be called from any thread, and by several at once. None is called before
/// [`open`](Self::open) has succeeded, but for those that say so.
pub trait Driver: Sync + Any {
    /// What tools are told of the kind of device (`device_initialize`): vendor, model and what else is known, with
    /// semicolons between them. May be called at any time.
    fn kind(&self) -> &'static CStr;

    /// By what the device is known everywhere, if it has such an identifier. May be called at any time.
    fn identifier(&self) -> Option<CString> {
        None
    }

    /// What tools are told of tracing it (`device_initialize`). May be called at any time.
    fn documentation(&self) -> &'static CStr;

    /// Whether this image is code for this device. May be called at any time.
    fn accepts(&self, image: &[u8]) -> bool;

    /// Makes the device usable; what went wrong, otherwise. Called once at a time.
    fn open(&self) -> Result<(), String>;

    /// Whether kernels that take their arguments so can be launched. May be called at any time.
    fn takes(&self, _: Convention) -> bool {
        true
    }

    /// Bytes of memory that each team of a kernel can have for itself, as far as that is known. May be called at any
    /// time.
    fn most_team_memory(&self) -> usize {
        0
    }

    /// Waits for what has been queued, then gives the device back: at the end of the program or when it pauses.
    /// [`open`](Self::open) may follow.
    fn close(&self);

    /// Whether no kernel is under way.
    fn is_idle(&self) -> bool;

    /// Gives back what the device keeps for later use, as threads and free memory (`omp_pause_resource`). The next who
    /// needs it gets it anew.
    fn pause(&self);

    /// Ends the threads that the device keeps for later use, when they have done what is queued. The next who needs one
    /// gets it anew.
    fn rest(&self);

    /// In a forked child, whose thread is the only one. Whether the device is open there too, with its memory, images
    /// and streams; if not, it is as one that was never opened.
    fn after_fork(&self) -> bool;

    /// Loads an image, and runs its constructors.
    fn load(&self, image: &[u8]) -> Result<Module, String>;

    /// Unloads it, after its destructors. Nothing that is under way uses it.
    fn unload(&self, module: Module);

    /// Where the image lies on the device, if that is known.
    fn address(&self, module: Module) -> Option<Address>;

    /// The address and size of a global variable; the size is 0 where it cannot be told.
    fn symbol(&self, module: Module, name: &CStr) -> Option<(Address, usize)>;

    /// The code of a target region.
    fn kernel(&self, module: Module, name: &CStr) -> Option<Kernel>;

    /// All functions of the image that are called by the host's pointers: the host's address of each, and the device's.
    fn functions(&self, _module: Module, _functions: &[(usize, Address)]) -> Result<(), String> {
        Ok(())
    }

    /// Memory aligned to at least 128 bytes, whose content is anything; none if there is not enough. Never for 0 bytes.
    fn allocate(&self, bytes: usize, space: Space) -> Option<Address>;

    /// What the last allocation that failed has reported, if there is more to say than that.
    fn refused(&self) -> Option<String> {
        None
    }

    /// # Safety
    /// The memory is from [`allocate`](Self::allocate) with as many bytes and the same space, and nobody uses it any
    /// more.
    unsafe fn free(&self, memory: Address, bytes: usize, space: Space);

    /// Whether kernels can use all memory of the host, by its addresses (`requires unified_shared_memory`).
    fn shares_memory(&self) -> bool;

    /// Whether operations may be under way in a synchronous stream until it is waited for.
    fn queues(&self) -> bool {
        false
    }

    /// A stream from the driver's pool. Operations of an asynchronous stream are only queued; those of another one are
    /// complete when the call returns, or when [`Stream::wait`] does.
    fn stream(&self, asynchronous: bool) -> &'static dyn Stream;

    /// Takes a stream back whose operations are complete, or which has been waited for.
    fn give_back(&self, stream: &'static dyn Stream);

    /// How many processors the device has.
    fn processors(&self) -> i32;

    /// The device's clock, in ticks of its own.
    fn time(&self) -> u64;

    /// A time of [`time`](Self::time) in the seconds of `omp_get_wtime`.
    fn to_wtime(&self, time: u64) -> f64;

    /// Whether the processor copies to the device's memory and back, which it does best where both sides are aligned
    /// alike.
    fn copied_by_processor(&self) -> bool {
        false
    }

    /// The runtime by which the driver uses the device, if that is another's.
    fn foreign(&self) -> Option<Foreign> {
        None
    }

    /// Whether the device's threads are the runtime's, so that what happens inside target regions can be traced.
    fn records_inside(&self) -> bool {
        false
    }
}

/// Operations that a device performs one after the other.
///
/// Safety of all that takes addresses: both ranges are there and of that many bytes until the operation is complete,
/// and nobody else uses them in a conflicting way.
pub trait Stream: Sync {
    /// Copies between the host's and the device's memory.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn transfer(&self, direction: Direction, device: Address, host: *mut u8, bytes: usize, note: Note);

    /// Copies within the device's memory; the two may overlap.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn within(&self, to: Address, from: Address, bytes: usize, note: Note);

    /// Copies from this device's memory to another's. False where the two devices cannot: nothing has happened then.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool;

    /// Sets bytes of the device's memory.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note);

    /// Runs a kernel. An error says why the device cannot; what it reports of a kernel that ran comes from
    /// [`wait`](Self::wait).
    ///
    /// # Safety
    /// The arguments are what the kernel's code expects, and stay so until it has ended.
    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String>;

    /// What has been queued here so far.
    fn mark(&self) -> Mark;

    /// What is queued here from now on begins when what `mark` stands for is complete, on whichever stream of the
    /// device that is. A stream that is not asynchronous waits.
    fn after(&self, mark: Mark);

    /// Calls `job` on the helper thread, once all that was queued here before is complete.
    fn then(&self, job: Box<dyn FnOnce() + Send>);

    /// Waits until all that was queued here before is complete; an error of one of these operations.
    fn wait(&self) -> Result<(), String>;

    /// Where the host has what could not be copied, if that was the last error.
    fn culprit(&self) -> Option<usize> {
        None
    }

    /// What the runtime of others knows the stream by.
    fn foreign(&self) -> Option<usize> {
        None
    }
}
