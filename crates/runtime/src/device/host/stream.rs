//! Streams of a host device. The synchronous stream performs its operations at once, on the calling thread. An
//! asynchronous stream hands them to the device's executor.

use super::executor::{Executor, Work};
use super::lane::Lanes;
use super::operation::{Operation, What};
use super::queue::Progress;
use crate::device::driver::{Address, Direction, Driver, Launch, Mark, Note, Stream};
use crate::device::pool::Pool;
use crate::task::helper;
use crate::thread::wait;

/// The synchronous stream of a device, which all threads use at once: the stream has no state.
pub struct Direct {
    pub lanes: &'static Lanes,
}

/// An asynchronous stream.
pub struct Queued {
    executor: &'static Executor,
    pool: &'static Pool<Queued>,
    progress: &'static Progress,
}

/// A stream of this pool.
pub fn take(pool: &'static Pool<Queued>, executor: &'static Executor) -> &'static Queued {
    pool.take(|| Queued { executor, pool, progress: Box::leak(Box::new(Progress::default())) })
}

/// In a forked child, where operations that were queued are never performed.
pub fn after_fork(pool: &Pool<Queued>) {
    pool.after_fork();
    pool.all().iter().for_each(|queued| queued.progress.after_fork());
}

/// The copy that a transfer is.
fn transfer<A>(direction: Direction, device: Address, host: *mut u8, bytes: usize) -> What<A> {
    match direction {
        Direction::ToDevice => What::Copy { to: device, from: host as usize, bytes },
        Direction::FromDevice => What::Copy { to: host as usize, from: device, bytes },
    }
}

impl Direct {
    /// # Safety
    /// See [`Operation::perform`].
    #[inline]
    unsafe fn perform(&self, what: What<&[usize]>, note: Note) {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { Operation { what, note }.perform(self.lanes) };
    }
}

impl Stream for Direct {
    unsafe fn transfer(&self, direction: Direction, device: Address, host: *mut u8, bytes: usize, note: Note) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(transfer(direction, device, host, bytes), note) };
    }

    unsafe fn within(&self, to: Address, from: Address, bytes: usize, note: Note) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(What::Copy { to, from, bytes }, note) };
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        let reachable = other.abilities().copied_by_processor;
        if reachable {
            // SAFETY: the caller keeps to the `# Safety` section of the trait.
            unsafe { self.perform(What::Copy { to, from, bytes }, note) };
        }
        reachable
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(What::Fill { to, value, bytes }, note) };
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        let &Launch { kernel, arguments, region: &region } = launch;
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.perform(What::Kernel { kernel, arguments, region }, note) };
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark { stream: 0, position: 0 }
    }

    fn after(&self, mark: Mark) {
        // SAFETY: a mark has 0 or the address of a stream's progress, and streams live for ever.
        if let Some(progress) = unsafe { (mark.stream as *const Progress).as_ref() } {
            await_position(progress, mark.position);
        }
    }

    fn then(&self, job: Box<dyn FnOnce() + Send>) {
        // All operations are complete.
        helper::post(job);
    }

    fn wait(&self) -> Result<(), String> {
        Ok(())
    }

    fn give_back(&'static self) {}
}

impl Queued {
    fn queue(&self, what: What<Box<[usize]>>, note: Note) {
        self.progress.queue();
        self.executor.queue(Work::Operation(Operation { what, note }), Some(self.progress));
    }
}

impl Stream for Queued {
    unsafe fn transfer(&self, direction: Direction, device: Address, host: *mut u8, bytes: usize, note: Note) {
        self.queue(transfer(direction, device, host, bytes), note);
    }

    unsafe fn within(&self, to: Address, from: Address, bytes: usize, note: Note) {
        self.queue(What::Copy { to, from, bytes }, note);
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        let reachable = other.abilities().copied_by_processor;
        if reachable {
            self.queue(What::Copy { to, from, bytes }, note);
        }
        reachable
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, note: Note) {
        self.queue(What::Fill { to, value, bytes }, note);
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        let &Launch { kernel, arguments, region: &region } = launch;
        self.queue(What::Kernel { kernel, arguments: arguments.into(), region }, note);
        Ok(())
    }

    fn mark(&self) -> Mark {
        self.executor.call();
        Mark { stream: std::ptr::from_ref(self.progress) as usize, position: self.progress.position() }
    }

    fn after(&self, _: Mark) {
        // The executor performs the operations of all asynchronous streams in the order in which they were queued.
    }

    fn then(&self, job: Box<dyn FnOnce() + Send>) {
        self.executor.queue(Work::Job(job), None);
        self.executor.call();
    }

    fn wait(&self) -> Result<(), String> {
        self.executor.call();
        await_position(self.progress, self.progress.position());
        Ok(())
    }

    fn give_back(&'static self) {
        self.executor.call();
        self.pool.give_back(self);
    }
}

/// Waits until all operations before `position` are complete.
fn await_position(progress: &Progress, position: u64) {
    wait::until(&progress.event, || progress.has_reached(position));
}
