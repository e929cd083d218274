//! Arrays as gfortran passes them to a routine that takes no size: by their descriptor.

use std::ffi::c_void;

/// A dimension in a [`Descriptor`].
#[repr(C)]
struct Dimension {
    stride: isize,
    lower: isize,
    upper: isize,
}

/// gfortran's descriptor of an array, as gcc 9 and later have it.
#[repr(C)]
pub struct Descriptor {
    base: *mut c_void,
    offset: usize,
    element: usize,
    version: i32,
    rank: i8,
    kind: i8,
    attribute: i16,
    span: isize,
    /// One a dimension: as many as the rank says.
    dimensions: [Dimension; 0],
}

impl Descriptor {
    /// Where the array is.
    pub fn address(&self) -> *mut c_void {
        self.base
    }

    /// How many bytes it has.
    pub fn bytes(&self) -> usize {
        let rank = usize::try_from(self.rank).unwrap_or(0);
        // SAFETY: behind the descriptor's head there are as many.
        let dimensions = unsafe { std::slice::from_raw_parts(self.dimensions.as_ptr(), rank) };
        let extent = |its: &Dimension| usize::try_from(its.upper - its.lower + 1).unwrap_or(0);
        dimensions.iter().map(extent).product::<usize>() * self.element
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A descriptor with two dimensions.
    #[repr(C)]
    struct Matrix {
        head: Descriptor,
        dimensions: [Dimension; 2],
    }

    #[test]
    fn bytes_of_arrays() {
        let array = |rank, rows: isize, columns: isize| {
            let head = Descriptor {
                base: std::ptr::null_mut(),
                offset: 0,
                element: 8,
                version: 0,
                rank,
                kind: 3,
                attribute: 0,
                span: 8,
                dimensions: [],
            };
            let dimension = |lower, extent| Dimension { stride: 1, lower, upper: lower + extent - 1 };
            Matrix { head, dimensions: [dimension(1, rows), dimension(-3, columns)] }
        };
        let bytes = |matrix: &Matrix| {
            // SAFETY: the dimensions follow the head.
            unsafe { (*std::ptr::from_ref(matrix).cast::<Descriptor>()).bytes() }
        };
        assert_eq!(std::mem::offset_of!(Matrix, dimensions), 40);
        assert_eq!([bytes(&array(0, 9, 9)), bytes(&array(1, 5, 9)), bytes(&array(2, 5, 3))], [8, 40, 120]);
        assert_eq!(bytes(&array(2, 5, -4)), 0);
    }
}
