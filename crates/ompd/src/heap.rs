//! Memory of the library: all of it is the debugger's, which lends two functions for it (OpenMP 5.1, section 5.4.1).
//! The language's own heap is never used.

use crate::{Callbacks, MemoryAlloc, MemoryFree, Rc};
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

/// The debugger's two functions.
#[derive(Clone, Copy)]
pub struct Heap {
    alloc: MemoryAlloc,
    free: MemoryFree,
}

impl Heap {
    /// The functions of the table; `ompd_rc_bad_input` if they are missing.
    pub fn of(callbacks: &Callbacks) -> Result<Heap, Rc> {
        match (callbacks.alloc_memory, callbacks.free_memory) {
            (Some(alloc), Some(free)) => Ok(Heap { alloc, free }),
            _ => Err(Rc::BAD_INPUT),
        }
    }

    /// Allocates memory for `count` values, not initialised. `ompd_rc_nomem` if the debugger has none.
    pub fn allocate<T>(self, count: usize) -> Result<NonNull<T>, Rc> {
        let bytes = count.checked_mul(size_of::<T>()).ok_or(Rc::NOMEM)?.max(1);
        let mut pointer: *mut c_void = null_mut();
        // SAFETY: the debugger's function from `ompd_initialize`, with a place to write to.
        let answer = unsafe { (self.alloc)(bytes as u64, &mut pointer) };
        if answer != Rc::OK {
            return Err(if answer == Rc::NOMEM { Rc::NOMEM } else { Rc::CALLBACK_ERROR });
        }
        let memory = NonNull::new(pointer.cast::<T>()).ok_or(Rc::NOMEM)?;
        if !memory.as_ptr().is_aligned() {
            self.give_back(pointer);
            return Err(Rc::CALLBACK_ERROR);
        }
        Ok(memory)
    }

    /// Gives memory back. The debugger's answer is ignored.
    pub fn give_back(self, pointer: *mut c_void) {
        // SAFETY: the debugger's function gets memory that the debugger has given, and that has no user left.
        let _ = unsafe { (self.free)(pointer) };
    }
}

/// An array that grows, in the debugger's memory.
pub struct List<T: Copy> {
    heap: Heap,
    start: NonNull<T>,
    len: usize,
    capacity: usize,
}

impl<T: Copy> List<T> {
    /// An empty one, which has no memory yet.
    pub fn new(heap: Heap) -> Self {
        List { heap, start: NonNull::dangling(), len: 0, capacity: 0 }
    }

    /// Appends a value.
    pub fn push(&mut self, value: T) -> Result<(), Rc> {
        if self.len == self.capacity {
            self.reserve(1)?;
        }
        // SAFETY: `reserve` has made the capacity larger than `len`.
        unsafe { self.start.as_ptr().add(self.len).write(value) };
        self.len += 1;
        Ok(())
    }

    /// More values.
    pub fn extend(&mut self, values: &[T]) -> Result<(), Rc> {
        self.reserve(values.len())?;
        // SAFETY: the capacity suffices for as many values behind `len`, and `values` lies elsewhere.
        unsafe { self.start.as_ptr().add(self.len).copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        self.len += values.len();
        Ok(())
    }

    /// Makes the list `len` long; new places get `value`.
    pub fn resize(&mut self, len: usize, value: T) -> Result<(), Rc> {
        self.reserve(len.saturating_sub(self.len))?;
        while self.len < len {
            self.push(value)?;
        }
        self.len = len;
        Ok(())
    }

    /// Reserves space for `more` values.
    fn reserve(&mut self, more: usize) -> Result<(), Rc> {
        let needed = self.len.checked_add(more).ok_or(Rc::NOMEM)?;
        if needed <= self.capacity {
            return Ok(());
        }
        let capacity = needed.max(self.capacity.saturating_mul(2)).max(8);
        let start = self.heap.allocate::<T>(capacity)?;
        // SAFETY: both pieces of memory have at least `len` places, and the new piece is fresh.
        unsafe { start.as_ptr().copy_from_nonoverlapping(self.start.as_ptr(), self.len) };
        self.release();
        self.start = start;
        self.capacity = capacity;
        Ok(())
    }

    /// The values.
    pub fn as_slice(&self) -> &[T] {
        // SAFETY: `len` values are initialised; an empty array has a dangling, aligned start.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }

    /// The values, to change.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        // SAFETY: as in `as_slice`, and `&mut self` excludes other users.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }

    /// Hands the memory to the debugger, which gives it back itself; null for an empty list.
    pub fn into_raw(self) -> (*mut T, usize) {
        let list = std::mem::ManuallyDrop::new(self);
        if list.len == 0 {
            list.release();
            return (null_mut(), 0);
        }
        (list.start.as_ptr(), list.len)
    }

    fn release(&self) {
        if self.capacity != 0 {
            self.heap.give_back(self.start.as_ptr().cast());
        }
    }
}

impl<T: Copy> Drop for List<T> {
    fn drop(&mut self) {
        self.release();
    }
}

/// A string for the debugger, with a zero byte at its end. The debugger gives its memory back itself.
pub fn string(heap: Heap, text: &[u8]) -> Result<*const std::ffi::c_char, Rc> {
    let mut list = List::new(heap);
    list.extend(text)?;
    list.push(0)?;
    Ok(list.into_raw().0.cast_const().cast())
}
