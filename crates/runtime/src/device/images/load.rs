//! Images on a device: loading, the device's counterparts of their kernels, variables and functions, and the code that
//! runs when images come and go (OpenMP 5.1 §2.14.7).

use super::layout::Entry;
use super::{Loaded, place, programs, unified_shared_memory};
use crate::device::devices::Device;
use crate::device::driver::{Address, Direction, Launch, Module, Note, Region};
use crate::device::map::Name;
use crate::model::atomic::{AtomicU64, Ordering};
use crate::objects::switch;
use std::ffi::CStr;

/// Loads the fitting image of each program that has none on `device` yet. False if one of them cannot be loaded. The
/// caller holds the device's state.
pub fn load_new(device: &Device) -> bool {
    /// The number of the next image.
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut all = true;
    for program in programs() {
        if device.loaded.with(|loaded| loaded.iter().any(|loaded| loaded.is_of(&program))) {
            continue;
        }
        let Some(&image) = program.images.iter().find(|image| device.driver.accepts(image)) else { continue };
        match device.driver.load(image) {
            Ok(module) => {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let loaded = Loaded { program, module, number };
                introduce(device, &loaded);
                device.loaded.with(|all| all.push(loaded));
                if switch::active() {
                    place::report_load(device.number, number, image, device.driver.address(module));
                }
            }
            Err(why) => {
                all = false;
                device.warn(&format!("cannot load the program's code ({why})"));
            }
        }
    }
    all
}

/// Notes what the device has for each entry of the image's program, and runs constructors.
fn introduce(device: &Device, loaded: &Loaded) {
    let (driver, module) = (device.driver, loaded.module);
    let mut functions = Vec::new();
    for entry in &loaded.program.entries {
        let name = entry.name();
        if entry.is_kernel() {
            if let Some(kernel) = driver.kernel(module, name) {
                device.kernels.insert(entry.address, kernel.0);
            }
        } else if entry.is_global() {
            match driver.symbol(module, name) {
                Some((there, bytes)) if bytes == entry.size || bytes == 0 => {
                    let there = introduce_global(device, entry, there);
                    if entry.is_indirect() {
                        functions.push((entry.address, there));
                    }
                }
                Some((_, bytes)) => device.warn(&format!(
                    "'{}' has {} bytes on the host and {bytes} in the code for the device; it is not mapped",
                    name.to_string_lossy(),
                    entry.size
                )),
                None => {}
            }
        }
    }
    if let Err(why) = driver.functions(module, &functions) {
        device.warn(&format!("functions cannot be called by pointers ({why})"));
    }
    run(device, loaded, Entry::is_constructor);
}

/// Maps a variable to its counterpart `there`, or a function to the device's function that the counterpart points to.
/// The device's address.
fn introduce_global(device: &Device, entry: &Entry, there: Address) -> Address {
    let stream = device.stream(false);
    let mut function: Address = 0;
    // SAFETY: the driver has found a variable of this size, or the size of a pointer, and no other thread knows the
    // image yet. `function` lives until the wait below.
    unsafe {
        if entry.is_indirect() {
            let to = (&raw mut function).expose_provenance();
            stream.copy(Direction::FromDevice, to, there, size_of::<Address>(), Note::default());
        } else if unified_shared_memory() && device.abilities.shares_memory && entry.is_reference() {
            // The device uses the host's variable, by the host's pointer to the variable.
            stream.copy(Direction::ToDevice, there, entry.address, entry.size, Note::default());
        }
    }
    if let Err(why) = stream.wait() {
        device.warn(&why);
    }
    let there = if entry.is_indirect() { function } else { there };
    // SAFETY: the name is the compiler's.
    device.maps.declare(entry.address, entry.size, there, unsafe { Name::new(entry.name) });
    there
}

/// Runs the program's entries for which `is` holds: the code of initial values and destructors, from older compilers.
fn run(device: &Device, loaded: &Loaded, is: impl Fn(&Entry) -> bool) {
    let stream = device.stream(false);
    // One team of one thread.
    let region = &Region { num_teams: 1, thread_limit: 1, ..Region::default() };
    for entry in loaded.program.entries.iter().filter(|entry| is(entry)) {
        let Some(kernel) = device.driver.kernel(loaded.module, entry.name()) else { continue };
        let launch = Launch { kernel, arguments: &[], region };
        // SAFETY: such code takes no arguments.
        let done = unsafe { stream.launch(&launch, Note::default()) }.and_then(|()| stream.wait());
        if let Err(why) = done {
            device.warn(&format!("{}: {why}", entry.name().to_string_lossy()));
        }
    }
}

/// Runs the image's destructors, and forgets the counterparts of the program's entries.
pub fn withdraw(device: &Device, loaded: &Loaded) {
    run(device, loaded, Entry::is_destructor);
    for entry in &loaded.program.entries {
        if entry.is_kernel() {
            device.kernels.remove(entry.address);
        } else if entry.is_global() {
            device.maps.disassociate(entry.address);
        }
    }
}

impl Device {
    /// The address and the size of a variable on the device, by the variable's name in any image.
    pub fn symbol(&self, name: &CStr) -> Option<(Address, usize)> {
        let modules: Vec<Module> = self.loaded.with(|all| all.iter().map(|loaded| loaded.module).collect());
        modules.into_iter().find_map(|module| self.driver.symbol(module, name))
    }
}
