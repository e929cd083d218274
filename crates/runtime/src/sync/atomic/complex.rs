//! Arithmetic on complex numbers, with C's multiplication and division (ISO C Annex G).

use super::operators::{Arithmetic, Convert, add, sub};
use crate::arch::{self, Complex, F128, LongDouble};

/// A real type that complex numbers are made of.
pub trait Part: Arithmetic {
    /// The product, as C has it.
    fn product(a: Complex<Self>, b: Complex<Self>) -> Complex<Self>;
    /// The quotient, as C has it.
    fn quotient(a: Complex<Self>, b: Complex<Self>) -> Complex<Self>;
}

impl<T: Part> Arithmetic for Complex<T> {
    #[inline]
    fn sum(a: Self, b: Self) -> Self {
        Complex { re: add(a.re, b.re), im: add(a.im, b.im) }
    }
    #[inline]
    fn difference(a: Self, b: Self) -> Self {
        Complex { re: sub(a.re, b.re), im: sub(a.im, b.im) }
    }
    #[inline]
    fn product(a: Self, b: Self) -> Self {
        Part::product(a, b)
    }
    #[inline]
    fn quotient(a: Self, b: Self) -> Self {
        Part::quotient(a, b)
    }
}

impl Convert<Complex<f64>> for Complex<f32> {
    fn widen(self) -> Complex<f64> {
        Complex { re: self.re.into(), im: self.im.into() }
    }
    fn narrow(value: Complex<f64>) -> Self {
        Complex { re: value.re as f32, im: value.im as f32 }
    }
}

// What compilers call for complex arithmetic. The functions lie in the compiler's own library, which every program with
// complex numbers is linked with.
unsafe extern "C" {
    safe fn __mulsc3(a: f32, b: f32, c: f32, d: f32) -> Complex<f32>;
    safe fn __divsc3(a: f32, b: f32, c: f32, d: f32) -> Complex<f32>;
    safe fn __muldc3(a: f64, b: f64, c: f64, d: f64) -> Complex<f64>;
    safe fn __divdc3(a: f64, b: f64, c: f64, d: f64) -> Complex<f64>;
}

macro_rules! parts {
    ($($ty:ty: $product:path, $quotient:path;)*) => {$(
        impl Part for $ty {
            fn product(a: Complex<Self>, b: Complex<Self>) -> Complex<Self> {
                $product(a.re, a.im, b.re, b.im)
            }
            fn quotient(a: Complex<Self>, b: Complex<Self>) -> Complex<Self> {
                $quotient(a.re, a.im, b.re, b.im)
            }
        }
    )*};
}

parts! {
    f32: __mulsc3, __divsc3;
    f64: __muldc3, __divdc3;
    LongDouble: arch::complex_product_long_double, arch::complex_quotient_long_double;
    F128: arch::complex_product_f128, arch::complex_quotient_f128;
}

#[cfg(test)]
mod tests {
    use super::super::operators::{div, mul};
    use super::*;

    fn complex<T: Convert<F128>>(re: f64, im: f64) -> Complex<T>
    where
        f64: Convert<F128>,
    {
        Complex { re: T::narrow(re.widen()), im: T::narrow(im.widen()) }
    }

    fn all_four<T: Part + Convert<F128> + PartialEq + std::fmt::Debug>() {
        let (a, b) = (complex::<T>(3.0, -4.0), complex::<T>(0.5, 2.0));
        assert_eq!(add(a, b), complex(3.5, -2.0));
        assert_eq!(sub(a, b), complex(2.5, -6.0));
        assert_eq!(mul(a, b), complex(9.5, 4.0));
        assert_eq!(div(mul(a, b), b), a);
    }

    #[test]
    fn arithmetic_of_every_part() {
        all_four::<f32>();
        all_four::<f64>();
        all_four::<LongDouble>();
    }

    #[test]
    fn infinities_are_recovered() {
        let infinite = Complex { re: f64::INFINITY, im: f64::NAN };
        assert!(mul(infinite, Complex { re: 1.0, im: 1.0 }).re.is_infinite());
    }
}
