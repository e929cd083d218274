//! The executor of a host device: the thread that performs the operations of asynchronous streams in their order. It is
//! created with the first operation, and sleeps while the queue is empty.

use super::lane::Lanes;
use super::operation::Operation;
use super::queue::{Progress, Queue, Taker};
use crate::device::driver::Note;
use crate::model::atomic::{AtomicBool, Ordering};
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::stack;
use crate::task::helper;
use crate::thread::wait;
use crate::warnings;
use std::ffi::c_void;
use std::time::{Duration, Instant};

/// Work for an executor.
pub enum Work {
    /// An operation, with the arguments of a kernel.
    Operation(Operation, Box<[usize]>, Note),
    /// A job for the helper thread.
    Job(Box<dyn FnOnce() + Send>),
    /// The executor is to end.
    End,
}

/// Work, and the stream that counts its completion.
struct Item {
    work: Work,
    progress: Option<&'static Progress>,
}

/// How often an executor looks for more work before it sleeps: for a few microseconds. A longer loop might take the CPU
/// of the thread that queues the work.
const LOOKS: u32 = 100;

/// How long the end of the program waits for an executor.
const PATIENCE: Duration = Duration::from_secs(10);

/// The executor of one device.
pub struct Executor {
    lanes: &'static Lanes,
    queue: Queue<Item>,
    /// Whether the thread exists.
    runs: Taker,
    thread: Mutex<Option<libc::pthread_t>>,
    /// Whether the thread has ended. Written by the thread, read by `end`.
    ended: AtomicBool,
    /// Where `end` waits for the thread.
    end: Event,
}

// SAFETY: the contract of `Stream`'s operations makes their addresses and arguments valid on any thread.
unsafe impl Send for Work {}

impl Executor {
    pub fn new(lanes: &'static Lanes) -> Self {
        Executor {
            lanes,
            queue: Queue::default(),
            runs: Taker::none(),
            thread: Mutex::new(None),
            ended: AtomicBool::new(false),
            end: Event::new(),
        }
    }

    /// Queues work. The executor begins it after the next [`call`](Self::call) at the latest.
    pub fn queue(&'static self, work: Work, progress: Option<&'static Progress>) {
        if !self.runs.is_there() && !self.start() {
            // Without a thread, the caller does the work. Nothing is queued before it.
            return self.perform(Item { work, progress });
        }
        self.queue.push(Item { work, progress });
        if self.runs.is_missed() {
            self.start();
        }
    }

    /// Wakes the executor for what has been queued.
    pub fn call(&self) {
        self.queue.call();
    }

    /// Creates the thread. False, after a warning, if that fails.
    #[cold]
    fn start(&'static self) -> bool {
        self.thread.with(|thread| {
            if thread.is_none() {
                // SAFETY: `run` takes an executor, which lives for ever.
                match unsafe { stack::create(run, std::ptr::from_ref(self).cast_mut().cast()) } {
                    Ok(id) => *thread = Some(id),
                    Err(error) => {
                        warnings::warn(&format!(
                            "ferromp: cannot create a thread for device {} ({}); what is asynchronous is done at once\n",
                            self.lanes.device,
                            std::io::Error::from_raw_os_error(error)
                        ));
                        return false;
                    }
                }
                self.runs.has_come();
            }
            true
        })
    }

    fn perform(&self, item: Item) {
        match item.work {
            // SAFETY: the contract of `Stream`, by which the operation was queued.
            Work::Operation(operation, arguments, note) => unsafe {
                wait::attach(1);
                operation.perform(&arguments, &note, self.lanes);
                wait::attach(-1);
            },
            Work::Job(job) => helper::post(job),
            Work::End => {}
        }
        if let Some(progress) = item.progress {
            progress.complete();
        }
    }

    /// Ends the thread, once all that was queued is done. Work that is queued meanwhile gets another thread.
    pub fn end(&'static self) {
        let Some(thread) = self.thread.with(Option::take) else { return };
        self.ended.store(false, Ordering::Relaxed);
        self.queue.push(Item { work: Work::End, progress: None });
        self.queue.call();
        // A kernel that ends the program runs on this very thread, which cannot wait for itself.
        // SAFETY: both calls only compare identities.
        if unsafe { libc::pthread_equal(thread, libc::pthread_self()) } != 0 {
            return;
        }
        let patience = Instant::now() + PATIENCE;
        while !self.ended.load(Ordering::Acquire) && Instant::now() < patience {
            let ticket = self.end.prepare();
            if self.ended.load(Ordering::Acquire) {
                self.end.cancel(ticket);
            } else {
                self.end.sleep_for(ticket, PATIENCE);
            }
        }
        if self.ended.load(Ordering::Acquire) {
            // SAFETY: the thread was created joinable, and is joined once.
            unsafe { libc::pthread_join(thread, std::ptr::null_mut()) };
            if self.runs.has_gone(&self.queue) && self.start() {
                self.queue.call();
            }
        } else {
            warnings::warn(&format!(
                "ferromp: device {}: still busy {} s after the end of the program; not waiting any longer\n",
                self.lanes.device,
                PATIENCE.as_secs()
            ));
        }
    }

    /// In a forked child the thread does not exist.
    pub fn after_fork(&self) {
        self.queue.after_fork();
        self.end.forget_sleepers();
        self.thread.renew_after_fork();
        // The parent performs what was queued.
        let _ = self.runs.has_gone(&self.queue);
    }

    /// Waits until there is work.
    fn wait(&self) {
        for _ in 0..LOOKS {
            if !self.queue.is_empty() {
                return;
            }
            std::hint::spin_loop();
        }
        let ticket = self.queue.arrived.prepare();
        if self.queue.is_empty() {
            self.queue.arrived.sleep(ticket);
        } else {
            self.queue.arrived.cancel(ticket);
        }
    }
}

/// The function of the thread.
extern "C" fn run(executor: *mut c_void) -> *mut c_void {
    // SAFETY: `start` passes an executor, which lives for ever.
    let executor = unsafe { &*executor.cast::<Executor>() };
    loop {
        let mut ends = false;
        for item in executor.queue.take() {
            ends |= matches!(item.work, Work::End);
            executor.perform(item);
        }
        if ends {
            executor.ended.store(true, Ordering::Release);
            executor.end.notify_all();
            return std::ptr::null_mut();
        }
        executor.wait();
    }
}
