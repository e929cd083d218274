//! Complex numbers as C passes them.

/// A complex number. Arguments and results of this type are passed as C passes `_Complex` of the same parts, where Rust
/// has an ABI for the parts at all.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Complex<T> {
    /// The real part.
    pub re: T,
    /// The imaginary part.
    pub im: T,
}
