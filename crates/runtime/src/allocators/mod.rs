//! Allocators as OpenMP names them: handles, spaces and their resources, traits, and the grammar of `OMP_ALLOCATOR`.
//! Memory itself comes from `mem/`.

pub mod spaces;
pub mod table;
pub mod traits;

use crate::allocators::traits::Spec;
use std::fmt::Write;

/// What names an allocator: 0 none, others as in [`table`].
pub type Handle = u32;

/// `omp_null_allocator`.
pub const NULL: Handle = 0;

/// `omp_default_mem_alloc`: ordinary memory, and nothing to fall back to.
pub const DEFAULT: Handle = 1;

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
