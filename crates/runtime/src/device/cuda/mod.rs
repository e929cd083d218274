//! NVIDIA devices, over the CUDA driver's own interface (`crates/cuda-driver`), which is loaded when a program brings
//! code for such devices (OpenMP 5.1 §1.2.1, §2.14).
//!
//! | file | what |
//! | --- | --- |
//! | `device.rs` | what the driver says of a device; its context and memory |
//! | `module.rs` | images on a device |
//! | `kernel.rs` | how many teams and threads a kernel gets |
//! | `stream.rs` | streams, their order, and completion |
//! | `clock.rs`, `record.rs` | the device's time, and records of what the device has done |
//!
//! `README.md` says how these go together.

mod clock;
mod device;
mod kernel;
mod module;
mod record;
mod stream;

use super::driver::{Abilities, Address, Clock, Driver, Foreign, Kernel, Module, Space, Stream};
use super::images;
use super::pool::Pool;
use crate::park::futex;
use crate::park::mutex::Mutex;
use cuda_driver::image::Image;
use cuda_driver::{self as api, Fault};
use device::Gpu;
use module::Loaded;
use std::ffi::{CStr, CString, c_void};
use std::sync::OnceLock;
use std::time::Duration;
use stream::CudaStream;

/// One NVIDIA device as a driver. It lives for ever.
pub struct NvidiaDevice {
    gpu: &'static Gpu,
    streams: &'static Pool<CudaStream>,
    /// The fault of the last allocation that failed.
    refused: Mutex<Option<String>>,
}

/// All devices of the driver; none if there is no driver.
fn all() -> &'static [NvidiaDevice] {
    static ALL: OnceLock<Vec<NvidiaDevice>> = OnceLock::new();
    let Ok(api) = api::api() else { return &[] };
    ALL.get_or_init(|| {
        // SAFETY: the driver has been initialised.
        let count = unsafe { api.device_count() }.unwrap_or(0);
        let usable = (0..count).filter_map(|ordinal| Gpu::new(api, ordinal).ok().flatten());
        let device = |gpu| NvidiaDevice {
            gpu: Box::leak(Box::new(gpu)),
            streams: Box::leak(Box::new(Pool::new())),
            refused: Mutex::new(None),
        };
        usable.map(device).collect()
    })
}

/// Whether an image is for NVIDIA devices.
pub fn is_ours(image: &[u8]) -> bool {
    Image::new(image).is_some()
}

/// The devices that programs have brought code for. The driver is loaded only if there is any code for such devices.
pub fn wanted() -> impl Iterator<Item = &'static NvidiaDevice> {
    let all = if images::any(is_ours) && !images::reverse_offload() { all() } else { &[] };
    all.iter().filter(|device| images::any(|image| device.accepts(image)))
}

/// The reason why there is no NVIDIA device, although a program has brought code for one.
pub fn trouble() -> Option<String> {
    if !images::any(is_ours) || images::reverse_offload() {
        return None;
    }
    if let Some(why) = api::trouble() {
        return Some(why.into());
    }
    let there = all().iter().map(|device| device.gpu.name.as_str()).collect::<Vec<_>>();
    wanted().next().is_none().then(|| match there.is_empty() {
        true => String::from("libcuda.so.1 knows no device that can be used"),
        false => format!("the program's code is not for {}", there.join(", ")),
    })
}

/// In a forked child.
pub fn after_fork() {
    api::after_fork();
}

impl NvidiaDevice {
    /// Calls `add` with the device if it has no number yet; the result is the number. One thread at a time.
    pub fn add_once(&'static self, add: impl FnOnce(&'static dyn Driver) -> i32) {
        if self.gpu.number() < 0 {
            self.gpu.set_number(add(self));
        }
    }

    /// What was looked up in an image. A fault is reported, unless it only says that there is no such thing.
    fn found<T>(&self, found: Result<Option<T>, Fault>, name: &CStr) -> Option<T> {
        found.unwrap_or_else(|fault| {
            if !fault.is_not_found() {
                let (number, name) = (self.gpu.number(), name.to_string_lossy());
                crate::warnings::warn(&format!("ferromp: device {number}: '{name}' cannot be used ({fault})\n"));
            }
            None
        })
    }
}

/// The image that [`Driver::load`] has loaded.
fn loaded(module: Module) -> Option<&'static Loaded> {
    // SAFETY: 0 or the address of a `Loaded` from `load`, which exists until `unload`.
    unsafe { (module.0 as *const Loaded).as_ref() }
}

impl Driver for NvidiaDevice {
    fn abilities(&self) -> &Abilities {
        &self.gpu.abilities
    }

    fn kind(&self) -> &'static CStr {
        &self.gpu.kind
    }

    /// As NVIDIA's own tools write it.
    fn identifier(&self) -> Option<CString> {
        // SAFETY: the device is the driver's.
        let bytes = unsafe { self.gpu.api.device_identifier(self.gpu.ordinal) }.ok()?;
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let [a, b, c, d, e] = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
        CString::new(format!("GPU-{a}-{b}-{c}-{d}-{e}")).ok()
    }

    fn accepts(&self, image: &[u8]) -> bool {
        let (major, minor) = self.gpu.capability;
        Image::new(image).is_some_and(|image| image.runs_on(major, minor))
    }

    fn open(&self) -> Result<(), String> {
        api::api()?;
        if images::unified_shared_memory() && !self.gpu.abilities.shares_memory {
            return Err(format!("the program requires unified shared memory, which {} has not", self.gpu.name));
        }
        self.gpu.open().map_err(|fault| fault.to_string())
    }

    fn close(&self) {
        // If operations are under way, the process ends, and with it the threads that wait for them.
        if self.gpu.context() == 0 || !self.is_idle() {
            return;
        }
        self.gpu.try_inside(|api| {
            stream::close(self.streams, api);
            self.gpu.clock.close(api);
            self.gpu.kept.release(api);
            Ok(())
        });
        self.gpu.close();
    }

    fn is_idle(&self) -> bool {
        // A callback that has done its work may still have to return.
        const TRIES: u32 = 50;
        let is_idle =
            || self.gpu.is_lost() || self.gpu.inside(|api| Ok(stream::are_idle(self.streams, api))) != Ok(false);
        (0..TRIES).any(|_| {
            let idle = is_idle();
            if !idle {
                futex::rest(Duration::from_millis(1));
            }
            idle
        })
    }

    fn pause(&self) {
        self.gpu.try_inside(|api| {
            self.gpu.kept.release(api);
            Ok(())
        });
    }

    fn after_fork(&self) -> bool {
        self.refused.renew_after_fork();
        self.gpu.after_fork();
        stream::after_fork(self.streams);
        false
    }

    fn load(&self, image: &[u8]) -> Result<Module, String> {
        let loaded = self.gpu.inside(|_| Ok(Loaded::new(self.gpu, image))).map_err(|fault| fault.to_string())?;
        loaded.map(|loaded| Module(Box::into_raw(Box::new(loaded)) as usize))
    }

    fn unload(&self, module: Module) {
        if module.0 == 0 {
            return;
        }
        // SAFETY: from `load`, and unloaded once.
        let loaded = unsafe { Box::from_raw(module.0 as *mut Loaded) };
        // What cannot be unloaded goes with the context.
        self.gpu.try_inside(|_| loaded.unload(self.gpu));
    }

    fn symbol(&self, module: Module, name: &CStr) -> Option<(Address, usize)> {
        let found = self.gpu.inside(|_| loaded(module).map(|loaded| loaded.global(self.gpu, name)).transpose());
        self.found(found, name)
    }

    fn kernel(&self, module: Module, name: &CStr) -> Option<Kernel> {
        let found = self.gpu.inside(|_| loaded(module).map(|loaded| loaded.kernel(self.gpu, name)).transpose());
        self.found(found, name).map(|kernel| Kernel(std::ptr::from_ref(kernel) as usize))
    }

    fn functions(&self, module: Module, functions: &[(usize, Address)]) -> Result<(), String> {
        let Some(loaded) = loaded(module).filter(|_| !functions.is_empty()) else { return Ok(()) };
        let done = self.gpu.inside(|_| loaded.write_functions(self.gpu, functions));
        done.map_err(|fault| fault.to_string())
    }

    fn allocate(&self, bytes: usize, space: Space) -> Option<Address> {
        // SAFETY: `inside` has entered the context.
        let allocated = self.gpu.inside(|api| unsafe {
            match space {
                Space::Device => self.gpu.allocate(bytes),
                Space::Host => api.allocate_host(bytes),
                Space::Shared => api.allocate_managed(bytes, api::ATTACH_GLOBAL),
            }
        });
        allocated.inspect_err(|fault| self.refused.with(|refused| *refused = Some(fault.to_string()))).ok()
    }

    fn refused(&self) -> Option<String> {
        self.refused.with(Option::take)
    }

    unsafe fn free(&self, memory: Address, bytes: usize, space: Space) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        self.gpu.try_inside(|api| unsafe {
            match space {
                Space::Device => self.gpu.free(memory, bytes),
                Space::Host => api.free_host(memory as *mut c_void)?,
                Space::Shared => api.free(memory)?,
            }
            Ok(())
        });
    }

    fn stream(&self, asynchronous: bool) -> &'static dyn Stream {
        stream::take(self.streams, self.gpu, asynchronous)
    }

    fn foreign(&self) -> Option<Foreign> {
        Some(Foreign {
            runtime: Foreign::CUDA_DRIVER,
            name: c"cuda_driver",
            vendor: c"nvidia",
            device: self.gpu.ordinal as usize,
            context: self.gpu.context(),
        })
    }
}

impl Clock for NvidiaDevice {
    fn processors(&self) -> i32 {
        i32::try_from(self.gpu.limits.processors).unwrap_or(i32::MAX)
    }

    fn time(&self) -> u64 {
        // The first comparison of the clocks. Without one, the host's time would be returned.
        self.gpu.try_inside(|api| self.gpu.clock.anchor(api).map(drop));
        self.gpu.clock.now()
    }

    fn to_wtime(&self, time: u64) -> f64 {
        self.gpu.clock.to_host(time) as f64 * 1e-9
    }

    fn records_inside(&self) -> bool {
        false
    }
}
