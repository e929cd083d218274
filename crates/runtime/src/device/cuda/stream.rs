//! Streams of an NVIDIA device: each is one of the driver's, and all operations are queued there, whether somebody
//! waits for them or not (OpenMP 5.1 §2.14.5). `README.md` has how they are ordered, and who learns that they are
//! complete.

use super::NvidiaDevice;
use super::api::{self, Api, Event, Fault, Queue};
use super::kernel::Kernel;
use super::record::Traced;
use crate::device::driver::{Address, Direction, Driver, Launch, Mark, Note, Stream};
use crate::model::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use crate::ompt::trace;
use crate::park::mutex::Mutex;
use crate::task::helper;
use crate::task::helper::Job;
use std::any::Any;
use std::ffi::c_void;

/// A stream. It lives for ever; one thread at a time has it.
pub struct CudaStream {
    device: &'static NvidiaDevice,
    /// The driver's; 0 while there is none.
    queue: AtomicUsize,
    asynchronous: AtomicBool,
    /// How many operations have been queued, and how many of them are known to be complete.
    queued: AtomicU64,
    done: AtomicU64,
    state: Mutex<State>,
}

/// What the thread that has the stream needs.
#[derive(Default)]
struct State {
    /// The first thing that went wrong since the last time somebody waited. Nothing is queued behind it.
    failure: Option<Failure>,
    /// Where the host has what could not be copied, of the last error that was told.
    culprit: Option<usize>,
    /// The last kernel since then.
    kernel: Option<&'static Kernel>,
    /// Operations of which there are to be records.
    traced: Vec<Traced>,
    /// By this one the stream waits for another.
    event: Event,
    arguments: Vec<usize>,
    reduction: Reduction,
}

/// Something that went wrong.
struct Failure {
    text: String,
    /// Where the host has what was to be copied.
    host: Option<usize>,
}

/// What kernels with a reduction over teams work with: LLVM's `KernelLaunchEnvironmentTy`, and a buffer behind it.
/// Kernels of one stream use it one after the other.
#[derive(Default)]
struct Reduction {
    /// On the device, and how many bytes the buffer has.
    there: Address,
    bytes: usize,
    /// What it begins with: two counters, and the buffer's address. Where it stays.
    header: Box<[usize; 2]>,
    /// Smaller ones, which kernels may still be using.
    old: Vec<(Address, usize)>,
}

/// Where the buffer is.
const BUFFER: usize = 128;
/// What a kernel gets that needs none.
const NO_ENVIRONMENT: usize = usize::MAX;

/// The streams of a device.
pub struct Streams {
    free: Mutex<Vec<&'static CudaStream>>,
    /// All that there are.
    all: Mutex<Vec<&'static CudaStream>>,
}

impl Streams {
    pub const fn new() -> Self {
        Streams { free: Mutex::new(Vec::new()), all: Mutex::new(Vec::new()) }
    }

    /// A stream for the caller. If the driver has none, what is queued there fails.
    pub fn take(&self, device: &'static NvidiaDevice, asynchronous: bool) -> &'static dyn Stream {
        let stream = self.free.with(Vec::pop).unwrap_or_else(|| {
            let stream: &'static CudaStream = Box::leak(Box::new(CudaStream {
                device,
                queue: AtomicUsize::new(0),
                asynchronous: AtomicBool::new(false),
                queued: AtomicU64::new(0),
                done: AtomicU64::new(0),
                state: Mutex::new(State::default()),
            }));
            self.all.with(|all| all.push(stream));
            stream
        });
        stream.asynchronous.store(asynchronous, Ordering::Relaxed);
        if stream.queue.load(Ordering::Relaxed) == 0 {
            stream.create();
        }
        stream
    }

    /// Takes a stream back.
    pub fn give_back(&self, stream: &'static dyn Stream) {
        let address = std::ptr::from_ref(stream).cast::<u8>();
        let ours = self.all.with(|all| all.iter().copied().find(|ours| std::ptr::from_ref(*ours).cast() == address));
        if let Some(ours) = ours {
            self.free.with(|free| free.push(ours));
        }
    }

    fn all(&self) -> Vec<&'static CudaStream> {
        self.all.with(|all| all.clone())
    }

    /// Whether nothing is under way in any of them. The caller has entered the context.
    pub fn are_idle(&self, api: &Api) -> bool {
        self.all().iter().all(|stream| {
            let queue = stream.queue.load(Ordering::Relaxed);
            // SAFETY: the stream's own, which is not destroyed before the device is closed.
            queue == 0 || !matches!(unsafe { api.stream_query(queue) }, Err(fault) if fault.is_not_ready())
        })
    }

    /// Destroys what the driver has made for them. Nothing is under way. The caller has entered the context.
    pub fn close(&self, api: &Api) {
        for stream in self.all() {
            let queue = stream.queue.swap(0, Ordering::Relaxed);
            let event = stream.state.with(|state| std::mem::take(&mut state.event));
            // SAFETY: nobody uses them any more. What cannot be destroyed goes with the context.
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

    /// In a forked child: what the driver has made is not there, and what was queued will never be done.
    pub fn after_fork(&self) {
        self.all.force_open();
        self.free.renew_after_fork();
        let all = self.all();
        for stream in &all {
            stream.queue.store(0, Ordering::Relaxed);
            stream.done.store(stream.queued.load(Ordering::Relaxed), Ordering::Relaxed);
            stream.state.renew_after_fork();
        }
        self.free.with(|free| free.extend(all));
    }
}

impl CudaStream {
    #[cold]
    fn create(&self) {
        let mut queue: Queue = 0;
        // SAFETY: writes the stream's address.
        let made = self.device.inside(|api| unsafe { api.stream_create(&raw mut queue, api::NON_BLOCKING) });
        match made {
            Ok(()) => self.queue.store(queue, Ordering::Relaxed),
            Err(fault) => self.state.with(|state| state.fail(fault.to_string(), None)),
        }
    }

    /// Queues an operation. If that fails, or something before it has, [`Stream::wait`] tells; `what` says of which
    /// operation.
    fn queue(
        &self,
        transfer: Option<(Note, Address, Address, usize)>,
        host: Option<usize>,
        what: impl FnOnce() -> String,
        operation: impl FnOnce(&Api, Queue) -> Result<(), Fault>,
    ) {
        self.state.with(|state| {
            if state.failure.is_some() {
                return;
            }
            let queue = self.queue.load(Ordering::Relaxed);
            let done = self.device.inside(|api| {
                let started = transfer.and_then(|(note, ..)| Traced::transfer_begins(self.device, api, queue, &note));
                operation(api, queue)?;
                if let (Some(started), Some((note, from, to, bytes))) = (started, transfer) {
                    state.traced.extend(started.transfer_ends(self.device, api, queue, note, (from, to), bytes));
                }
                Ok(())
            });
            match done {
                Ok(()) => self.has_queued(),
                Err(fault) => state.fail(self.explained(state, fault, &what()), host),
            }
        });
    }

    /// An operation has been queued. Counted after that, so that nobody who waits for the stream takes it for complete.
    fn has_queued(&self) {
        self.queued.fetch_add(1, Ordering::Release);
    }

    /// What is said of a fault: which call, for what, what the driver calls it, and what may be to blame.
    fn explained(&self, state: &State, fault: Fault, what: &str) -> String {
        let text = fault.to_string();
        let reason = text.strip_prefix(fault.call).unwrap_or(&text);
        let mut text = format!("{}{what}{reason}", fault.call);
        if fault.is_final()
            && let Some(kernel) = state.kernel
        {
            text += &format!(", after the kernel '{}'", kernel.name.to_string_lossy());
        }
        text
    }

    /// Waits until all that has been queued so far is complete, for another stream. Whoever has this one learns of
    /// errors.
    fn await_for_other(&self) {
        let position = self.queued.load(Ordering::Acquire);
        let queue = self.queue.load(Ordering::Relaxed);
        // SAFETY: the stream is not destroyed before the device is closed.
        if queue != 0 && self.device.inside(|api| unsafe { api.stream_synchronize(queue) }).is_ok() {
            self.done.fetch_max(position, Ordering::Release);
        }
    }

    /// Has this stream wait, on the device, for all that has been queued in the other.
    fn follow(&self, other: &CudaStream) {
        let before = other.queue.load(Ordering::Relaxed);
        self.state.with(|state| {
            let queue = self.queue.load(Ordering::Relaxed);
            if state.failure.is_some() || queue == 0 || before == 0 {
                return;
            }
            // SAFETY: the event is the stream's own; both streams are there until the device is closed.
            let done = self.device.inside(|api| unsafe {
                if state.event == 0 {
                    api.event_create(&raw mut state.event, api::UNTIMED)?;
                }
                api.event_record(state.event, before)?;
                api.stream_wait(queue, state.event, 0)
            });
            if let Err(fault) = done {
                state.fail(self.explained(state, fault, ""), None);
            }
        });
    }

    /// Launches a kernel; what the fault was, otherwise, and of what.
    fn launch_in(&self, state: &mut State, api: &Api, launch: &Launch, note: Note) -> Result<(), Fault> {
        // SAFETY: kernels of this driver are such, and live for ever.
        let kernel = unsafe { &*(launch.kernel.0 as *const Kernel) };
        let queue = self.queue.load(Ordering::Relaxed);
        let shape = kernel.shape(launch, &self.device.limits());
        state.arguments.clear();
        state.arguments.extend_from_slice(launch.arguments);
        let drivers = launch.convention.leading();
        if drivers > 0 {
            let environment = self.environment(&mut state.reduction, api, queue, kernel)?;
            state.arguments[..drivers].fill(environment);
        }
        if Kernel::is_large(launch.dynamic_memory) {
            let bytes = i32::try_from(launch.dynamic_memory).unwrap_or(i32::MAX);
            // SAFETY: a function of a module that is loaded.
            unsafe { api.set_function_attribute(kernel.function, api::DYNAMIC_MEMORY, bytes)? };
        }
        let started = Traced::kernel_begins(self.device, api, queue, &note);
        let mut bytes = size_of_val(state.arguments.as_slice());
        let mut extra: [*mut c_void; 5] = [
            api::ARGUMENTS as *mut c_void,
            state.arguments.as_mut_ptr().cast(),
            api::ARGUMENTS_BYTES as *mut c_void,
            (&raw mut bytes).cast(),
            api::ARGUMENTS_END as *mut c_void,
        ];
        let extra = if bytes == 0 { std::ptr::null_mut() } else { extra.as_mut_ptr() };
        let memory = launch.dynamic_memory;
        let (blocks, threads) = (shape.blocks, shape.threads);
        // SAFETY: the arguments are the kernel's; the driver copies them.
        unsafe {
            api.launch(kernel.function, blocks, 1, 1, threads, 1, 1, memory, queue, std::ptr::null_mut(), extra)?
        };
        state.kernel = Some(kernel);
        if let Some(started) = started {
            let teams = trace::Teams { requested: launch.num_teams, granted: shape.blocks, limit: launch.thread_limit };
            let ended = started.kernel_ends(self.device, api, queue, note, teams, kernel.function);
            state.traced.extend(ended);
        }
        Ok(())
    }

    /// What the kernel gets for a reduction over teams.
    fn environment(&self, reduction: &mut Reduction, api: &Api, queue: Queue, kernel: &Kernel) -> Result<usize, Fault> {
        let bytes = kernel.reduction_bytes();
        if bytes == 0 {
            return Ok(NO_ENVIRONMENT);
        }
        if reduction.bytes < bytes {
            if reduction.there != 0 {
                reduction.old.push((reduction.there, reduction.bytes + BUFFER));
            }
            (reduction.there, reduction.bytes) = (0, 0);
            reduction.there = self.device.memory.allocate(api, bytes + BUFFER)?;
            reduction.bytes = bytes;
            *reduction.header = [0, reduction.there + BUFFER];
        }
        let header = reduction.header.as_ptr().cast();
        // SAFETY: the header stays where it is, and there is room for it.
        unsafe { api.copy_to(reduction.there, header, size_of_val(&*reduction.header), queue)? };
        Ok(reduction.there)
    }
}

impl State {
    fn fail(&mut self, text: String, host: Option<usize>) {
        self.failure.get_or_insert(Failure { text, host });
    }

    /// What is said of it. There are no records of what came before, as nobody knows how far that got.
    fn tell(&mut self, failure: Failure) -> String {
        self.traced.clear();
        self.culprit = failure.host;
        failure.text
    }
}

/// The stream that a mark is of.
fn of(mark: Mark) -> Option<&'static CudaStream> {
    // SAFETY: marks of this driver's devices have the address of a stream, and streams live for ever.
    unsafe { (mark.stream as *const CudaStream).as_ref() }
}

/// Called by the driver when all is complete that was queued before.
unsafe extern "C" fn completed(_: Queue, _: api::Status, job: *mut c_void) {
    // SAFETY: `then` has passed a job, for this call alone.
    helper::post(*unsafe { Box::from_raw(job.cast::<Job>()) });
}

impl Stream for CudaStream {
    unsafe fn transfer(&self, direction: Direction, device: Address, host: *mut u8, bytes: usize, note: Note) {
        let at = host as usize;
        let to_device = direction == Direction::ToDevice;
        let (from, to) = if to_device { (at, device) } else { (device, at) };
        // SAFETY: the caller's.
        self.queue(
            Some((note, from, to, bytes)),
            Some(at),
            || format!(" of {bytes} bytes"),
            |api, queue| unsafe {
                match direction {
                    Direction::ToDevice => api.copy_to(device, host.cast(), bytes, queue),
                    Direction::FromDevice => api.copy_from(host.cast(), device, bytes, queue),
                }
            },
        );
    }

    unsafe fn within(&self, to: Address, from: Address, bytes: usize, note: Note) {
        let overlap = to.abs_diff(from) < bytes;
        self.queue(
            Some((note, from, to, bytes)),
            None,
            || format!(" of {bytes} bytes"),
            |api, queue| {
                if !overlap {
                    // SAFETY: the caller's.
                    return unsafe { api.copy_within(to, from, bytes, queue) };
                }
                // By way of other memory, because the driver does not know ranges that overlap.
                let other = self.device.memory.allocate(api, bytes)?;
                // SAFETY: the caller's; the memory between is this call's own until both copies are complete.
                unsafe {
                    let done = api
                        .copy_within(other, from, bytes, queue)
                        .and_then(|()| api.copy_within(to, other, bytes, queue))
                        .and_then(|()| api.stream_synchronize(queue));
                    self.device.memory.free(api, other, bytes);
                    done
                }
            },
        );
    }

    unsafe fn across(&self, other: &dyn Driver, to: Address, from: Address, bytes: usize, note: Note) -> bool {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref::<NvidiaDevice>() else { return false };
        let (there, here) = (other.context(), self.device.context());
        self.queue(
            Some((note, from, to, bytes)),
            None,
            || format!(" of {bytes} bytes"),
            |api, queue| {
                // SAFETY: the caller's; both devices are open.
                unsafe { api.copy_between(to, there, from, here, bytes, queue) }
            },
        );
        true
    }

    unsafe fn fill(&self, to: Address, value: u8, bytes: usize, _: Note) {
        // SAFETY: the caller's.
        self.queue(
            None,
            None,
            || format!(" of {bytes} bytes"),
            |api, queue| unsafe { api.fill(to, value, bytes, queue) },
        );
    }

    unsafe fn launch(&self, launch: &Launch, note: Note) -> Result<(), String> {
        self.state.with(|state| {
            if let Some(failure) = state.failure.take() {
                return Err(state.tell(failure));
            }
            let launched = self.device.inside(|api| self.launch_in(state, api, launch, note));
            launched.map(|()| self.has_queued()).map_err(|fault| {
                // SAFETY: as in `launch_in`.
                let kernel = unsafe { &*(launch.kernel.0 as *const Kernel) };
                self.explained(state, fault, &format!(" for the kernel '{}'", kernel.name.to_string_lossy()))
            })
        })
    }

    fn mark(&self) -> Mark {
        Mark { stream: std::ptr::from_ref(self) as usize, position: self.queued.load(Ordering::Relaxed) }
    }

    fn after(&self, mark: Mark) {
        let Some(other) = of(mark).filter(|other| !std::ptr::eq(*other, self)) else { return };
        // Acquire: what the operations did is seen.
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
        let queue = self.queue.load(Ordering::Relaxed);
        if queue == 0 {
            return helper::post(job);
        }
        let data = Box::into_raw(Box::new(job)).cast::<c_void>();
        // SAFETY: the data is a job, which the callback takes.
        if let Err(fault) = self.device.inside(|api| unsafe { api.stream_callback(queue, completed, data, 0) }) {
            // The job's own waiting tells of it.
            self.state.with(|state| state.fail(self.explained(state, fault, ""), None));
            // SAFETY: the driver has not taken it.
            helper::post(*unsafe { Box::from_raw(data.cast::<Job>()) });
        }
    }

    fn wait(&self) -> Result<(), String> {
        self.state.with(|state| {
            let queued = self.queued.load(Ordering::Relaxed);
            if state.failure.is_none() && self.done.load(Ordering::Relaxed) == queued && state.traced.is_empty() {
                return Ok(());
            }
            let queue = self.queue.load(Ordering::Relaxed);
            let waited = self.device.inside(|api| {
                if queue != 0 {
                    // SAFETY: the stream is the caller's.
                    unsafe { api.stream_synchronize(queue)? };
                }
                Traced::write_all(&mut state.traced, self.device, api);
                for (block, bytes) in state.reduction.old.drain(..) {
                    // SAFETY: no kernel uses it any more.
                    unsafe { self.device.memory.free(api, block, bytes) };
                }
                Ok(())
            });
            if let Err(fault) = waited {
                state.fail(self.explained(state, fault, ""), None);
            }
            self.done.store(queued, Ordering::Release);
            state.kernel = None;
            match state.failure.take() {
                None => Ok(()),
                Some(failure) => Err(state.tell(failure)),
            }
        })
    }

    fn culprit(&self) -> Option<usize> {
        self.state.with(|state| state.culprit.take())
    }

    fn foreign(&self) -> Option<usize> {
        Some(self.queue.load(Ordering::Relaxed)).filter(|&queue| queue != 0)
    }
}
