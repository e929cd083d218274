//! The operators of atomic updates, as C and Fortran have them for each type (OpenMP 5.1 §2.19.7).
//!
//! They are generic functions, named as the ABI names them, over one trait for each kind of type.

use crate::arch::{F128, LongDouble};
use std::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Not, Sub};

/// What can be added, subtracted, multiplied and divided.
pub trait Arithmetic: Copy {
    fn sum(a: Self, b: Self) -> Self;
    fn difference(a: Self, b: Self) -> Self;
    fn product(a: Self, b: Self) -> Self;
    fn quotient(a: Self, b: Self) -> Self;
}

/// What has bits.
pub trait Bits:
    Copy + Eq + From<bool> + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// Shifts, after C's promotion to `int`: of a narrow type all bits can be shifted out. C gives no meaning to a
    /// shift by more than the promoted type's bits. Processors shift by the remainder, and so does this.
    fn shifted_left(self, by: Self) -> Self;
    fn shifted_right(self, by: Self) -> Self;
}

/// A type that a mixed operation converts to a wider one and back.
pub trait Convert<Wide>: Copy {
    fn widen(self) -> Wide;
    fn narrow(value: Wide) -> Self;
}

macro_rules! operators {
    ($($(#[$meta:meta])* $name:ident<$kind:ident>($a:ident, $b:ident) $body:expr;)*) => {$(
        $(#[$meta])*
        #[inline(always)]
        pub fn $name<T: Copy + $kind>($a: T, $b: T) -> T {
            $body
        }
    )*};
}

operators! {
    /// `a + b`
    add<Arithmetic>(a, b) T::sum(a, b);
    /// `a - b`
    sub<Arithmetic>(a, b) T::difference(a, b);
    /// `a * b`
    mul<Arithmetic>(a, b) T::product(a, b);
    /// `a / b`
    div<Arithmetic>(a, b) T::quotient(a, b);
    /// The smaller one; `a` if they do not compare.
    min<PartialOrd>(a, b) if b < a { b } else { a };
    /// The larger one; `a` if they do not compare.
    max<PartialOrd>(a, b) if a < b { b } else { a };
    /// `a & b`
    andb<Bits>(a, b) a & b;
    /// `a | b`
    orb<Bits>(a, b) a | b;
    /// `a ^ b`
    xor<Bits>(a, b) a ^ b;
    /// `a << b`
    shl<Bits>(a, b) a.shifted_left(b);
    /// `a >> b`
    shr<Bits>(a, b) a.shifted_right(b);
    /// `a && b`
    andl<Bits>(a, b) T::from(a != T::from(false) && b != T::from(false));
    /// `a || b`
    orl<Bits>(a, b) T::from(a != T::from(false) || b != T::from(false));
    /// Fortran's `.eqv.`: the bits in which `a` and `b` agree.
    eqv<Bits>(a, b) a ^ !b;
    /// Fortran's `.neqv.`: the bits in which they differ.
    neqv<Bits>(a, b) a ^ b;
}

macro_rules! arithmetic {
    ($ty:ident: $($method:ident $compute:expr),*) => {
        impl Arithmetic for $ty {$(
            #[inline(always)]
            fn $method(a: Self, b: Self) -> Self {
                $compute(a, b)
            }
        )*}
    };
}

arithmetic! { f32: sum Add::add, difference Sub::sub, product Mul::mul, quotient Div::div }
arithmetic! { f64: sum Add::add, difference Sub::sub, product Mul::mul, quotient Div::div }
arithmetic! { LongDouble: sum Add::add, difference Sub::sub, product Mul::mul, quotient Div::div }
arithmetic! { F128: sum Add::add, difference Sub::sub, product Mul::mul, quotient Div::div }

macro_rules! conversions {
    ($($ty:ident to $wide:ident: $widen:expr, $narrow:expr;)*) => {$(
        impl Convert<$wide> for $ty {
            fn widen(self) -> $wide {
                $widen(self)
            }
            fn narrow(value: $wide) -> Self {
                $narrow(value)
            }
        }
    )*};
}

macro_rules! integers {
    ($($ty:ident, promoted $promoted:ident, converted $widen:ident $narrow:ident;)*) => {$(
        arithmetic! {
            $ty: sum <$ty>::wrapping_add, difference <$ty>::wrapping_sub, product <$ty>::wrapping_mul,
            quotient |a: $ty, b: $ty| if b == 0 { divided_by_zero(a) } else { a.wrapping_div(b) }
        }

        impl Bits for $ty {
            #[inline(always)]
            fn shifted_left(self, by: Self) -> Self {
                $promoted::from(self).wrapping_shl(by as u32) as $ty
            }
            #[inline(always)]
            fn shifted_right(self, by: Self) -> Self {
                $promoted::from(self).wrapping_shr(by as u32) as $ty
            }
        }

        conversions! {
            $ty to f64: |value| value as f64, |value| value as $ty;
            $ty to F128: |value: $ty| F128::$widen(value.into()), |value: F128| value.$narrow() as $ty;
        }
    )*};
}

/// Does what an integer division by zero does in the program's own code. If the program goes on, `a` stays.
#[cold]
fn divided_by_zero<T>(a: T) -> T {
    // SAFETY: takes a number; the program may have a handler.
    unsafe { libc::raise(libc::SIGFPE) };
    a
}

conversions! {
    f32 to F128: F128::from_f32, F128::to_f32;
    f64 to F128: F128::from_f64, F128::to_f64;
    LongDouble to F128: F128::from_long_double, F128::to_long_double;
    f32 to f64: f64::from, |value| value as f32;
}

integers! {
    i8, promoted i32, converted from_i64 to_i64;
    u8, promoted i32, converted from_u64 to_u64;
    i16, promoted i32, converted from_i64 to_i64;
    u16, promoted i32, converted from_u64 to_u64;
    i32, promoted i32, converted from_i64 to_i64;
    u32, promoted u32, converted from_u64 to_u64;
    i64, promoted i64, converted from_i64 to_i64;
    u64, promoted u64, converted from_u64 to_u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_integers_are_promoted() {
        assert_eq!(shl(1_i8, 9), 0);
        assert_eq!(shr(-2_i8, 20), -1);
        assert_eq!(shr(0x80_u8, 7), 1);
        assert_eq!(shl(1_i32, 33), 2);
        assert_eq!(div(i8::MIN, -1), i8::MIN);
        assert_eq!(shr(-1_i64, 63), -1);
        assert_eq!(shr(u64::MAX, 63), 1);
    }

    #[test]
    fn logic_and_equivalence() {
        assert_eq!([andl(6_i32, 1), andl(6, 0), orl(0, 4), orl(0, 0)], [1, 0, 1, 0]);
        assert_eq!(eqv(0b1100_i8, 0b1010), !0b0110);
        assert_eq!(neqv(0b1100_i8, 0b1010), 0b0110);
    }

    #[test]
    fn what_does_not_compare_changes_nothing() {
        assert_eq!(max(1.0_f64, f64::NAN), 1.0);
        assert!(min(f32::NAN, 1.0).is_nan());
    }

    #[test]
    fn conversions_round_trip() {
        assert_eq!(i64::narrow(F128::from_i64(i64::MIN)), i64::MIN);
        assert_eq!(u64::narrow(F128::from_u64(u64::MAX)), u64::MAX);
        assert_eq!(i8::narrow(div::<F128>((-7_i8).widen(), 2_i8.widen())), -3);
        assert_eq!(f32::narrow(Convert::<F128>::widen(0.1_f32)), 0.1);
        assert_eq!(f64::narrow(Convert::<F128>::widen(0.1_f64)), 0.1);
    }
}
