//! Programs and libraries that bring code for devices: what they register, which of their images fits which device, and
//! what a device has for their kernels and variables (OpenMP 5.1 §2.14.7).
//!
//! Registration happens in constructors, often before `main`: it only notes. A device loads what is new to it when it
//! is used next.

pub mod layout;
pub mod place;

use super::driver::{Address, Convention, Direction, Fallback, Kernel, Launch, Module, Note};
use super::{Device, all};
use crate::model::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};
use crate::park::mutex::Mutex;
use crate::{stderr, warnings};
pub use layout::BinaryDescription;
use layout::Entry;
use std::ffi::{CStr, c_char};
use std::sync::Arc;

/// `OMP_REQ_REVERSE_OFFLOAD`
const REVERSE_OFFLOAD: i64 = 2;
/// `OMP_REQ_UNIFIED_ADDRESS`
const UNIFIED_ADDRESS: i64 = 4;
/// `OMP_REQ_UNIFIED_SHARED_MEMORY`
const UNIFIED_SHARED_MEMORY: i64 = 8;
/// What all compilation units of a program with device code have to require, or none of them (§2.5.1).
const OF_THE_WHOLE_PROGRAM: [(i64, &str); 3] = [
    (REVERSE_OFFLOAD, "reverse_offload"),
    (UNIFIED_ADDRESS, "unified_address"),
    (UNIFIED_SHARED_MEMORY, "unified_shared_memory"),
];

/// A program or library with images. What it points to is there until it is unregistered.
struct Program {
    /// The address of its description, by which it is unregistered.
    description: usize,
    images: Vec<&'static [u8]>,
    entries: Vec<Entry>,
}

/// What a device has of a program.
pub struct Loaded {
    program: Arc<Program>,
    module: Module,
    /// Its number among all that devices have loaded.
    number: u64,
    /// Where the image lies on the host.
    image: &'static [u8],
}

/// A variable that is on a device as long as its program's image is, or a function that calls by pointer find there.
pub struct Global {
    /// Where the host has it.
    pub host: usize,
    pub bytes: usize,
    /// Where the device has it.
    pub device: Address,
    pub name: *const c_char,
}

/// All that are registered now, in their order.
static PROGRAMS: Mutex<Vec<Arc<Program>>> = Mutex::new(Vec::new());
/// Grows with each registration.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// The number of the next that a device loads.
static NEXT: AtomicU64 = AtomicU64::new(1);
/// What `requires` directives ask for, as the compiler numbers it. 0 until a compilation unit has said so; one without
/// such directives says 1.
static REQUIRED: AtomicI64 = AtomicI64::new(0);

/// A number that changes when a program or library is registered.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Acquire)
}

/// Notes a program or library (`__tgt_register_lib`).
///
/// # Safety
/// The description is as the compiler makes it, and stays with all that it names until it is unregistered.
pub unsafe fn register(description: *const BinaryDescription) {
    // SAFETY: the caller's.
    let (images, entries) = unsafe { layout::read(description) };
    if let Some(version) = entries.unknown {
        warnings::warn(&format!(
            "ferromp: a program's code for devices has entries of version {version}, and version 1 is known: the host executes its \
             target regions\n"
        ));
    }
    let (images, entries) = if entries.unknown.is_none() { (images, entries.known) } else { (Vec::new(), Vec::new()) };
    for entry in entries.iter().filter(|entry| entry.is_requirement()) {
        require(entry.data);
    }
    let program = Arc::new(Program { description: description as usize, images, entries });
    PROGRAMS.with(|programs| programs.push(program));
    GENERATION.fetch_add(1, Ordering::Release);
}

/// A program or library is about to go (`__tgt_unregister_lib`): devices unload its images.
pub fn unregister(description: *const BinaryDescription) {
    let gone = PROGRAMS.with(|programs| {
        let index = programs.iter().position(|program| program.description == description as usize)?;
        Some(programs.remove(index))
    });
    if let Some(gone) = gone {
        for device in all() {
            device.unload(|loaded| Arc::ptr_eq(&loaded.program, &gone));
        }
    }
}

/// Adds what one compilation unit requires (`__tgt_register_requires`). The program ends where others require something
/// else: its units were compiled for different kinds of devices.
pub fn require(flags: i64) {
    let before = REQUIRED.fetch_or(flags, Ordering::Relaxed);
    if let Some(clause) = disagreement(before, flags) {
        stderr::write_stderr(&format!(
            "ferromp: some compilation units of the program have `requires {clause}`, and others with device code have not; \
             the program ends\n"
        ));
        stderr::terminate();
    }
}

/// The clause that one compilation unit has and another has not, if they have to agree about it.
fn disagreement(one: i64, other: i64) -> Option<&'static str> {
    if one == 0 || other == 0 {
        return None;
    }
    OF_THE_WHOLE_PROGRAM.iter().find(|(flag, _)| (one ^ other) & flag != 0).map(|(_, clause)| *clause)
}

/// Whether a program asks for `requires unified_shared_memory`.
#[inline]
pub fn unified_shared_memory() -> bool {
    REQUIRED.load(Ordering::Relaxed) & UNIFIED_SHARED_MEMORY != 0
}

/// Whether a program asks for `requires reverse_offload`.
pub fn reverse_offload() -> bool {
    REQUIRED.load(Ordering::Relaxed) & REVERSE_OFFLOAD != 0
}

/// Whether any program has an image that satisfies `accepts`.
pub fn any(accepts: impl Fn(&[u8]) -> bool) -> bool {
    let programs = PROGRAMS.with(|programs| programs.clone());
    programs.iter().any(|program| program.images.iter().any(|image| accepts(image)))
}

/// In a forked child: whoever was registering is not there.
pub fn after_fork() {
    PROGRAMS.force_open();
}

/// Loads on `device` the image that fits of each program which has none there yet. The caller alone changes what the
/// device has. False where one cannot be loaded.
pub fn load_new(device: &Device) -> bool {
    let mut all = true;
    for program in PROGRAMS.with(|programs| programs.clone()) {
        if device.has(|loaded| Arc::ptr_eq(&loaded.program, &program)) {
            continue;
        }
        let driver = device.driver();
        let Some(&image) = program.images.iter().find(|image| driver.accepts(image)) else { continue };
        match driver.load(image) {
            Ok(module) => {
                let number = NEXT.fetch_add(1, Ordering::Relaxed);
                let loaded = Loaded { program, module, number, image };
                loaded.introduce(device);
                device.loaded(loaded);
            }
            Err(why) => {
                all = false;
                warnings::warn(&format!(
                    "ferromp: device {}: cannot load the program's code ({why})\n",
                    device.number()
                ));
            }
        }
    }
    all
}

impl Loaded {
    /// The image as its driver has it.
    pub fn module(&self) -> Module {
        self.module
    }

    /// Its number among all that devices have loaded in this process.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The image in the program.
    pub fn image(&self) -> &'static [u8] {
        self.image
    }

    /// Notes on the device what it has for each of the program's entries.
    fn introduce(&self, device: &Device) {
        let driver = device.driver();
        let mut functions = Vec::new();
        for entry in &self.program.entries {
            // SAFETY: the program is registered, so its names are there.
            let name = unsafe { CStr::from_ptr(entry.name) };
            if entry.is_kernel() {
                if let Some(kernel) = driver.kernel(self.module, name) {
                    device.kernels.insert(entry.address, kernel.0);
                }
            } else if entry.is_global() {
                match driver.symbol(self.module, name) {
                    Some((there, bytes)) if bytes == entry.size || bytes == 0 => {
                        let there = self.introduce_global(device, entry, there);
                        if entry.is_indirect() {
                            functions.push((entry.address, there));
                        }
                    }
                    Some((_, bytes)) => warnings::warn(&format!(
                        "ferromp: device {}: '{}' has {} bytes on the host and {bytes} in the code for the device; it is not mapped\n",
                        device.number(),
                        name.to_string_lossy(),
                        entry.size
                    )),
                    None => {}
                }
            }
        }
        if let Err(why) = driver.functions(self.module, &functions) {
            warnings::warn(&format!(
                "ferromp: device {}: functions cannot be called by pointers ({why})\n",
                device.number()
            ));
        }
        self.run(device, Entry::is_constructor);
    }

    /// Runs those of the program's entries for which `is` holds, in their order: code that older compilers made of
    /// initial values and destructors.
    fn run(&self, device: &Device, is: impl Fn(&Entry) -> bool) {
        let stream = device.stream(false);
        for entry in self.program.entries.iter().filter(|entry| is(entry)) {
            // SAFETY: the program is registered, so its names are there.
            let name = unsafe { CStr::from_ptr(entry.name) };
            let Some(kernel) = device.driver().kernel(self.module, name) else { continue };
            let launch = Launch {
                kernel,
                arguments: &[],
                convention: Convention::Plain,
                num_teams: 1,
                thread_limit: 1,
                trip_count: 0,
                dynamic_memory: 0,
                fallback: Fallback::Abort,
            };
            // SAFETY: such code takes no arguments.
            let done = unsafe { stream.launch(&launch, Note::default()) }.and_then(|()| stream.wait());
            if let Err(why) = done {
                warnings::warn(&format!("ferromp: device {}: {}: {why}\n", device.number(), name.to_string_lossy()));
            }
        }
    }

    /// Where the device has it, or the function that it stands for.
    fn introduce_global(&self, device: &Device, entry: &Entry, there: Address) -> Address {
        let stream = device.stream(false);
        let mut global = Global { host: entry.address, bytes: entry.size, device: there, name: entry.name };
        if entry.is_indirect() {
            // The device's variable has the address of its function.
            let mut function = 0_usize;
            let bytes = size_of_val(&function);
            let place = (&raw mut function).cast();
            // SAFETY: the variable has that many bytes; nobody else knows the image yet.
            unsafe { stream.transfer(Direction::FromDevice, there, place, bytes, Note::default()) };
            if let Err(why) = stream.wait() {
                warnings::warn(&format!("ferromp: device {}: {why}\n", device.number()));
            }
            global.device = function;
        } else if unified_shared_memory() && device.driver().shares_memory() && entry.is_reference() {
            // The device uses the host's variable, by the host's pointer to it.
            // SAFETY: both are pointers.
            unsafe {
                stream.transfer(Direction::ToDevice, there, entry.address as *mut u8, entry.size, Note::default())
            };
        }
        // What was queued is done before the device's first use of it.
        if let Err(why) = stream.wait() {
            warnings::warn(&format!("ferromp: device {}: {why}\n", device.number()));
        }
        device.declare(&global);
        global.device
    }

    /// Undoes [`introduce`](Self::introduce).
    pub fn withdraw(&self, device: &Device) {
        self.run(device, Entry::is_destructor);
        for entry in &self.program.entries {
            if entry.is_kernel() {
                device.kernels.remove(entry.address);
            } else if entry.is_global() {
                device.withdraw(entry.address);
            }
        }
    }
}

impl Device {
    /// The code that the device has for a target region, by the address that the program knows the region by.
    #[inline]
    pub fn kernel(&self, region: usize) -> Option<Kernel> {
        self.kernels.get(region).map(Kernel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilation_units_that_disagree_were_taken_together() {
        const NONE: i64 = 1;
        const DYNAMIC_ALLOCATORS: i64 = 16;
        for (flag, clause) in OF_THE_WHOLE_PROGRAM {
            assert_eq!(disagreement(NONE, flag), Some(clause));
            assert_eq!(
                disagreement(flag | UNIFIED_ADDRESS, UNIFIED_ADDRESS),
                (flag != UNIFIED_ADDRESS).then_some(clause)
            );
            assert_eq!(disagreement(flag, flag), None);
            assert_eq!(disagreement(0, flag), None, "nobody has said anything before");
        }
        assert_eq!(disagreement(NONE, DYNAMIC_ALLOCATORS), None);
    }
}
