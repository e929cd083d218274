//! The operators of atomic updates, as C and Fortran have them for each type (OpenMP 5.1 §2.19.7).
//!
//! They are generic functions, named as the ABI names them, over one trait for each kind of type.

use crate::arch::{F128, LongDouble};

/// What can be added, subtracted, multiplied and divided.
pub trait Arithmetic: Copy {
    fn sum(self, other: Self) -> Self;
    fn difference(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn quotient(self, other: Self) -> Self;
}

/// What has an order.
pub trait Ordered: Copy {
    /// Whether `self < other`; false for what is not comparable.
    fn less(self, other: Self) -> bool;
}

/// What has bits.
pub trait Bits: Copy {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn exclusive_or(self, other: Self) -> Self;
    fn complement(self) -> Self;
    /// Shifts, after C's promotion to `int`: of a narrow type all bits can be shifted out. A shift by
    /// more than the promoted type's bits has no meaning in C; the processor's is to shift by the
    /// remainder.
    fn shifted_left(self, by: Self) -> Self;
    fn shifted_right(self, by: Self) -> Self;
    /// 1 or 0.
    fn truth(value: bool) -> Self;
    fn is_true(self) -> bool;
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
        pub fn $name<T: $kind>($a: T, $b: T) -> T {
            $body
        }
    )*};
}

operators! {
    /// `a + b`
    add<Arithmetic>(a, b) a.sum(b);
    /// `a - b`
    sub<Arithmetic>(a, b) a.difference(b);
    /// `a * b`
    mul<Arithmetic>(a, b) a.product(b);
    /// `a / b`
    div<Arithmetic>(a, b) a.quotient(b);
    /// The smaller one; `a` where they do not compare.
    min<Ordered>(a, b) if b.less(a) { b } else { a };
    /// The larger one; `a` where they do not compare.
    max<Ordered>(a, b) if a.less(b) { b } else { a };
    /// `a & b`
    andb<Bits>(a, b) a.and(b);
    /// `a | b`
    orb<Bits>(a, b) a.or(b);
    /// `a ^ b`
    xor<Bits>(a, b) a.exclusive_or(b);
    /// `a << b`
    shl<Bits>(a, b) a.shifted_left(b);
    /// `a >> b`
    shr<Bits>(a, b) a.shifted_right(b);
    /// `a && b`
    andl<Bits>(a, b) T::truth(a.is_true() && b.is_true());
    /// `a || b`
    orl<Bits>(a, b) T::truth(a.is_true() || b.is_true());
    /// Fortran's `.eqv.`: the bits in which `a` and `b` agree.
    eqv<Bits>(a, b) a.exclusive_or(b.complement());
    /// Fortran's `.neqv.`: the bits in which they differ.
    neqv<Bits>(a, b) a.exclusive_or(b);
}

/// What an integer division by zero does in the program's own code.
#[cold]
fn divided_by_zero() {
    // SAFETY: takes a number; the program may have a handler.
    unsafe { libc::raise(libc::SIGFPE) };
}

macro_rules! integers {
    ($($ty:ident, promoted $promoted:ident, converted $widen:ident $narrow:ident;)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn quotient(self, other: Self) -> Self {
                if other == 0 {
                    divided_by_zero();
                    return self;
                }
                self.wrapping_div(other)
            }
        }

        impl Ordered for $ty {
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
        }

        impl Bits for $ty {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn exclusive_or(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn complement(self) -> Self {
                !self
            }
            #[inline(always)]
            fn shifted_left(self, by: Self) -> Self {
                $promoted::from(self).wrapping_shl(by as u32) as $ty
            }
            #[inline(always)]
            fn shifted_right(self, by: Self) -> Self {
                $promoted::from(self).wrapping_shr(by as u32) as $ty
            }
            #[inline(always)]
            fn truth(value: bool) -> Self {
                value.into()
            }
            #[inline(always)]
            fn is_true(self) -> bool {
                self != 0
            }
        }

        impl Convert<f64> for $ty {
            fn widen(self) -> f64 {
                self as f64
            }
            fn narrow(value: f64) -> Self {
                value as $ty
            }
        }

        impl Convert<F128> for $ty {
            fn widen(self) -> F128 {
                F128::$widen(self.into())
            }
            fn narrow(value: F128) -> Self {
                value.$narrow() as $ty
            }
        }
    )*};
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

macro_rules! reals {
    ($($ty:ident)*) => {$(
        impl Arithmetic for $ty {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn difference(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn quotient(self, other: Self) -> Self {
                self / other
            }
        }

        impl Ordered for $ty {
            #[inline(always)]
            fn less(self, other: Self) -> bool {
                self < other
            }
        }
    )*};
}

reals! { f32 f64 LongDouble F128 }

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

conversions! {
    f32 to F128: F128::from_f32, F128::to_f32;
    f64 to F128: F128::from_f64, F128::to_f64;
    LongDouble to F128: F128::from_long_double, F128::to_long_double;
    f32 to f64: f64::from, |value| value as f32;
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
