//! Doacross loop nests (`__kmpc_doacross_*`). See [`crate::work::doacross`].

use super::Ident;
use crate::abi::{entry_point, list};
use crate::objects::loops::Dimension;
use crate::work::doacross;

/// `kmp_dim`: one loop of a nest, as the iteration vectors count it.
#[repr(C)]
pub struct Bounds {
    lower: i64,
    upper: i64,
    stride: i64,
}

impl Bounds {
    /// The upper bound is inclusive by the ABI. LLVM's compilers, however, count iterations from 0 and pass their
    /// number as the upper bound, an iteration that does not exist. Without the correction, a `sink` on that iteration
    /// of an inner loop would wait for ever.
    fn dimension(&self, counted_by_llvm: bool) -> Dimension {
        let distance =
            if self.stride < 0 { self.lower.wrapping_sub(self.upper) } else { self.upper.wrapping_sub(self.lower) };
        let empty = if self.stride < 0 { self.lower < self.upper } else { self.upper < self.lower };
        let count = match self.stride.unsigned_abs() {
            _ if empty => 0,
            0 => 1,
            step => (distance as u64 / step).saturating_add(1),
        };
        let one_too_many = counted_by_llvm && self.lower == 0 && self.stride == 1;
        Dimension {
            first: self.lower as u64,
            step: self.stride,
            count,
            exists: count - u64::from(one_too_many && count > 0),
        }
    }
}

/// A component of an iteration vector that the compiler passes.
///
/// # Safety
/// `vector` points to one number for each loop of the nest while the result is used.
unsafe fn component(vector: *const i64) -> impl Fn(usize) -> u64 {
    // SAFETY: the caller keeps to the `# Safety` section.
    move |index| unsafe { *vector.add(index) as u64 }
}

entry_point! {
    /// `__kmpc_doacross_init`: enters a nest of `count` loops; the worksharing loop follows.
    pub fn __kmpc_doacross_init(loc: *const Ident, gtid: i32, count: i32, bounds: *const Bounds), |thread, call, _in| {
        // Only LLVM's code generator fills in the text's length.
        let counted_by_llvm = loc.as_ref().is_some_and(|ident| ident.length != 0);
        doacross::enter(thread, list(count, bounds).iter().map(|bounds| bounds.dimension(counted_by_llvm)));
    }

    /// `__kmpc_doacross_post`: `depend(source)` of the iteration `vector`.
    pub fn __kmpc_doacross_post(loc: *const Ident, gtid: i32, vector: *const i64), |thread, call, _in| {
        doacross::post(thread, component(vector));
    }

    /// `__kmpc_doacross_wait`: `depend(sink: vector)`.
    pub fn __kmpc_doacross_wait(loc: *const Ident, gtid: i32, vector: *const i64), |thread, call, _in| {
        doacross::wait(thread, component(vector));
    }

    /// `__kmpc_doacross_fini`: leaves the nest; the thread has left the loop.
    pub fn __kmpc_doacross_fini(loc: *const Ident, gtid: i32), |thread, call, _in| {
        doacross::leave(thread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_inclusive_but_for_llvm() {
        let numbered = Bounds { lower: 0, upper: 10, stride: 1 };
        assert_eq!(numbered.dimension(false), Dimension::counted(11));
        assert_eq!(numbered.dimension(true), Dimension { exists: 10, ..Dimension::counted(11) });
        let down = Bounds { lower: 9, upper: 0, stride: -2 };
        assert_eq!(down.dimension(true), Dimension { first: 9, step: -2, count: 5, exists: 5 });
        assert_eq!(Bounds { lower: 1, upper: 0, stride: 1 }.dimension(false).count, 0);
        assert_eq!(Bounds { lower: 0, upper: -1, stride: 1 }.dimension(true).count, 0);
        assert_eq!(Bounds { lower: i64::MIN, upper: i64::MAX, stride: 1 }.dimension(false).count, u64::MAX);
    }
}
