//! Complex numbers, laid out and passed as C's `_Complex`.

/// A complex number. Arguments and results of this type are passed as C passes `_Complex` of the same
/// parts, where Rust has an ABI for the parts at all.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}
