//! One NVIDIA device as its streams and images need it: what the driver says of the device, its context, memory and
//! clock.

use super::clock::Clock;
use super::kernel::Limits;
use crate::device::blocks::{Class, Kept, Source};
use crate::device::driver::{Abilities, Address};
use crate::icv;
use crate::model::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use crate::ompt::trace;
use crate::warnings::warn;
use cuda_driver::{self as api, Api, Context, Fault, Ordinal, Queue, attribute};
use std::ffi::{CStr, CString, c_int, c_uint, c_void};

/// What a kernel's threads have of memory besides the program's, with the variable of LLVM's offload runtime that sets
/// the bytes. The driver gives a thread 1 KiB of stack, and all kernels together 8 MiB of heap (`malloc`).
const LIMITS: [(c_int, &str); 2] = [(api::STACK, "LIBOMPTARGET_STACK_SIZE"), (api::HEAP, "LIBOMPTARGET_HEAP_SIZE")];

/// An NVIDIA device. It lives for ever.
pub struct Gpu {
    pub api: &'static Api,
    /// The driver's number for the device.
    pub ordinal: Ordinal,
    /// OpenMP's number for the device; -1 until a program brings code for the device.
    number: AtomicI32,
    /// Vendor, model and processor, for tools.
    pub kind: CString,
    /// The device's name in messages.
    pub name: String,
    /// The compute capability, major and minor number.
    pub capability: (u32, u32),
    pub limits: Limits,
    pub abilities: Abilities,
    /// 0 while the device is not open.
    context: AtomicUsize,
    /// Whether the device has reported an error after which it cannot be used.
    lost: AtomicBool,
    /// Memory that has been given back.
    pub kept: Kept,
    pub clock: Clock,
}

impl Gpu {
    /// A device by its number in the driver; `None` if programs must not use the device.
    pub fn new(api: &'static Api, ordinal: c_int) -> Result<Option<Self>, Fault> {
        let mut name = [0_u8; 256];
        // SAFETY: writes a string of at most the given size.
        let device = unsafe {
            let device = api.device(ordinal)?;
            api.device_name(name.as_mut_ptr().cast(), name.len() as c_int, device)?;
            device
        };
        // SAFETY: the device is the driver's.
        let of = |which| unsafe { api.device_attribute(which, device) };
        let number = |which| of(which).map(|number| u32::try_from(number).unwrap_or(0));
        let has = |which| of(which).is_ok_and(|has| has != 0);
        if of(attribute::COMPUTE_MODE)? == api::PROHIBITED {
            return Ok(None);
        }
        let capability = (number(attribute::COMPUTE_CAPABILITY_MAJOR)?, number(attribute::COMPUTE_CAPABILITY_MINOR)?);
        let limits = Limits {
            warp: number(attribute::WARP_SIZE)?,
            threads: number(attribute::MAX_BLOCK_DIM_X)?,
            blocks: number(attribute::MAX_GRID_DIM_X)?,
            processors: number(attribute::MULTIPROCESSOR_COUNT)?,
            threads_of_processor: number(attribute::MAX_THREADS_PER_MULTIPROCESSOR)?,
            teams_wanted: 0,
            threads_wanted: 0,
        };
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy();
        let maker = if name.starts_with("NVIDIA") { "" } else { "NVIDIA " };
        let (model, code) = (name.replace(';', ","), format!("sm_{}{}", capability.0, capability.1));
        Ok(Some(Gpu {
            api,
            ordinal: device,
            number: AtomicI32::new(-1),
            kind: CString::new(format!("NVIDIA;{model};{code}")).unwrap_or_default(),
            name: format!("{maker}{name} {code}"),
            capability,
            limits,
            abilities: Abilities {
                documentation: trace::NVIDIA_DOCUMENTATION,
                team_memory: number(attribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0) as usize,
                shares_memory: has(attribute::PAGEABLE_MEMORY_ACCESS) && has(attribute::CONCURRENT_MANAGED_ACCESS),
                // The driver's message to such code, and the compiler's notes on kernels, have another layout.
                takes_list: false,
                queues: true,
                copied_by_processor: false,
            },
            context: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
            kept: Kept::new(),
            clock: Clock::new(),
        }))
    }

    pub fn number(&self) -> i32 {
        self.number.load(Ordering::Acquire)
    }

    pub fn set_number(&self, number: i32) {
        self.number.store(number, Ordering::Release);
    }

    /// The limits with the device's ICVs of now.
    pub fn limits(&self) -> Limits {
        let number = self.number();
        let (teams, threads) = (icv::NUM_TEAMS.get(number), icv::TEAMS_THREAD_LIMIT.get(number));
        Limits { teams_wanted: teams.unsigned_abs(), threads_wanted: threads.unsigned_abs(), ..self.limits }
    }

    pub fn context(&self) -> Context {
        self.context.load(Ordering::Acquire)
    }

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Calls `body` with the device's context as the calling thread's current one.
    pub fn inside<R>(&self, body: impl FnOnce(&'static Api) -> Result<R, Fault>) -> Result<R, Fault> {
        let done = self.api.within(self.context(), || body(self.api));
        if let Err(fault) = &done
            && fault.is_final()
        {
            self.lost.store(true, Ordering::Relaxed);
        }
        done
    }

    /// As [`inside`](Self::inside), while the device can be used. What fails is lost.
    pub fn try_inside(&self, body: impl FnOnce(&'static Api) -> Result<(), Fault>) {
        if self.context() != 0 && !self.is_lost() {
            let _ = self.inside(body);
        }
    }

    /// Opens the device: retains its primary context.
    pub fn open(&self) -> Result<(), Fault> {
        let (mut flags, mut active): (c_uint, c_int) = (0, 0);
        // SAFETY: the device is the driver's; the first call writes to the two places.
        let (bytes, context) = unsafe {
            self.api.context_state(self.ordinal, &raw mut flags, &raw mut active)?;
            if active == 0 {
                // The driver's own waits, inside of copies, are short. The runtime's wait sleeps (`stream.rs`).
                self.api.context_flags(self.ordinal, api::SPINNING)?;
            }
            (self.api.device_memory(self.ordinal)?, self.api.context_retain(self.ordinal)?)
        };
        self.kept.set_most(bytes / 4);
        self.context.store(context, Ordering::Release);
        self.set_limits();
        Ok(())
    }

    /// Sets the stack and the heap of kernels that the user wants. What is impossible is told, and stays as it was.
    fn set_limits(&self) {
        for (limit, variable) in LIMITS {
            let Ok(text) = std::env::var(variable) else { continue };
            let why = match text.trim().parse() {
                // SAFETY: `inside` has entered the context.
                Ok(bytes) => match self.inside(|api| unsafe { api.context_limit(limit, bytes) }) {
                    Ok(()) => continue,
                    Err(fault) => fault.to_string(),
                },
                Err(_) => String::from("not a number of bytes"),
            };
            warn(&format!("ferromp: {variable}='{text}': {why}; {} keeps what the driver gives\n", self.name));
        }
    }

    /// Closes the device: releases the context that [`open`](Self::open) has retained.
    pub fn close(&self) {
        self.context.store(0, Ordering::Release);
        // SAFETY: retained once by `open`.
        let _ = unsafe { self.api.context_release(self.ordinal) };
    }

    /// In a forked child, where the context and all that is in it do not exist.
    pub fn after_fork(&self) {
        self.context.store(0, Ordering::Relaxed);
        self.kept.after_fork(true);
        self.clock.forget();
    }

    /// Allocates the device's memory. The caller has entered the context.
    pub fn allocate(&self, bytes: usize) -> Result<Address, Fault> {
        let class = Class::of(bytes).ok_or(Fault { call: "cuMemAlloc_v2", status: api::OUT_OF_MEMORY })?;
        self.kept.allocate(self.api, class)
    }

    /// Frees memory of [`allocate`](Self::allocate). The caller has entered the context.
    ///
    /// # Safety
    /// The block is from [`allocate`](Self::allocate) for the same size, and no longer used.
    pub unsafe fn free(&self, block: Address, bytes: usize) {
        if let Some(class) = Class::of(bytes) {
            // SAFETY: the caller keeps to the `# Safety` section.
            unsafe { self.kept.free(self.api, block, class) };
        }
    }

    /// Does something in a stream of its own, and waits for it. The caller has entered the context.
    pub fn alone(&self, body: impl FnOnce(Queue) -> Result<(), Fault>) -> Result<(), Fault> {
        // SAFETY: the stream is created and destroyed here.
        unsafe {
            let queue = self.api.stream_create(api::NON_BLOCKING)?;
            let done = body(queue).and_then(|()| self.api.stream_synchronize(queue));
            done.and(self.api.stream_destroy(queue))
        }
    }

    /// Copies words to the device, at once. The caller has entered the context.
    ///
    /// # Safety
    /// Both ranges have `bytes` bytes.
    pub unsafe fn copy_to(&self, to: Address, from: *const c_void, bytes: usize) -> Result<(), Fault> {
        // SAFETY: the caller keeps to the `# Safety` section.
        self.alone(|queue| unsafe { self.api.copy_to(to, from, bytes, queue) })
    }
}

/// The driver's memory. Callers have entered a context.
impl Source for Api {
    type Refusal = Fault;

    fn fresh(&self, bytes: usize) -> Result<Address, Fault> {
        // SAFETY: the caller has entered a context.
        unsafe { self.allocate(bytes) }
    }

    unsafe fn free(&self, block: Address, _: usize) {
        // SAFETY: the caller's. A block that cannot be freed is lost.
        let _ = unsafe { Api::free(self, block) };
    }
}
