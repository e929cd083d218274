//! The NVIDIA devices that the CUDA driver knows, or the reason why there is none. Programs with code for NVIDIA
//! devices find the same ones.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

/// `CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR` and `_MINOR`
const CAPABILITY: [c_int; 2] = [75, 76];

/// The driver's functions that are needed here. Each returns 0, or an error.
struct Driver {
    init: unsafe extern "C" fn(c_uint) -> c_int,
    version: unsafe extern "C" fn(*mut c_int) -> c_int,
    count: unsafe extern "C" fn(*mut c_int) -> c_int,
    name: unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int,
    attribute: unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int,
    error: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int,
}

/// Line about all of them.
pub fn nvidia() -> String {
    match Driver::load().and_then(|driver| driver.describe()) {
        Ok(devices) => devices,
        Err(why) => format!("no NVIDIA device ({why})"),
    }
}

impl Driver {
    fn load() -> Result<Self, String> {
        // SAFETY: the library stays loaded, and its functions have these types by the driver's header.
        unsafe {
            let library = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if library.is_null() {
                let why = libc::dlerror();
                return Err(if why.is_null() {
                    "no libcuda.so.1".into()
                } else {
                    CStr::from_ptr(why).to_string_lossy().into_owned()
                });
            }
            Ok(Driver {
                init: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_uint) -> c_int>(symbol(
                    library, c"cuInit",
                )?),
                version: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_int) -> c_int>(symbol(
                    library,
                    c"cuDriverGetVersion",
                )?),
                count: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_int) -> c_int>(symbol(
                    library,
                    c"cuDeviceGetCount",
                )?),
                name: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int>(
                    symbol(library, c"cuDeviceGetName")?,
                ),
                attribute: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int>(
                    symbol(library, c"cuDeviceGetAttribute")?,
                ),
                error: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int>(
                    symbol(library, c"cuGetErrorName")?,
                ),
            })
        }
    }

    fn describe(&self) -> Result<String, String> {
        let (mut version, mut count) = (0, 0);
        // SAFETY: 0 is the only value that the flags may have; each of the other calls writes one number.
        unsafe {
            self.check("cuInit", (self.init)(0))?;
            self.check("cuDriverGetVersion", (self.version)(&raw mut version))?;
            self.check("cuDeviceGetCount", (self.count)(&raw mut count))?;
        }
        let devices = (0..count).map(|device| self.device(device)).collect::<Result<Vec<_>, _>>()?;
        Ok(format!("{}; driver for CUDA {}.{}", devices.join(", "), version / 1000, version % 1000 / 10))
    }

    fn device(&self, device: c_int) -> Result<String, String> {
        let mut name = [0_u8; 256];
        let mut capability = [0; 2];
        // SAFETY: the name has as many bytes as said; the others write one number each. A device's handle is its
        // number.
        unsafe {
            self.check("cuDeviceGetName", (self.name)(name.as_mut_ptr().cast(), name.len() as c_int, device))?;
            for (value, which) in capability.iter_mut().zip(CAPABILITY) {
                self.check("cuDeviceGetAttribute", (self.attribute)(value, which, device))?;
            }
        }
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default().to_string_lossy();
        Ok(format!("{name} (sm_{}{})", capability[0], capability[1]))
    }

    fn check(&self, call: &str, status: c_int) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        let mut name: *const c_char = std::ptr::null();
        // SAFETY: writes a pointer to a string that stays, or null.
        let name = unsafe {
            (self.error)(status, &raw mut name);
            if name.is_null() { format!("error {status}") } else { CStr::from_ptr(name).to_string_lossy().into_owned() }
        };
        Err(format!("libcuda.so.1: {call}: {name}"))
    }
}

/// # Safety
/// `library` is a handle that the dynamic linker returned.
unsafe fn symbol(library: *mut c_void, name: &CStr) -> Result<*mut c_void, String> {
    // SAFETY: the handle is valid by the caller's contract, and the name ends with a null byte.
    let address = unsafe { libc::dlsym(library, name.as_ptr()) };
    if address.is_null() { Err(format!("libcuda.so.1 has no {}", name.to_string_lossy())) } else { Ok(address) }
}
