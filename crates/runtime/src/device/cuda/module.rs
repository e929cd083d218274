//! Images that an NVIDIA device has loaded: what LLVM's device runtime in them is told, their kernels, and the code
//! that runs when they come and go (OpenMP 5.1 §2.14.7).

use super::NvidiaDevice;
use super::api::{self, Address, Api, Code, Fault, Function};
use super::image::Image;
use super::kernel::{self, Environment, Kernel};
use crate::device_numbers;
use crate::park::mutex::Mutex;
use crate::warnings;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_int, c_void};

/// Where the device runtime finds out about its device: LLVM's `DeviceEnvironmentTy`, of which older compilers know the
/// first fields alone.
const DEVICE_ENVIRONMENT: &CStr = c"__omp_rtl_device_environment";

/// What is written there.
#[repr(C)]
#[derive(Clone, Copy)]
struct DeviceEnvironment {
    debug: u32,
    devices: u32,
    number: u32,
    dynamic_memory: u32,
    /// Ticks in a second of the clock that `omp_get_wtime` reads on the device.
    frequency: u64,
    /// Functions that are called by the host's pointers: pairs of addresses, sorted.
    functions: Address,
    function_count: u64,
    /// Warps that can run at once.
    warps: u64,
}

/// Kernels that call what the image's constructors and destructors are: the name of the kernel, the beginning of the
/// names of variables that point to them, and where it looks for the list.
struct Hooks {
    kernel: &'static CStr,
    prefix: &'static [u8],
    start: &'static CStr,
    end: &'static CStr,
}

const CONSTRUCTORS: Hooks = Hooks {
    kernel: c"nvptx$device$init",
    prefix: b"__init_array_object_",
    start: c"__init_array_start",
    end: c"__init_array_end",
};
const DESTRUCTORS: Hooks = Hooks {
    kernel: c"nvptx$device$fini",
    prefix: b"__fini_array_object_",
    start: c"__fini_array_start",
    end: c"__fini_array_end",
};

/// An image on a device.
pub struct Loaded {
    code: Code,
    environments: BTreeMap<Vec<u8>, Environment>,
    /// The variables of destructors, in the order in which those are called.
    destructors: Vec<CString>,
    /// Where the device has its functions that are called by the host's pointers, and how many bytes that is; 0 if
    /// there are none.
    functions: Mutex<(Address, usize)>,
}

impl Loaded {
    /// Loads it, and runs its constructors. The caller has entered the device's context.
    pub fn new(device: &NvidiaDevice, api: &Api, bytes: &[u8]) -> Result<Self, String> {
        let image = Image::new(bytes).ok_or("it is no image for NVIDIA devices")?;
        let code = load(api, bytes)?;
        let loaded = Loaded {
            code,
            environments: environments(image),
            destructors: hooks(image, &DESTRUCTORS),
            functions: Mutex::new((0, 0)),
        };
        if loaded.global(api, REMOTE_CALLS).is_ok() {
            warnings::warn(&format!(
                "ferromp: code for device {} has LLVM's remote procedure calls (its C library's printf, for one), which nothing here answers\n",
                device.number()
            ));
        }
        let ready = loaded.write_environment(device, api, (0, 0)).and_then(|()| {
            let constructors = hooks(image, &CONSTRUCTORS);
            loaded.call(device, api, &CONSTRUCTORS, &constructors)
        });
        if let Err(fault) = ready {
            // SAFETY: nothing of it runs.
            let _ = unsafe { api.module_unload(code) };
            return Err(fault.to_string());
        }
        Ok(loaded)
    }

    /// Runs its destructors and unloads it. Nothing of it is under way. The caller has entered the device's context.
    pub fn unload(&self, device: &NvidiaDevice, api: &Api) -> Result<(), Fault> {
        let called = self.call(device, api, &DESTRUCTORS, &self.destructors);
        let (list, bytes) = self.functions.with(std::mem::take);
        if list != 0 {
            // SAFETY: nothing of it runs.
            unsafe { device.memory.free(api, list, bytes) };
        }
        // SAFETY: nothing of it runs.
        called.and(unsafe { api.module_unload(self.code) })
    }

    /// The address and size of a variable.
    pub fn global(&self, api: &Api, name: &CStr) -> Result<(Address, usize), Fault> {
        let (mut address, mut bytes): (Address, usize) = (0, 0);
        // SAFETY: writes an address and a number.
        unsafe { api.module_global(&raw mut address, &raw mut bytes, self.code, name.as_ptr())? };
        Ok((address, bytes))
    }

    /// A kernel, which stays when the image goes.
    pub fn kernel(&self, api: &Api, name: &CStr) -> Result<&'static Kernel, Fault> {
        let function = self.function(api, name)?;
        let mut threads: c_int = 0;
        // SAFETY: writes one number.
        unsafe { api.function_attribute(&raw mut threads, api::MAX_THREADS, function)? };
        let environment = self.environments.get(name.to_bytes()).copied();
        let most = u32::try_from(threads).unwrap_or(0);
        Ok(Box::leak(Box::new(Kernel::new(function, name.to_owned(), environment, most))))
    }

    fn function(&self, api: &Api, name: &CStr) -> Result<Function, Fault> {
        let mut function: Function = 0;
        // SAFETY: writes the function's address.
        unsafe { api.module_function(&raw mut function, self.code, name.as_ptr())? };
        Ok(function)
    }

    /// Tells the device runtime of functions that are called by the host's pointers.
    pub fn write_functions(
        &self,
        device: &NvidiaDevice,
        api: &Api,
        functions: &[(usize, Address)],
    ) -> Result<(), Fault> {
        let mut sorted = functions.to_vec();
        sorted.sort_unstable();
        let bytes = size_of_val(sorted.as_slice());
        let list = device.memory.allocate(api, bytes)?;
        self.functions.with(|functions| *functions = (list, bytes));
        // SAFETY: as many bytes are there as allocated.
        unsafe { device.copy_to(api, list, sorted.as_ptr().cast(), bytes)? };
        self.write_environment(device, api, (list, sorted.len()))
    }

    /// Tells the device runtime about the device, and about functions that are called by the host's pointers.
    fn write_environment(&self, device: &NvidiaDevice, api: &Api, functions: (Address, usize)) -> Result<(), Fault> {
        let (address, bytes) = match self.global(api, DEVICE_ENVIRONMENT) {
            Err(fault) if fault.is_not_found() => return Ok(()),
            found => found?,
        };
        let limits = device.limits();
        let environment = DeviceEnvironment {
            debug: 0,
            devices: device_numbers::known().unsigned_abs(),
            number: device.number().unsigned_abs(),
            dynamic_memory: 0,
            frequency: 1_000_000_000,
            functions: functions.0,
            function_count: functions.1 as u64,
            warps: u64::from(limits.processors) * u64::from(limits.threads_of_processor / limits.warp.max(1)),
        };
        let from = (&raw const environment).cast();
        // SAFETY: as many bytes are there as on either side.
        unsafe { device.copy_to(api, address, from, bytes.min(size_of_val(&environment))) }
    }

    /// Calls what the variables point to.
    fn call(&self, device: &NvidiaDevice, api: &Api, hooks: &Hooks, variables: &[CString]) -> Result<(), Fault> {
        if variables.is_empty() {
            return Ok(());
        }
        let function = self.function(api, hooks.kernel)?;
        let mut functions: Vec<Address> = vec![0; variables.len()];
        for (name, function) in variables.iter().zip(&mut functions) {
            let (address, _) = self.global(api, name)?;
            // SAFETY: the variable is a pointer.
            unsafe { device.copy_from(api, std::ptr::from_mut(function).cast(), address, size_of::<Address>())? };
        }
        let bytes = size_of_val(functions.as_slice());
        let list = device.memory.allocate(api, bytes)?;
        let bounds = [(hooks.start, list), (hooks.end, list + bytes)];
        // SAFETY: the list is as long as it was allocated; the bounds are pointers; the kernel takes no arguments.
        let done = unsafe {
            device.copy_to(api, list, functions.as_ptr().cast(), bytes).and_then(|()| {
                for (name, value) in bounds {
                    let (address, _) = self.global(api, name)?;
                    device.copy_to(api, address, (&raw const value).cast(), size_of::<Address>())?;
                }
                device.alone(api, |queue| {
                    let none = std::ptr::null_mut();
                    api.launch(function, 1, 1, 1, 1, 1, 1, 0, queue, none, none)
                })
            })
        };
        // SAFETY: whatever used it is complete.
        unsafe { device.memory.free(api, list, bytes) };
        done
    }
}

/// The variable of code that asks the host by LLVM's remote procedure calls.
const REMOTE_CALLS: &CStr = c"__llvm_rpc_client";

/// Loads an image; where the driver refuses it, its own words are in the error.
fn load(api: &Api, bytes: &[u8]) -> Result<Code, String> {
    const LOG: usize = 2048;
    let mut log = vec![0_u8; LOG];
    let mut options = [api::ERROR_LOG, api::ERROR_LOG_BYTES];
    let mut values = [log.as_mut_ptr().cast::<c_void>(), LOG as *mut c_void];
    let mut code: Code = 0;
    // SAFETY: the image is whole; the log has as many bytes as said.
    let done =
        unsafe { api.module_load(&raw mut code, bytes.as_ptr().cast(), 2, options.as_mut_ptr(), values.as_mut_ptr()) };
    done.map(|()| code).map_err(|fault| {
        let end = log.iter().position(|&byte| byte == 0).unwrap_or(LOG);
        let words = String::from_utf8_lossy(&log[..end]).split_whitespace().collect::<Vec<_>>().join(" ");
        if words.is_empty() { fault.to_string() } else { format!("{fault}: {words}") }
    })
}

/// What the compiler has noted of each kernel.
fn environments(image: Image) -> BTreeMap<Vec<u8>, Environment> {
    let mut environments = BTreeMap::new();
    for symbol in image.symbols() {
        let Some(value) = symbol.value else { continue };
        if let Some(name) = symbol.name.strip_suffix(kernel::ENVIRONMENT) {
            environments.extend(Environment::read(value).map(|environment| (name.to_vec(), environment)));
        } else if let Some(name) = symbol.name.strip_suffix(kernel::MODE) {
            environments.extend(Environment::of_mode(value).map(|environment| (name.to_vec(), environment)));
        }
    }
    environments
}

/// The variables that point to constructors or destructors, those with the smallest number at the end of their names
/// first.
fn hooks(image: Image, hooks: &Hooks) -> Vec<CString> {
    let mut found: Vec<(u32, CString)> = Vec::new();
    for symbol in image.symbols().filter(|symbol| symbol.name.starts_with(hooks.prefix)) {
        let digits =
            symbol.name.rsplit(|&byte| byte == b'_').next().and_then(|digits| std::str::from_utf8(digits).ok());
        if let (Some(priority), Ok(name)) = (digits.and_then(|digits| digits.parse().ok()), CString::new(symbol.name)) {
            found.push((priority, name));
        }
    }
    found.sort_by_key(|(priority, _)| *priority);
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::super::image::tests::made;
    use super::*;

    #[test]
    fn kernels_are_known_by_their_variables() {
        let bytes = made(7, 80, &[("one_kernel_environment", &[0, 0, 3]), ("two_exec_mode", &[1]), ("three", &[2])]);
        let found = environments(Image::new(&bytes).unwrap());
        assert_eq!(found.keys().map(Vec::as_slice).collect::<Vec<_>>(), [&b"one"[..], b"two"]);
        assert_eq!(found[&b"one"[..]], Environment::of_mode(&[3]).unwrap());
    }

    #[test]
    fn constructors_come_by_their_priorities() {
        let names = [
            "__init_array_object_b_a_200",
            "__init_array_object_x_100",
            "__fini_array_object_x_1",
            "__init_array_object_q",
        ];
        let bytes = made(7, 80, &names.map(|name| (name, &[0_u8; 8][..])));
        let image = Image::new(&bytes).unwrap();
        assert_eq!(
            hooks(image, &CONSTRUCTORS),
            [c"__init_array_object_x_100".into(), CString::from(c"__init_array_object_b_a_200")]
        );
        assert_eq!(hooks(image, &DESTRUCTORS).len(), 1);
    }
}
