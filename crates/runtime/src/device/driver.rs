//! What a kind of device can do (OpenMP 5.1 §1.2.1, §3.8): memory, images of code, streams of operations, a clock.
//!
//! The rest of `device/` knows devices by the two traits of this file alone. A driver serves one device.

pub use crate::ompt::Note;
pub use crate::ompt::trace::Clock;

use std::ffi::{CStr, CString};

/// An address in the device's memory. The host may dereference the address only if the device shares memory with it.
pub type Address = usize;

/// A loaded image, by its driver's handle; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Module(pub usize);

/// The code of a target region on a device, by its driver's handle; 0 is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(pub usize);

/// A point in a stream of a device: all that was queued there before. The driver chooses what the two words mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    pub stream: usize,
    pub position: u64,
}

/// Which way a copy goes, between the memories of the host and of a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    ToDevice,
    FromDevice,
    /// Within the device's memory. The two ranges may overlap.
    Within,
}

/// Who can use memory that a driver allocates. Transfers between the host's memory and the device are fast.
pub use crate::allocators::spaces::Use as Space;

/// How the code of a kernel takes its arguments. Compilers and runtimes agree upon a convention by a version number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Convention {
    /// The program's arguments alone.
    #[default]
    Plain,
    /// The first argument is the driver's own message to the kernel; 0 if there is none.
    DriversFirst,
    /// The last argument is the driver's. On the host's processor, the code takes one argument: the address of a list
    /// of the arguments' addresses.
    DriversLast,
}

impl Convention {
    /// How many arguments come before the program's.
    pub fn leading(self) -> usize {
        usize::from(self == Convention::DriversFirst)
    }
}

/// What happens if a device cannot give each team the memory that a kernel requests for it (OpenMP 6.1,
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

/// A target region, as the compiler describes it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Region {
    /// The address by which the program knows the region's code.
    pub id: usize,
    /// The `num_teams` clause; 0 if the clause leaves the number open, 1 for a region without a league.
    pub num_teams: u32,
    /// The `thread_limit` clause; 0 if the clause leaves the number open.
    pub thread_limit: u32,
    /// Iterations of the region's loop; 0 if there is no loop or the number is unknown.
    pub trip_count: u64,
    /// Bytes of memory that each team requests for itself, and what the team has if the device cannot give them.
    pub dynamic_memory: u32,
    pub fallback: Fallback,
    /// How the region's code takes its arguments.
    pub convention: Convention,
}

/// A kernel to run.
#[derive(Clone, Copy, Debug)]
pub struct Launch<'a> {
    pub kernel: Kernel,
    /// The arguments, one word each, in the order of the kernel's code; 0 for an argument of the driver's.
    pub arguments: &'a [usize],
    pub region: &'a Region,
}

/// The foreign runtime by which a driver uses its device, for programs that use the same runtime (§2.15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// The runtime's number and name in the list of foreign runtimes that OpenMP refers to.
    pub runtime: isize,
    pub name: &'static CStr,
    pub vendor: &'static CStr,
    /// The runtime's handles of the device and of its context.
    pub device: usize,
    pub context: usize,
}

impl Foreign {
    /// `omp_ifr_cuda_driver`
    pub const CUDA_DRIVER: isize = 2;
}

/// What never changes of a device.
#[derive(Clone, Copy, Debug)]
pub struct Abilities {
    /// The documentation of the device's trace for tools (`device_initialize`).
    pub documentation: &'static CStr,
    /// Bytes of memory that each team of a kernel can have for itself; 0 if unknown.
    pub team_memory: usize,
    /// Whether kernels can use all of the host's memory by the host's addresses (`requires unified_shared_memory`).
    pub shares_memory: bool,
    /// Whether kernels of [`Convention::DriversLast`] can be launched.
    pub takes_list: bool,
    /// Whether operations of a synchronous stream may be under way until the stream is waited for.
    pub queues: bool,
    /// Whether the host's processor does the copies. They are fastest between addresses that are equally aligned.
    pub copied_by_processor: bool,
}

/// One device, with its clock. Every function may be called from any thread, and by several at once. No function but
/// those that say "at any time" is called before [`open`](Self::open) has succeeded.
pub trait Driver: Clock {
    /// What never changes of the device. At any time.
    fn abilities(&self) -> &Abilities;

    /// The kind of device for tools (`device_initialize`): vendor, model and more, separated by semicolons. At any
    /// time.
    fn kind(&self) -> &'static CStr;

    /// The identifier by which every process knows the device, if there is one. At any time.
    fn identifier(&self) -> Option<CString> {
        None
    }

    /// Whether this image is code for this device. At any time.
    fn accepts(&self, image: &[u8]) -> bool;

    /// Makes the device usable. An error says why that failed. Called by one thread at a time.
    fn open(&self) -> Result<(), String>;

    /// Waits for what has been queued, then gives the device back: at the end of the program, or when it pauses.
    /// [`open`](Self::open) may follow.
    fn close(&self);

    /// Whether no kernel is under way.
    fn is_idle(&self) -> bool;

    /// Gives back what the device keeps for later use, such as threads and free memory (`omp_pause_resource`).
    fn pause(&self);

    /// Ends the threads that the device keeps for later use, once they have done what is queued. A new thread is
    /// created for the next operation that needs one.
    fn rest(&self) {}

    /// In a forked child, whose thread is the only one: whether the device is still open, with its memory, images and
    /// streams. If not, the device is as if it had never been opened.
    fn after_fork(&self) -> bool;

    /// Loads an image, and runs its constructors.
    fn load(&self, image: &[u8]) -> Result<Module, String>;

    /// Runs the image's destructors and unloads the image. No operation that is under way uses the image.
    fn unload(&self, module: Module);

    /// Where the image lies on the device, if that is known.
    fn address(&self, _module: Module) -> Option<Address> {
        None
    }

    /// The address and the size of a global variable; the size is 0 if it is unknown.
    fn symbol(&self, module: Module, name: &CStr) -> Option<(Address, usize)>;

    /// The code of a target region.
    fn kernel(&self, module: Module, name: &CStr) -> Option<Kernel>;

    /// Notes all functions of the image that are called by the host's pointers: the host's address of each function,
    /// and the device's.
    fn functions(&self, _module: Module, _functions: &[(usize, Address)]) -> Result<(), String> {
        Ok(())
    }

    /// Memory of any content, aligned to at least 128 bytes; `None` if there is not enough. `bytes` is not 0.
    fn allocate(&self, bytes: usize, space: Space) -> Option<Address>;

    /// The reason of the last failed allocation, if the driver knows more than a lack of memory.
    fn refused(&self) -> Option<String> {
        None
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// The memory is from [`allocate`](Self::allocate) with the same size and space, and no longer used.
    unsafe fn free(&self, memory: Address, bytes: usize, space: Space);

    /// A stream from the driver's pool. An asynchronous stream only queues its operations. The operations of another
    /// stream are complete when the call returns, or when [`Stream::wait`] does.
    fn stream(&self, asynchronous: bool) -> &'static dyn Stream;

    /// The foreign runtime by which the driver uses the device, if there is one.
    fn foreign(&self) -> Option<Foreign> {
        None
    }
}

/// Operations that a device performs one after the other. Operations take a [`Note`] for the record in the device's
/// trace.
///
/// # Safety of operations
/// Each range of addresses exists, and has as many bytes, until the operation is complete. Meanwhile no other operation
/// and no thread uses the range in a conflicting way.
pub trait Stream: Sync {
    /// Copies bytes. The direction says in whose memory the two addresses lie.
    ///
    /// # Safety
    /// See [`Stream`].
    unsafe fn copy(&self, direction: Direction, to: usize, from: usize, bytes: usize, note: Note);

    /// Copies from this device's memory to another device's. False, and nothing happens, if the two devices cannot.
    ///
    /// # Safety
    /// See [`Stream`].
    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool;

    /// Sets bytes of the device's memory.
    ///
    /// # Safety
    /// See [`Stream`].
    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note);

    /// Runs a kernel. An error says why the device cannot. An error of the running kernel comes from
    /// [`wait`](Self::wait).
    ///
    /// # Safety
    /// The arguments are those of the kernel's code, and stay valid until the kernel has ended.
    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String>;

    /// The point behind all that has been queued so far.
    fn mark(&self) -> Mark;

    /// Orders what is queued from here on after `mark`, which may be of any stream of the device. A synchronous stream
    /// waits.
    fn after(&self, mark: Mark);

    /// Calls `job` on the helper thread, once all that was queued before is complete.
    fn then(&self, job: Box<dyn FnOnce() + Send>);

    /// Waits until all that was queued before is complete. An error is that of one of these operations.
    fn wait(&self) -> Result<(), String>;

    /// Gives the stream back to its pool. The operations are complete, or have been waited for.
    fn give_back(&'static self);

    /// The host's address of what could not be copied, if a copy caused the last error.
    fn culprit(&self) -> Option<usize> {
        None
    }

    /// The foreign runtime's handle of the stream, if there is one.
    fn foreign(&self) -> Option<usize> {
        None
    }
}
