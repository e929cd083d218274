//! Streams of an NVIDIA device. Each one is a stream of the driver's, where all operations are queued, those of
//! synchronous streams too (OpenMP 5.1 §2.14.5). `README.md` says how streams are ordered, and how the runtime learns
//! that operations are complete.

use super::device::Gpu;
use super::kernel::{self, Kernel};
use super::record::{self, Started, Traced, What};
use crate::device::driver::{Address, Direction, Driver, Foreign, Launch, Mark, Note, Stream};
use crate::device::pool::Pool;
use crate::model::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use crate::ompt::trace;
use crate::park::mutex::Mutex;
use crate::task::helper::{self, Job};
use crate::thread::wait;
use cuda_driver::{self as api, Api, Event, Fault, Queue};
use std::ffi::c_void;

/// A stream. Streams live for ever; one construct at a time has one.
pub struct CudaStream {
    gpu: &'static Gpu,
    pool: &'static Pool<CudaStream>,
    /// The driver's stream; 0 if there is none.
    queue: AtomicUsize,
    asynchronous: AtomicBool,
    /// How many operations have been queued, and how many of them are known to be complete.
    queued: AtomicU64,
    done: AtomicU64,
    state: Mutex<State>,
}

/// What the construct that has the stream needs.
#[derive(Default)]
struct State {
    /// The first failure since the last wait. Nothing is queued behind a failure.
    failure: Option<Failure>,
    /// The host's address of what could not be copied, of the last reported failure.
    culprit: Option<usize>,
    /// The last kernel since the last wait.
    kernel: Option<&'static Kernel>,
    /// Operations that are to be recorded.
    traced: Vec<Traced>,
    /// The event by which the stream waits for another; 0 if there is none yet.
    event: Event,
    arguments: Vec<usize>,
    reduction: Reduction,
}

/// An operation that has failed.
struct Failure {
    text: String,
    /// The host's address of what was to be copied.
    host: Option<usize>,
}

/// The memory of kernels with a reduction over teams: LLVM's `KernelLaunchEnvironmentTy`, and a buffer behind it. The
/// kernels of one stream use the memory one after the other.
#[derive(Default)]
struct Reduction {
    /// The address on the device, and the bytes of the buffer.
    there: Address,
    bytes: usize,
    /// The first words: two counters, and the buffer's address. Boxed, because copies of the words may be under way.
    header: Box<[usize; 2]>,
    /// Smaller blocks, which kernels may still be using.
    old: Vec<(Address, usize)>,
}

/// The buffer's distance from the begin of the memory.
const BUFFER: usize = 128;
/// How long a thread looks for the end of a stream's operations before it sleeps, in nanoseconds.
const LOOK_NS: u64 = 50_000;
/// The argument of a kernel without a reduction over teams.
const NO_ENVIRONMENT: usize = usize::MAX;

/// A stream of the pool. If the driver cannot create its stream, the operations that are queued there fail.
pub fn take(pool: &'static Pool<CudaStream>, gpu: &'static Gpu, asynchronous: bool) -> &'static CudaStream {
    let stream = pool.take(|| CudaStream {
        gpu,
        pool,
        queue: AtomicUsize::new(0),
        asynchronous: AtomicBool::new(false),
        queued: AtomicU64::new(0),
        done: AtomicU64::new(0),
        state: Mutex::new(State::default()),
    });
    stream.asynchronous.store(asynchronous, Ordering::Relaxed);
    if stream.queue() == 0 {
        stream.create();
    }
    stream
}

/// Whether nothing is under way in any of the streams. The caller has entered the context.
pub fn are_idle(streams: &Pool<CudaStream>, api: &Api) -> bool {
    streams.all().iter().all(|stream| {
        let queue = stream.queue();
        // SAFETY: the driver's stream is not destroyed before the device is closed.
        queue == 0 || !matches!(unsafe { api.stream_query(queue) }, Err(fault) if fault.is_not_ready())
    })
}

/// Destroys what the driver has created for the streams. Nothing is under way. The caller has entered the context.
pub fn close(streams: &Pool<CudaStream>, api: &Api) {
    for stream in streams.all() {
        let queue = stream.queue.swap(0, Ordering::Relaxed);
        let event = stream.state.with(|state| std::mem::take(&mut state.event));
        // SAFETY: nothing is under way. What cannot be destroyed goes with the context.
        unsafe {
            if event != 0 {
                let _ = api.event_destroy(event);
            }
            if queue != 0 {
                let _ = api.stream_destroy(queue);
            }
        }
    }
}

/// In a forked child, where the driver's streams do not exist, and operations that were queued are never performed.
pub fn after_fork(streams: &Pool<CudaStream>) {
    streams.after_fork();
    for stream in streams.all() {
        stream.queue.store(0, Ordering::Relaxed);
        stream.done.store(stream.queued.load(Ordering::Relaxed), Ordering::Relaxed);
        stream.state.renew_after_fork();
    }
}

/// Waits until nothing is under way in a stream. While the CPUs suffice, the thread looks for the end first, since a
/// sleep and a wake take ten microseconds, longer than many kernels. The caller has entered the context.
///
/// # Safety
/// The driver's stream exists until the function returns.
unsafe fn finish(gpu: &Gpu, queue: Queue) -> Result<(), Fault> {
    let api = gpu.api;
    let (begin, most) = (wait::now_ns(), LOOK_NS.min(wait::spin_ns()));
    // SAFETY: the caller keeps to the `# Safety` section, here and below.
    while let Err(fault) = unsafe { api.stream_query(queue) } {
        if !fault.is_not_ready() {
            return Err(fault);
        }
        if wait::now_ns().saturating_sub(begin) >= most {
            // A wait for an event sleeps, a wait for a stream would not.
            let Ok(event) = record::recorded(gpu, queue) else {
                // SAFETY: as above.
                return unsafe { api.stream_synchronize(queue) };
            };
            // SAFETY: the event is this call's own.
            let done = unsafe { api.event_synchronize(event) };
            gpu.clock.give_back(event);
            return done;
        }
        std::hint::spin_loop();
    }
    Ok(())
}

/// For the record of a copy: from where to where.
type Copied = (Note, Address, Address);

impl CudaStream {
    #[cold]
    fn create(&self) {
        // SAFETY: `inside` has entered the context.
        match self.gpu.inside(|api| unsafe { api.stream_create(api::NON_BLOCKING) }) {
            Ok(queue) => self.queue.store(queue, Ordering::Relaxed),
            Err(fault) => self.state.with(|state| state.fail(fault.to_string(), None)),
        }
    }

    fn queue(&self) -> Queue {
        self.queue.load(Ordering::Relaxed)
    }

    /// Queues an operation on a range of bytes. `host` is the host's address in a transfer. If the operation fails, or
    /// an operation before it has failed, [`Stream::wait`] returns the error.
    fn add(
        &self,
        bytes: usize,
        host: Option<usize>,
        copied: Option<Copied>,
        operation: impl FnOnce(&Api, Queue) -> Result<(), Fault>,
    ) {
        self.state.with(|state| {
            if state.failure.is_some() {
                return;
            }
            let (gpu, queue) = (self.gpu, self.queue());
            let done = gpu.inside(|api| {
                let record = copied.filter(|(note, ..)| trace::wants_transfer(gpu.number(), note));
                let started = record.and_then(|_| Started::new(gpu, queue));
                operation(api, queue)?;
                if let (Some(started), Some((note, from, to))) = (started, record) {
                    state.traced.extend(started.ends(gpu, queue, note, What::Transfer { from, to, bytes }));
                }
                Ok(())
            });
            match done {
                Ok(()) => self.has_queued(),
                Err(fault) => state.fail(state.explained(fault, &format!(" of {bytes} bytes")), host),
            }
        });
    }

    /// Counts an operation, after the driver has it: a thread that waits for the stream must not take a counted
    /// operation for complete.
    fn has_queued(&self) {
        self.queued.fetch_add(1, Ordering::Release);
    }

    /// Waits until all that has been queued so far is complete, for another stream. The construct that has this stream
    /// reports errors.
    fn await_for_other(&self) {
        let position = self.queued.load(Ordering::Acquire);
        let queue = self.queue();
        // SAFETY: the driver's stream is not destroyed before the device is closed.
        if queue != 0 && self.gpu.inside(|_| unsafe { finish(self.gpu, queue) }).is_ok() {
            self.done.fetch_max(position, Ordering::Release);
        }
    }

    /// Has this stream wait, on the device, for all that has been queued in `other`.
    fn follow(&self, other: &CudaStream) {
        self.state.with(|state| {
            let (queue, before) = (self.queue(), other.queue());
            if state.failure.is_some() || queue == 0 || before == 0 {
                return;
            }
            // SAFETY: the event is the stream's own; the driver's streams are not destroyed before the device is
            // closed.
            let done = self.gpu.inside(|api| unsafe {
                if state.event == 0 {
                    state.event = api.event_create(api::UNTIMED)?;
                }
                api.event_record(state.event, before)?;
                api.stream_wait(queue, state.event, 0)
            });
            if let Err(fault) = done {
                state.fail(state.explained(fault, ""), None);
            }
        });
    }

    /// Launches a kernel.
    fn launch_in(&self, state: &mut State, api: &Api, launch: &Launch, note: Note) -> Result<(), Fault> {
        let (gpu, queue, region, kernel) = (self.gpu, self.queue(), launch.region, kernel_of(launch));
        let shape = kernel.shape(region, &gpu.limits());
        state.arguments.clear();
        state.arguments.extend_from_slice(launch.arguments);
        let drivers = region.convention.leading();
        if drivers > 0 {
            let environment = self.environment(&mut state.reduction, api, queue, kernel)?;
            state.arguments[..drivers].fill(environment);
        }
        let memory = region.dynamic_memory;
        if kernel::is_large(memory) {
            let bytes = i32::try_from(memory).unwrap_or(i32::MAX);
            // SAFETY: the function is one of a loaded image.
            unsafe { api.set_function_attribute(kernel.function, api::DYNAMIC_MEMORY, bytes)? };
        }
        let wanted = trace::wants_kernel(gpu.number(), &note);
        let started = wanted.then(|| Started::new(gpu, queue)).flatten();
        let mut bytes = size_of_val(state.arguments.as_slice());
        let mut extra: [*mut c_void; 5] = [
            api::ARGUMENTS as *mut c_void,
            state.arguments.as_mut_ptr().cast(),
            api::ARGUMENTS_BYTES as *mut c_void,
            (&raw mut bytes).cast(),
            api::ARGUMENTS_END as *mut c_void,
        ];
        let (none, extra) = (std::ptr::null_mut(), if bytes == 0 { std::ptr::null_mut() } else { extra.as_mut_ptr() });
        // SAFETY: the arguments are the kernel's, and the driver copies them.
        unsafe { api.launch(kernel.function, shape.blocks, 1, 1, shape.threads, 1, 1, memory, queue, none, extra)? };
        state.kernel = Some(kernel);
        if let Some(started) = started {
            let teams = trace::Teams { requested: region.num_teams, granted: shape.blocks, limit: region.thread_limit };
            state.traced.extend(started.ends(gpu, queue, note, What::Kernel { teams, code: kernel.function }));
        }
        Ok(())
    }

    /// The argument for a reduction over teams.
    fn environment(&self, reduction: &mut Reduction, api: &Api, queue: Queue, kernel: &Kernel) -> Result<usize, Fault> {
        let bytes = kernel.environment.reduction_memory();
        if bytes == 0 {
            return Ok(NO_ENVIRONMENT);
        }
        if reduction.bytes < bytes {
            if reduction.there != 0 {
                reduction.old.push((reduction.there, reduction.bytes + BUFFER));
            }
            (reduction.there, reduction.bytes) = (0, 0);
            reduction.there = self.gpu.allocate(bytes + BUFFER)?;
            reduction.bytes = bytes;
            *reduction.header = [0, reduction.there + BUFFER];
        }
        let header = reduction.header.as_ptr().cast();
        // SAFETY: the header is boxed, and fits before the buffer.
        unsafe { api.copy_to(reduction.there, header, size_of_val(&*reduction.header), queue)? };
        Ok(reduction.there)
    }
}

impl State {
    fn fail(&mut self, text: String, host: Option<usize>) {
        self.failure.get_or_insert(Failure { text, host });
    }

    /// The message of a fault: the call, `what` it was for, the driver's words, and the kernel that may be to blame.
    fn explained(&self, fault: Fault, what: &str) -> String {
        let text = fault.to_string();
        let reason = text.strip_prefix(fault.call).unwrap_or(&text);
        let mut text = format!("{}{what}{reason}", fault.call);
        if fault.is_final()
            && let Some(kernel) = self.kernel
        {
            text += &format!(", after the kernel '{}'", kernel.name.to_string_lossy());
        }
        text
    }

    /// The message of a failure, which ends the records: it is unknown which of the operations were performed.
    fn report(&mut self, failure: Failure) -> String {
        self.traced.clear();
        self.culprit = failure.host;
        failure.text
    }
}

fn kernel_of(launch: &Launch) -> &'static Kernel {
    // SAFETY: this driver's kernels have the address of a `Kernel`, and live for ever.
    unsafe { &*(launch.kernel.0 as *const Kernel) }
}

/// Called by the driver when all is complete that was queued before.
unsafe extern "C" fn completed(_: Queue, _: api::Status, job: *mut c_void) {
    // SAFETY: `then` has passed a job, for this call alone.
    helper::post(*unsafe { Box::from_raw(job.cast::<Job>()) });
}

impl Stream for CudaStream {
    unsafe fn copy(&self, direction: Direction, to: usize, from: usize, bytes: usize, note: Note) {
        let host = match direction {
            Direction::ToDevice => Some(from),
            Direction::FromDevice => Some(to),
            Direction::Within => None,
        };
        // SAFETY: the caller's; the block between is this call's own until both copies are complete.
        self.add(bytes, host, Some((note, from, to)), |api, queue| unsafe {
            match direction {
                Direction::ToDevice => return api.copy_to(to, from as *const c_void, bytes, queue),
                Direction::FromDevice => {
                    // A copy to pageable memory waits for what is queued before it, and without sleeping.
                    if !self.asynchronous.load(Ordering::Relaxed) {
                        finish(self.gpu, queue)?;
                    }
                    return api.copy_from(to as *mut c_void, from, bytes, queue);
                }
                Direction::Within if to.abs_diff(from) >= bytes => return api.copy_within(to, from, bytes, queue),
                Direction::Within => {}
            }
            // Two copies by way of another block: the driver cannot copy between ranges that overlap.
            let other = self.gpu.allocate(bytes)?;
            let done = api
                .copy_within(other, from, bytes, queue)
                .and_then(|()| api.copy_within(to, other, bytes, queue))
                .and_then(|()| api.stream_synchronize(queue));
            self.gpu.free(other, bytes);
            done
        });
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        let there = other.foreign().filter(|foreign| foreign.runtime == Foreign::CUDA_DRIVER);
        let Some(there) = there else { return false };
        // SAFETY: the caller's; both devices are open.
        self.add(bytes, None, Some((note, from, to)), |api, queue| unsafe {
            api.copy_between(to, there.context, from, self.gpu.context(), bytes, queue)
        });
        true
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, _: Note) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        self.add(bytes, None, None, |api, queue| unsafe { api.fill(to, value, bytes, queue) });
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        self.state.with(|state| {
            if let Some(failure) = state.failure.take() {
                return Err(state.report(failure));
            }
            let launched = self.gpu.inside(|api| self.launch_in(state, api, launch, note));
            launched.map(|()| self.has_queued()).map_err(|fault| {
                state.explained(fault, &format!(" for the kernel '{}'", kernel_of(launch).name.to_string_lossy()))
            })
        })
    }

    fn mark(&self) -> Mark {
        Mark { stream: std::ptr::from_ref(self) as usize, position: self.queued.load(Ordering::Relaxed) }
    }

    fn after(&self, mark: Mark) {
        // SAFETY: marks of this driver have the address of a stream, and streams live for ever.
        let other = unsafe { (mark.stream as *const CudaStream).as_ref() };
        let Some(other) = other.filter(|other| !std::ptr::eq(*other, self)) else { return };
        // Acquire: this thread sees what the operations did.
        if other.done.load(Ordering::Acquire) >= mark.position {
            return;
        }
        if self.asynchronous.load(Ordering::Relaxed) {
            self.follow(other);
        } else {
            other.await_for_other();
        }
    }

    fn then(&self, job: Job) {
        let queue = self.queue();
        if queue == 0 {
            return helper::post(job);
        }
        let data = Box::into_raw(Box::new(job)).cast::<c_void>();
        // SAFETY: `completed` takes the job.
        if let Err(fault) = self.gpu.inside(|api| unsafe { api.stream_callback(queue, completed, data, 0) }) {
            // The job waits for the stream, and so receives the error.
            self.state.with(|state| state.fail(state.explained(fault, ""), None));
            // SAFETY: the driver has not taken the job.
            helper::post(*unsafe { Box::from_raw(data.cast::<Job>()) });
        }
    }

    fn wait(&self) -> Result<(), String> {
        self.state.with(|state| {
            let queued = self.queued.load(Ordering::Relaxed);
            if state.failure.is_none() && self.done.load(Ordering::Relaxed) == queued && state.traced.is_empty() {
                return Ok(());
            }
            let queue = self.queue();
            let waited = self.gpu.inside(|_| {
                if queue != 0 {
                    // SAFETY: the stream is the caller's.
                    unsafe { finish(self.gpu, queue)? };
                }
                // An operation that cannot be measured has no record.
                state.traced.drain(..).for_each(|traced| _ = traced.write(self.gpu));
                for (block, bytes) in state.reduction.old.drain(..) {
                    // SAFETY: the kernels that used the block are complete.
                    unsafe { self.gpu.free(block, bytes) };
                }
                Ok(())
            });
            if let Err(fault) = waited {
                state.fail(state.explained(fault, ""), None);
            }
            self.done.store(queued, Ordering::Release);
            state.kernel = None;
            state.failure.take().map_or(Ok(()), |failure| Err(state.report(failure)))
        })
    }

    fn give_back(&'static self) {
        self.pool.give_back(self);
    }

    fn culprit(&self) -> Option<usize> {
        self.state.with(|state| state.culprit.take())
    }

    fn foreign(&self) -> Option<usize> {
        Some(self.queue()).filter(|&queue| queue != 0)
    }
}
