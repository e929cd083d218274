//! Device memory routines on the host (OpenMP 5.1 §3.8): copying and filling, at once or in a target task.

use super::Synchronisation;
use super::fallback::create;
use crate::abi::Call;
use crate::ompt::Entered;
use crate::task::{self, Body};
use crate::thread::Thread;
use std::ffi::c_void;

/// As many dimensions as a copied rectangle may have: there is no limit.
pub const MAX_DIMENSIONS: i32 = i32::MAX;

/// Memory of the host; null if there is none left.
pub fn allocate(bytes: usize) -> *mut c_void {
    // SAFETY: takes a size.
    unsafe { libc::malloc(bytes) }
}

/// Gives back memory that [`allocate`] has given.
///
/// # Safety
/// As for `free`.
pub unsafe fn free(memory: *mut c_void) {
    // SAFETY: the caller's.
    unsafe { libc::free(memory) };
}

/// An operation on memory that may be done later.
pub trait Operation: Sized {
    /// Does it.
    ///
    /// # Safety
    /// The memory is there and nobody else writes to it, or to what is read.
    unsafe fn perform(&self);

    /// Does it in a target task, in the order that dependences ask for.
    ///
    /// # Safety
    /// As for [`perform`](Self::perform), until the task is complete.
    unsafe fn perform_in_task(self, thread: &'static Thread, order: Synchronisation, call: Call) {
        const { assert!(align_of::<Self>() <= 16) };
        let _in = Entered::new(thread, call);
        let task = create(thread, size_of::<Self>(), order);
        let payload = task.payload().cast::<Self>();
        // SAFETY: the payload has room for the operation, is aligned to 16 and nobody else's yet.
        unsafe { payload.write(self) };
        let body = run::<Self> as unsafe extern "C" fn(*mut Self);
        task.set_body(Body { function: body as *const c_void, a: payload as usize, b: 0, after: std::ptr::null() });
        task::launch(thread, task, order.dependences, call);
    }
}

/// The body of the task.
unsafe extern "C" fn run<T: Operation>(operation: *mut T) {
    // SAFETY: `perform_in_task` has put one there for this call alone.
    let operation = unsafe { operation.read() };
    // SAFETY: its caller's.
    unsafe { operation.perform() };
}

/// `memmove`
pub struct Copy {
    pub to: *mut u8,
    pub from: *const u8,
    pub bytes: usize,
}

impl Operation for Copy {
    unsafe fn perform(&self) {
        // SAFETY: the caller's; the two may overlap.
        unsafe { std::ptr::copy(self.from, self.to, self.bytes) };
    }
}

/// `memset`
pub struct Fill {
    pub to: *mut u8,
    pub value: u8,
    pub bytes: usize,
}

impl Operation for Fill {
    unsafe fn perform(&self) {
        // SAFETY: the caller's.
        unsafe { std::ptr::write_bytes(self.to, self.value, self.bytes) };
    }
}

/// Copies a part of a multidimensional array to a part of another.
pub struct Rectangle {
    to: *mut u8,
    from: *const u8,
    /// Bytes that lie together in both.
    run: usize,
    /// The other dimensions, outermost first.
    outer: Vec<Dimension>,
}

/// A dimension of a rectangle: how many there are, and how many bytes lie between one and the next in either array.
struct Dimension {
    count: usize,
    to_stride: usize,
    from_stride: usize,
}

impl Rectangle {
    /// A rectangle of `volume` elements of `element` bytes, at the offsets given in arrays of the dimensions given. `None` where a
    /// number of bytes is larger than any memory, or there is no dimension.
    pub fn new(
        (to, from): (*mut u8, *const u8),
        element: usize,
        volume: &[usize],
        (to_offsets, from_offsets): (&[usize], &[usize]),
        (to_dimensions, from_dimensions): (&[usize], &[usize]),
    ) -> Option<Self> {
        let (mut to_stride, mut from_stride, mut to_start, mut from_start) = (element, element, 0_usize, 0_usize);
        let mut dimensions = Vec::with_capacity(volume.len());
        for index in (0..volume.len()).rev() {
            dimensions.push(Dimension { count: volume[index], to_stride, from_stride });
            to_start = to_start.checked_add(to_offsets[index].checked_mul(to_stride)?)?;
            from_start = from_start.checked_add(from_offsets[index].checked_mul(from_stride)?)?;
            to_stride = to_stride.checked_mul(to_dimensions[index])?;
            from_stride = from_stride.checked_mul(from_dimensions[index])?;
        }
        dimensions.reverse();
        let run = dimensions.pop()?.count.checked_mul(element)?;
        Some(Rectangle { to: to.wrapping_add(to_start), from: from.wrapping_add(from_start), run, outer: dimensions })
    }

    /// # Safety
    /// As for [`Operation::perform`].
    unsafe fn copy(&self, to: *mut u8, from: *const u8, outer: &[Dimension]) {
        match outer {
            // SAFETY: the caller's; the two may overlap.
            [] => unsafe { std::ptr::copy(from, to, self.run) },
            [dimension, inner @ ..] => {
                for number in 0..dimension.count {
                    let to = to.wrapping_add(number * dimension.to_stride);
                    // SAFETY: the caller's.
                    unsafe { self.copy(to, from.wrapping_add(number * dimension.from_stride), inner) };
                }
            }
        }
    }
}

impl Operation for Rectangle {
    unsafe fn perform(&self) {
        // SAFETY: the caller's.
        unsafe { self.copy(self.to, self.from, &self.outer) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copied(volume: &[usize], offsets: (&[usize], &[usize]), dimensions: (&[usize], &[usize])) -> Option<[u8; 12]> {
        let from: [u8; 12] = std::array::from_fn(|index| index as u8);
        let mut to = [99; 12];
        let rectangle = Rectangle::new((to.as_mut_ptr(), from.as_ptr()), 1, volume, offsets, dimensions)?;
        // SAFETY: the tests' rectangles lie in the arrays.
        unsafe { rectangle.perform() };
        Some(to)
    }

    #[test]
    fn rectangles() {
        let corner = copied(&[2, 2], (&[1, 0], &[0, 2]), (&[3, 4], &[3, 4]));
        assert_eq!(corner, Some([99, 99, 99, 99, 2, 3, 99, 99, 6, 7, 99, 99]));
        let line = copied(&[3], (&[9], &[1]), (&[12], &[12]));
        assert_eq!(line, Some([99, 99, 99, 99, 99, 99, 99, 99, 99, 1, 2, 3]));
        let other_shape = copied(&[2, 1, 2], (&[0, 0, 0], &[0, 1, 0]), (&[2, 2, 3], &[2, 3, 2]));
        assert_eq!(other_shape, Some([2, 3, 99, 99, 99, 99, 8, 9, 99, 99, 99, 99]));
        assert_eq!(copied(&[2, 0], (&[0, 0], &[0, 0]), (&[3, 4], &[3, 4])), Some([99; 12]));
    }

    #[test]
    fn impossible_rectangles() {
        assert!(copied(&[], (&[], &[]), (&[], &[])).is_none());
        assert!(copied(&[1, 1], (&[usize::MAX, 0], &[0, 0]), (&[3, 4], &[3, 4])).is_none());
    }
}
