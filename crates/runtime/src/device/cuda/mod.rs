//! NVIDIA devices, over the CUDA driver's own interface, which is loaded when a program brings code for them (OpenMP
//! 5.1 §1.2.1, §2.14).
//!
//! | file | what |
//! | --- | --- |
//! | `api.rs` | the driver's functions, and its errors |
//! | `image.rs` | images in the program: for which processors, and what variables begin with |
//! | `module.rs` | images on a device |
//! | `kernel.rs` | how many teams and threads a kernel gets |
//! | `stream.rs` | streams, their order, and completion |
//! | `memory.rs` | memory |
//! | `clock.rs`, `record.rs` | the device's time, and records of what it has done |
//!
//! `README.md` says how these go together.

mod api;
mod clock;
mod image;
mod kernel;
mod memory;
mod module;
mod record;
mod stream;

use super::driver::{Address, Convention, Driver, Foreign, Kernel, Module, Space, Stream};
use super::images;
use crate::icv;
use crate::model::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};
use crate::park::mutex::Mutex;
use crate::warnings;
use api::{Api, Context, Fault, Ordinal, Queue, attribute};
use clock::Clock;
use image::Image;
use kernel::Limits;
use memory::Memory;
use module::Loaded;
use std::ffi::{CStr, CString, c_int, c_uint, c_void};
use std::sync::OnceLock;
use std::time::Duration;
use stream::Streams;

/// One NVIDIA device. It lives for ever.
pub struct NvidiaDevice {
    api: &'static Api,
    /// The driver's, and OpenMP's number for it; the latter is -1 until a program brings code for it.
    ordinal: Ordinal,
    number: AtomicI32,
    kind: &'static CStr,
    /// As messages call it.
    name: String,
    capability: (u32, u32),
    limits: Limits,
    shares_memory: bool,
    /// Bytes of memory that a block can have for itself.
    team_memory: usize,
    /// 0 while the device is not open.
    context: AtomicUsize,
    /// Something went wrong on it after which it cannot be used.
    lost: AtomicBool,
    /// What the last allocation that failed has reported.
    refused: Mutex<Option<String>>,
    memory: Memory,
    streams: Streams,
    clock: Clock,
}

/// What tools are told of tracing these devices.
const DOCUMENTATION: &CStr = crate::ompt::trace::NVIDIA_DOCUMENTATION;

/// All that the driver has; none where there is no driver.
fn all() -> &'static [&'static NvidiaDevice] {
    static ALL: OnceLock<Vec<&'static NvidiaDevice>> = OnceLock::new();
    let Ok(api) = api::api() else { return &[] };
    ALL.get_or_init(|| {
        let mut count: c_int = 0;
        // SAFETY: writes one number.
        let counted = unsafe { api.device_count(&raw mut count) };
        let count = if counted.is_ok() { count } else { 0 };
        (0..count).filter_map(|ordinal| NvidiaDevice::new(api, ordinal).ok().flatten()).collect()
    })
}

/// Whether an image is for some NVIDIA device or other.
pub fn is_ours(image: &[u8]) -> bool {
    Image::new(image).is_some()
}

/// Those devices that programs have brought code for. The driver is loaded only if there is such code at all.
pub fn wanted() -> impl Iterator<Item = &'static NvidiaDevice> {
    let all = if images::any(is_ours) && !images::reverse_offload() { all() } else { &[] };
    all.iter().copied().filter(|device| images::any(|image| device.accepts(image)))
}

/// How many devices there are for the programs that have been registered so far.
pub fn expected() -> u32 {
    wanted().count() as u32
}

/// Calls `add` with each device that a program has brought code for since the last time; what it answers is the
/// device's number. One thread at a time.
pub fn each_new(mut add: impl FnMut(&'static dyn Driver) -> i32) {
    wanted().for_each(|device| device.add_once(&mut add));
}

/// Why there is none of these devices, where a program has brought code for them and they have been looked for.
pub fn trouble() -> Option<String> {
    if !images::any(is_ours) || images::reverse_offload() {
        return None;
    }
    if let Some(why) = api::trouble() {
        return Some(why.into());
    }
    let there = all().iter().map(|device| device.name.as_str()).collect::<Vec<_>>();
    let none_fits = expected() == 0;
    none_fits.then(|| match there.is_empty() {
        true => String::from("libcuda.so.1 knows no device that can be used"),
        false => format!("the program's code is not for {}", there.join(", ")),
    })
}

/// In a forked child.
pub fn after_fork() {
    api::after_fork();
}

impl NvidiaDevice {
    /// A device by its number in the driver; none if it must not be used.
    fn new(api: &'static Api, ordinal: c_int) -> Result<Option<&'static Self>, Fault> {
        let mut device: Ordinal = 0;
        let mut name = [0_u8; 256];
        // SAFETY: writes the device, and a string of so many bytes at most.
        unsafe {
            api.device(&raw mut device, ordinal)?;
            api.device_name(name.as_mut_ptr().cast(), name.len() as c_int, device)?;
        }
        let of = |which| api.attribute(device, which);
        let number = |which| of(which).map(|number| u32::try_from(number).unwrap_or(0));
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
        let has = |which| of(which).is_ok_and(|has| has != 0);
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy();
        let maker = if name.starts_with("NVIDIA") { "" } else { "NVIDIA " };
        let (model, code) = (name.replace(';', ","), format!("sm_{}{}", capability.0, capability.1));
        let kind = CString::new(format!("NVIDIA;{model};{code}")).unwrap_or_default();
        Ok(Some(Box::leak(Box::new(NvidiaDevice {
            api,
            ordinal: device,
            number: AtomicI32::new(-1),
            kind: Box::leak(kind.into_boxed_c_str()),
            name: format!("{maker}{name} {code}"),
            capability,
            limits,
            team_memory: number(attribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN).unwrap_or(0) as usize,
            shares_memory: has(attribute::PAGEABLE_MEMORY_ACCESS) && has(attribute::CONCURRENT_MANAGED_ACCESS),
            context: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
            refused: Mutex::new(None),
            memory: Memory::new(),
            streams: Streams::new(),
            clock: Clock::new(),
        }))))
    }

    /// Calls `add` with the device if it has no number yet; what it answers is the number. One thread at a time.
    pub fn add_once(&'static self, mut add: impl FnMut(&'static dyn Driver) -> i32) {
        if self.number() < 0 {
            self.number.store(add(self), Ordering::Release);
        }
    }

    fn number(&self) -> i32 {
        self.number.load(Ordering::Acquire)
    }

    /// What it can do, and what its ICVs ask of it.
    fn limits(&self) -> Limits {
        let number = self.number();
        let (teams, threads) = (icv::num_teams(number), icv::teams_thread_limit(number));
        Limits { teams_wanted: teams.unsigned_abs(), threads_wanted: threads.unsigned_abs(), ..self.limits }
    }

    fn context(&self) -> Context {
        self.context.load(Ordering::Acquire)
    }

    /// Calls `body` with the driver's functions, which are about this device meanwhile.
    fn inside<R>(&self, body: impl FnOnce(&'static Api) -> Result<R, Fault>) -> Result<R, Fault> {
        let done = self.api.enter(self.context()).and_then(|_inside| body(self.api));
        if let Err(fault) = &done
            && fault.is_final()
        {
            self.lost.store(true, Ordering::Relaxed);
        }
        done
    }

    fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Does something in a stream of its own, and waits for it. The caller has entered the context.
    fn alone(&self, api: &Api, body: impl FnOnce(Queue) -> Result<(), Fault>) -> Result<(), Fault> {
        let mut queue: Queue = 0;
        // SAFETY: the stream is made and destroyed here.
        unsafe {
            api.stream_create(&raw mut queue, api::NON_BLOCKING)?;
            let done = body(queue).and_then(|()| api.stream_synchronize(queue));
            done.and(api.stream_destroy(queue))
        }
    }

    /// Copies to the device, now.
    ///
    /// # Safety
    /// Both are there.
    unsafe fn copy_to(&self, api: &Api, to: Address, from: *const c_void, bytes: usize) -> Result<(), Fault> {
        // SAFETY: the caller's.
        self.alone(api, |queue| unsafe { api.copy_to(to, from, bytes, queue) })
    }

    /// Copies from the device, now.
    ///
    /// # Safety
    /// Both are there.
    unsafe fn copy_from(&self, api: &Api, to: *mut c_void, from: Address, bytes: usize) -> Result<(), Fault> {
        // SAFETY: the caller's.
        self.alone(api, |queue| unsafe { api.copy_from(to, from, bytes, queue) })
    }

    fn open_context(&self) -> Result<(), Fault> {
        let (mut flags, mut active): (c_uint, c_int) = (0, 0);
        let (mut context, mut bytes): (Context, usize) = (0, 0);
        // SAFETY: each call writes to the places that it takes.
        unsafe {
            self.api.context_state(self.ordinal, &raw mut flags, &raw mut active)?;
            if active == 0 {
                // Others of the program's threads need the processors meanwhile.
                self.api.context_flags(self.ordinal, api::BLOCKING)?;
            }
            self.api.device_memory(&raw mut bytes, self.ordinal)?;
            self.api.context_retain(&raw mut context, self.ordinal)?;
        }
        self.memory.set_size(bytes);
        self.context.store(context, Ordering::Release);
        Ok(())
    }

    /// What has a name in an image. Where the driver fails, and not only finds that there is none, that is said.
    fn found<T>(&self, found: Result<Option<T>, Fault>, name: &CStr) -> Option<T> {
        found.unwrap_or_else(|fault| {
            if !fault.is_not_found() {
                let number = self.number();
                warnings::warn(&format!(
                    "ferromp: device {number}: '{}' cannot be used ({fault})\n",
                    name.to_string_lossy()
                ));
            }
            None
        })
    }

    fn try_allocate(&self, api: &Api, bytes: usize, space: Space) -> Result<Address, Fault> {
        let mut address: Address = 0;
        // SAFETY: each call writes an address.
        unsafe {
            match space {
                Space::Device => return self.memory.allocate(api, bytes),
                Space::Host => api.allocate_host((&raw mut address).cast(), bytes)?,
                Space::Shared => api.allocate_managed(&raw mut address, bytes, api::ATTACH_GLOBAL)?,
            }
        }
        Ok(address)
    }
}

/// What the driver handed out for a module.
fn loaded(module: Module) -> Option<&'static Loaded> {
    // SAFETY: 0, or what `load` has made; `unload` is the last to see it.
    unsafe { (module.0 as *const Loaded).as_ref() }
}

impl Driver for NvidiaDevice {
    fn kind(&self) -> &'static CStr {
        self.kind
    }

    /// As NVIDIA's own tools write it.
    fn identifier(&self) -> Option<CString> {
        let mut bytes = [0; 16];
        // SAFETY: there is room for what is written.
        unsafe { self.api.device_identifier(&raw mut bytes, self.ordinal) }.ok()?;
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let [a, b, c, d, e] = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        CString::new(format!("GPU-{a}-{b}-{c}-{d}-{e}")).ok()
    }

    fn documentation(&self) -> &'static CStr {
        DOCUMENTATION
    }

    fn accepts(&self, image: &[u8]) -> bool {
        Image::new(image).is_some_and(|image| image.runs_on(self.capability.0, self.capability.1))
    }

    fn takes(&self, convention: Convention) -> bool {
        // What the driver tells such code has another layout, as has what the compiler notes of kernels.
        convention != Convention::DriversLast
    }

    fn most_team_memory(&self) -> usize {
        self.team_memory
    }

    fn open(&self) -> Result<(), String> {
        api::api()?;
        if images::unified_shared_memory() && !self.shares_memory {
            return Err(format!("the program requires unified shared memory, which {} has not", self.name));
        }
        self.open_context().map_err(|fault| fault.to_string())
    }

    fn close(&self) {
        if self.context() == 0 {
            return;
        }
        if !self.is_idle() {
            // The process ends, and with it what its threads are still waiting for.
            return;
        }
        if !self.is_lost() {
            let _ = self.inside(|api| {
                self.streams.close(api);
                self.clock.close(api);
                self.memory.release(api);
                Ok(())
            });
        }
        self.context.store(0, Ordering::Release);
        // SAFETY: retained once by `open`.
        let _ = unsafe { self.api.context_release(self.ordinal) };
    }

    fn is_idle(&self) -> bool {
        // A callback that has done its work may still have to return.
        const TRIES: u32 = 50;
        (0..TRIES).any(|_| {
            let idle = self.is_lost() || self.inside(|api| Ok(self.streams.are_idle(api))).unwrap_or(true);
            if !idle {
                std::thread::sleep(Duration::from_millis(1));
            }
            idle
        })
    }

    fn pause(&self) {
        if !self.is_lost() {
            let _ = self.inside(|api| {
                self.memory.release(api);
                Ok(())
            });
        }
    }

    fn rest(&self) {
        // The driver's threads are not ours, and do not wait for work of ours.
    }

    fn after_fork(&self) -> bool {
        self.context.store(0, Ordering::Relaxed);
        self.refused.renew_after_fork();
        self.memory.forget();
        self.streams.after_fork();
        self.clock.forget();
        false
    }

    fn load(&self, image: &[u8]) -> Result<Module, String> {
        let mut result = Err(String::new());
        let entered = self.inside(|api| {
            result = Loaded::new(self, api, image);
            Ok(())
        });
        entered.map_err(|fault| fault.to_string())?;
        result.map(|loaded| Module(Box::into_raw(Box::new(loaded)) as usize))
    }

    fn unload(&self, module: Module) {
        if module.0 == 0 {
            return;
        }
        // SAFETY: what `load` has made, unloaded once.
        let loaded = unsafe { Box::from_raw(module.0 as *mut Loaded) };
        if !self.is_lost() && self.context() != 0 {
            // What was under way is complete; what cannot be unloaded goes with the context.
            let _ = self.inside(|api| loaded.unload(self, api));
        }
    }

    fn address(&self, _: Module) -> Option<Address> {
        None
    }

    fn symbol(&self, module: Module, name: &CStr) -> Option<(Address, usize)> {
        let found = self.inside(|api| loaded(module).map(|loaded| loaded.global(api, name)).transpose());
        self.found(found, name)
    }

    fn kernel(&self, module: Module, name: &CStr) -> Option<Kernel> {
        let found = self.inside(|api| loaded(module).map(|loaded| loaded.kernel(api, name)).transpose());
        self.found(found, name).map(|kernel| Kernel(std::ptr::from_ref(kernel) as usize))
    }

    fn functions(&self, module: Module, functions: &[(usize, Address)]) -> Result<(), String> {
        let Some(loaded) = loaded(module).filter(|_| !functions.is_empty()) else { return Ok(()) };
        let done = self.inside(|api| loaded.write_functions(self, api, functions));
        done.map_err(|fault| fault.to_string())
    }

    fn allocate(&self, bytes: usize, space: Space) -> Option<Address> {
        match self.inside(|api| self.try_allocate(api, bytes, space)) {
            Ok(address) => Some(address),
            Err(fault) => {
                self.refused.with(|refused| *refused = Some(fault.to_string()));
                None
            }
        }
    }

    fn refused(&self) -> Option<String> {
        self.refused.with(Option::take)
    }

    unsafe fn free(&self, memory: Address, bytes: usize, space: Space) {
        if self.is_lost() {
            return;
        }
        // SAFETY: the caller's. What cannot be freed is lost.
        let _ = self.inside(|api| unsafe {
            match space {
                Space::Device => self.memory.free(api, memory, bytes),
                Space::Host => api.free_host(memory as *mut c_void)?,
                Space::Shared => api.free(memory)?,
            }
            Ok(())
        });
    }

    fn shares_memory(&self) -> bool {
        self.shares_memory
    }

    fn queues(&self) -> bool {
        true
    }

    fn stream(&self, asynchronous: bool) -> &'static dyn Stream {
        // SAFETY: devices are made by `new`, and live for ever.
        let device = unsafe { &*std::ptr::from_ref(self) };
        self.streams.take(device, asynchronous)
    }

    fn give_back(&self, stream: &'static dyn Stream) {
        self.streams.give_back(stream);
    }

    fn processors(&self) -> i32 {
        i32::try_from(self.limits.processors).unwrap_or(i32::MAX)
    }

    fn time(&self) -> u64 {
        if self.context() != 0 && !self.is_lost() {
            // Where nothing has been compared yet, the host's clock would be told for the device's.
            let _ = self.inside(|api| self.clock.anchor(api));
        }
        self.clock.now()
    }

    fn to_wtime(&self, time: u64) -> f64 {
        self.clock.to_host(time) as f64 * 1e-9
    }

    fn foreign(&self) -> Option<Foreign> {
        Some(Foreign {
            runtime: Foreign::CUDA_DRIVER,
            name: c"cuda_driver",
            vendor: c"nvidia",
            device: self.ordinal as usize,
            context: self.context(),
        })
    }
}
