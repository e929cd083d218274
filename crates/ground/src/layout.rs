//! Where fields lie, computed at compile time from the types that have them. A type whose fields are its own has a list
//! of those that OMPD's library reads.

pub use ompd_layout::{Entry, Field};

/// Fields of a type, and their places in it.
pub type Shown = &'static [(Field, Entry)];

/// The place of a field, by its path in a type.
#[macro_export]
macro_rules! place {
    ($type:ty, $($name:tt).+) => {
        $crate::layout::Entry {
            offset: std::mem::offset_of!($type, $($name).+) as u32,
            size: $crate::layout::bytes_of(|object: &$type| &object.$($name).+),
        }
    };
    ($type:ty, $($name:tt).+; $inner:ty, $($rest:tt).+) => {
        // What is in a cell has no path through it.
        $crate::layout::Entry {
            offset: std::mem::offset_of!($type, $($name).+) as u32 + $crate::layout::place!($inner, $($rest).+).offset,
            size: $crate::layout::place!($inner, $($rest).+).size,
        }
    };
}
pub use place;

/// The size of a field.
pub const fn bytes_of<T, F>(_: fn(&T) -> &F) -> u32 {
    size_of::<F>() as u32
}

/// An entry that has a value instead of a place.
pub const fn constant(value: usize) -> Entry {
    Entry { offset: value as u32, size: size_of::<u32>() as u32 }
}
