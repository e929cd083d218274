//! Allocators as OpenMP names them: handles, spaces and their resources, traits, and the grammar of `OMP_ALLOCATOR`.
//! Memory itself comes from `mem/`.

mod handle;
pub mod spaces;
pub mod table;
pub mod traits;

pub use handle::{DEFAULT, Handle, NULL};
use std::fmt::Write;
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
    let mut text = String::new();
    match (traits::name_of(handle), table::find(handle as usize)) {
        (Some(name), _) => text.push_str(name),
        // Writing into a string cannot fail.
        (None, Some(allocator)) => drop(match allocator.composed {
            Some(space) => traits::describe(space, &allocator.traits, &mut text),
            None => traits::describe(&allocator.space, &allocator.traits, &mut text),
        }),
        (None, None) => drop(write!(text, "{handle:#x}")),
    }
    text
}
