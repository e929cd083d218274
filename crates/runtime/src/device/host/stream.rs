//! Streams of a host device. The synchronous stream performs its operations at once, on the calling thread. An
//! asynchronous stream hands them to the device's executor.

use super::executor::{Executor, Work};
use super::lane::Lanes;
use super::operation::Operation;
use super::queue::Progress;
use crate::device::driver::{Address, Direction, Driver, Launch, Mark, Note, Stream};
use crate::device::pool::Pool;
use crate::task::helper;
use crate::thread::wait;

/// A stream.
pub enum HostStream {
    /// The synchronous stream of a device, which all threads use at once: the stream has no state.
    Direct(&'static Lanes),
    /// An asynchronous stream.
    Queued { executor: &'static Executor, pool: &'static Pool<HostStream>, progress: &'static Progress },
}

/// An asynchronous stream of this pool.
pub fn take(pool: &'static Pool<HostStream>, executor: &'static Executor) -> &'static HostStream {
    pool.take(|| HostStream::Queued { executor, pool, progress: Box::leak(Box::new(Progress::default())) })
}

/// In a forked child, where operations that were queued are never performed.
pub fn after_fork(pool: &Pool<HostStream>) {
    pool.after_fork();
    for stream in pool.all() {
        if let HostStream::Queued { progress, .. } = stream {
            progress.after_fork();
        }
    }
}

impl HostStream {
    /// Performs or queues an operation.
    ///
    /// # Safety
    /// See [`Operation::perform`].
    #[inline]
    unsafe fn perform(&self, operation: Operation, arguments: &[usize], note: Note) {
        match *self {
            // SAFETY: the caller keeps to the `# Safety` section.
            HostStream::Direct(lanes) => unsafe { operation.perform(arguments, &note, lanes) },
            HostStream::Queued { executor, progress, .. } => {
                progress.queue();
                executor.queue(Work::Operation(operation, arguments.into(), note), Some(progress));
            }
        }
    }
}

impl Stream for HostStream {
    unsafe fn copy(&self, _: Direction, to: usize, from: usize, bytes: usize, note: Note) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(Operation::Copy { to, from, bytes }, &[], note) };
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        let reachable = other.abilities().copied_by_processor;
        if reachable {
            // SAFETY: the caller keeps to the `# Safety` section of the trait.
            unsafe { self.perform(Operation::Copy { to, from, bytes }, &[], note) };
        }
        reachable
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(Operation::Fill { to, value, bytes }, &[], note) };
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        let &Launch { kernel, arguments, region: &region } = launch;
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(Operation::Kernel { kernel, region }, arguments, note) };
        Ok(())
    }

    fn mark(&self) -> Mark {
        match *self {
            HostStream::Direct(_) => Mark { stream: 0, position: 0 },
            HostStream::Queued { executor, progress, .. } => {
                executor.call();
                Mark { stream: std::ptr::from_ref(progress) as usize, position: progress.position() }
            }
        }
    }

    fn after(&self, mark: Mark) {
        // The executor performs the operations of all asynchronous streams in the order in which they were queued.
        let HostStream::Direct(_) = self else { return };
        // SAFETY: a mark has 0 or the address of a stream's progress, and streams live for ever.
        if let Some(progress) = unsafe { (mark.stream as *const Progress).as_ref() } {
            await_position(progress, mark.position);
        }
    }

    fn then(&self, job: Box<dyn FnOnce() + Send>) {
        match *self {
            // All operations are complete.
            HostStream::Direct(_) => helper::post(job),
            HostStream::Queued { executor, .. } => {
                executor.queue(Work::Job(job), None);
                executor.call();
            }
        }
    }

    fn wait(&self) -> Result<(), String> {
        if let HostStream::Queued { executor, progress, .. } = *self {
            executor.call();
            await_position(progress, progress.position());
        }
        Ok(())
    }

    fn give_back(&'static self) {
        if let HostStream::Queued { executor, pool, .. } = *self {
            executor.call();
            pool.give_back(self);
        }
    }
}

/// Waits until all operations before `position` are complete.
fn await_position(progress: &Progress, position: u64) {
    wait::until(&progress.event, || progress.has_reached(position));
}
