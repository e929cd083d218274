//! Allocators as OpenMP names them: handles, spaces and their resources, traits, and the grammar of `OMP_ALLOCATOR`.
//! The runtime's `mem/` gives the memory.

mod handle;
pub mod spaces;
pub mod table;
pub mod traits;

pub use handle::{DEFAULT, Handle, NULL};
use traits::Spec;

/// The allocator that a value of `OMP_ALLOCATOR` names or describes; a described allocator is made (§6.22).
pub fn from_text(text: &str) -> Option<Handle> {
    match Spec::parse(text)? {
        Spec::Predefined(handle) => Some(handle),
        Spec::Made(space, traits) => table::add(space, traits),
    }
}

/// The value of `OMP_ALLOCATOR` for an allocator.
pub fn describe(handle: Handle) -> String {
    match (traits::name_of(handle), table::find(handle as usize)) {
        (Some(name), _) => name.to_owned(),
        (None, Some(allocator)) => allocator.to_string(),
        (None, None) => format!("{handle:#x}"),
    }
}
