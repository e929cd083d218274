//! Programs and libraries that bring code for devices: what they register, and what they require of devices (OpenMP 5.1
//! §2.5.1, §2.14.7).
//!
//! Registration happens in constructors, often before `main`, and only notes. A device loads what is new at its next
//! use (`load.rs`).

pub mod layout;
pub mod load;
mod place;

use super::driver::Module;
use crate::model::atomic::{AtomicI64, AtomicU32, Ordering};
use crate::park::mutex::Mutex;
use crate::{stderr, warnings};
pub use layout::BinaryDescription;
use layout::Entry;
use std::sync::Arc;

/// `OMP_REQ_REVERSE_OFFLOAD`
const REVERSE_OFFLOAD: i64 = 2;
/// `OMP_REQ_UNIFIED_ADDRESS`
const UNIFIED_ADDRESS: i64 = 4;
/// `OMP_REQ_UNIFIED_SHARED_MEMORY`
const UNIFIED_SHARED_MEMORY: i64 = 8;
/// What either all compilation units of a program with device code require, or none (§2.5.1).
const OF_THE_WHOLE_PROGRAM: [(i64, &str); 3] = [
    (REVERSE_OFFLOAD, "reverse_offload"),
    (UNIFIED_ADDRESS, "unified_address"),
    (UNIFIED_SHARED_MEMORY, "unified_shared_memory"),
];

/// A program or library with images.
pub struct Program {
    /// The address of the description, by which the program is unregistered. What the description points to exists
    /// until then.
    description: usize,
    images: Vec<&'static [u8]>,
    entries: Vec<Entry>,
}

/// An image that a device has loaded.
pub struct Loaded {
    program: Arc<Program>,
    /// The image, by its driver's handle.
    pub module: Module,
    /// The image's number among all that devices have loaded in this process.
    pub number: u64,
}

impl Loaded {
    /// Whether the image is one of `program`.
    pub fn is_of(&self, program: &Arc<Program>) -> bool {
        Arc::ptr_eq(&self.program, program)
    }
}

/// The programs that are registered now, in the order of their registration.
static PROGRAMS: Mutex<Vec<Arc<Program>>> = Mutex::new(Vec::new());
/// The number of registrations.
static GENERATION: AtomicU32 = AtomicU32::new(0);
/// What `requires` directives ask for, in the compiler's bits; 0 before any compilation unit has registered. A unit
/// without such directives registers 1.
static REQUIRED: AtomicI64 = AtomicI64::new(0);

/// A number that changes when a program or library is registered.
#[inline]
pub fn generation() -> u32 {
    GENERATION.load(Ordering::Acquire)
}

/// Registers a program or library (`__tgt_register_lib`).
///
/// # Safety
/// The description is as the compiler makes it, and exists, with all that it points to, until it is unregistered.
pub unsafe fn register(description: *const BinaryDescription) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let read = unsafe { layout::read(description) };
    let (images, entries) = read.unwrap_or_else(|version| {
        warnings::warn(&format!(
            "ferromp: a program's code for devices has entries of version {version}, and version 1 is known: the host executes its \
             target regions\n"
        ));
        (Vec::new(), Vec::new())
    });
    for entry in entries.iter().filter(|entry| entry.is_requirement()) {
        require(entry.data);
    }
    let program = Arc::new(Program { description: description as usize, images, entries });
    PROGRAMS.with(|programs| programs.push(program));
    GENERATION.fetch_add(1, Ordering::Release);
}

/// Takes a program or library off the list. `life.rs` unloads its images.
pub fn remove(description: *const BinaryDescription) -> Option<Arc<Program>> {
    PROGRAMS.with(|programs| {
        let index = programs.iter().position(|program| program.description == description as usize)?;
        Some(programs.remove(index))
    })
}

/// Adds the requirements of one compilation unit (`__tgt_register_requires`). The program ends if other units have
/// other requirements: the units were compiled for different kinds of devices.
pub fn require(flags: i64) {
    let before = REQUIRED.fetch_or(flags, Ordering::Relaxed);
    if let Some(clause) = disagreement(before, flags) {
        stderr::terminate(&format!(
            "ferromp: some compilation units of the program have `requires {clause}`, and others with device code have not; \
             the program ends\n"
        ));
    }
}

/// A clause that one compilation unit has and another has not, although they have to agree.
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
    programs().iter().any(|program| program.images.iter().any(|image| accepts(image)))
}

/// The programs that are registered now.
fn programs() -> Vec<Arc<Program>> {
    PROGRAMS.with(|programs| programs.clone())
}

/// In a forked child, where the thread that was registering does not exist.
pub fn after_fork() {
    PROGRAMS.force_open();
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
