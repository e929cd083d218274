//! Allocators as OpenMP names them: handles, spaces and their resources, traits, and the grammar of `OMP_ALLOCATOR`.
//! Memory itself comes from `mem/`.

mod handle;
pub mod spaces;
pub mod table;
pub mod traits;

pub use handle::{DEFAULT, Handle, NULL};
use traits::Spec;

/// The allocator that a value of `OMP_ALLOCATOR` asks for, made if need be (§6.22).
pub fn from_text(text: &str) -> Option<Handle> {
    match Spec::parse(text)? {
        Spec::Predefined(handle) => Some(handle),
        Spec::Made(space, traits) => table::add(space, traits),
    }
}

/// An allocator as a value of `OMP_ALLOCATOR`.
pub fn describe(handle: Handle) -> String {
    match (traits::name_of(handle), table::find(handle as usize)) {
        (Some(name), _) => name.to_owned(),
        (None, Some(allocator)) => allocator.to_string(),
        (None, None) => format!("{handle:#x}"),
    }
}
