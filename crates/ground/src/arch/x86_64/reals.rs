//! The real types of C that Rust lacks on x86-64: `long double` (the x87 format of 80 bits) and `_Float128`, with the
//! complex arithmetic on them. The compiler's library computes with `_Float128` and with complex numbers.

use crate::arch::Complex;
use std::arch::x86_64::__m128i;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// `long double`: ten bytes in the x87 format, then padding. C passes arguments of this type on the stack and returns
/// results in an x87 register, so that no Rust function can have either: see `entry_takes_long_double!`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct LongDouble([u8; 16]);

/// `_Float128`, passed in a vector register.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct F128(__m128i);

/// `*out = *a <instruction> *b` on the x87 stack.
macro_rules! x87 {
    ($instruction:literal, $a:expr, $b:expr) => {{
        let mut out = LongDouble([0; 16]);
        // SAFETY: reads ten bytes of each operand and writes ten of the result; leaves the x87 stack as
        // it was.
        unsafe {
            std::arch::asm!(
                "fld tbyte ptr [{a}]",
                "fld tbyte ptr [{b}]",
                $instruction,
                "fstp tbyte ptr [{out}]",
                a = in(reg) &raw const $a,
                b = in(reg) &raw const $b,
                out = in(reg) &raw mut out,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        out
    }};
}

macro_rules! binary {
    ($($ty:ident $operator:ident $method:ident: $compute:expr;)*) => {$(
        impl $operator for $ty {
            type Output = $ty;
            fn $method(self, other: $ty) -> $ty {
                $compute(self, other)
            }
        }
    )*};
}

binary! {
    LongDouble Add add: |a, b| x87!("faddp st(1), st", a, b);
    LongDouble Sub sub: |a, b| x87!("fsubp st(1), st", a, b);
    LongDouble Mul mul: |a, b| x87!("fmulp st(1), st", a, b);
    LongDouble Div div: |a, b| x87!("fdivp st(1), st", a, b);
    F128 Add add: __addtf3;
    F128 Sub sub: __subtf3;
    F128 Mul mul: __multf3;
    F128 Div div: __divtf3;
}

impl PartialEq for LongDouble {
    fn eq(&self, other: &LongDouble) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for LongDouble {
    fn partial_cmp(&self, other: &LongDouble) -> Option<Ordering> {
        let (below, equal, unordered): (u8, u8, u8);
        // SAFETY: reads ten bytes of each operand; leaves the x87 stack as it was.
        unsafe {
            std::arch::asm!(
                "fld tbyte ptr [{b}]",
                "fld tbyte ptr [{a}]",
                "fucomip st, st(1)",
                "setb {below}",
                "sete {equal}",
                "setp {unordered}",
                "fstp st(0)",
                a = in(reg) self,
                b = in(reg) other,
                below = out(reg_byte) below,
                equal = out(reg_byte) equal,
                unordered = out(reg_byte) unordered,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack, readonly),
            );
        }
        match (unordered, equal, below) {
            (1, ..) => None,
            (_, 1, _) => Some(Ordering::Equal),
            (_, _, 1) => Some(Ordering::Less),
            _ => Some(Ordering::Greater),
        }
    }
}

// The compiler's library.
#[allow(improper_ctypes, reason = "F128 is one vector register, which is how C passes _Float128")]
unsafe extern "C" {
    safe fn __addtf3(a: F128, b: F128) -> F128;
    safe fn __subtf3(a: F128, b: F128) -> F128;
    safe fn __multf3(a: F128, b: F128) -> F128;
    safe fn __divtf3(a: F128, b: F128) -> F128;
    safe fn __unordtf2(a: F128, b: F128) -> i32;
    safe fn __letf2(a: F128, b: F128) -> i32;
    safe fn __floatditf(value: i64) -> F128;
    safe fn __floatunditf(value: u64) -> F128;
    safe fn __fixtfdi(value: F128) -> i64;
    safe fn __fixunstfdi(value: F128) -> u64;
    safe fn __extendsftf2(value: f32) -> F128;
    safe fn __extenddftf2(value: f64) -> F128;
    safe fn __trunctfsf2(value: F128) -> f32;
    safe fn __trunctfdf2(value: F128) -> f64;
    /// `(a + bi) * (c + di)`
    #[link_name = "__multc3"]
    pub safe fn complex_product_f128(a: F128, b: F128, c: F128, d: F128) -> Complex<F128>;
    /// `(a + bi) / (c + di)`
    #[link_name = "__divtc3"]
    pub safe fn complex_quotient_f128(a: F128, b: F128, c: F128, d: F128) -> Complex<F128>;
}

impl PartialEq for F128 {
    fn eq(&self, other: &F128) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for F128 {
    fn partial_cmp(&self, other: &F128) -> Option<Ordering> {
        (__unordtf2(*self, *other) == 0).then(|| __letf2(*self, *other).cmp(&0))
    }
}

macro_rules! f128_conversions {
    ($($from:ident $to:ident $ty:ty: $widen:ident $narrow:ident;)*) => {
        /// Conversions, as C's casts.
        impl F128 {
            $(
                pub fn $from(value: $ty) -> F128 {
                    $widen(value)
                }
                pub fn $to(self) -> $ty {
                    $narrow(self)
                }
            )*

            pub fn from_long_double(value: LongDouble) -> F128 {
                // SAFETY: points to a value.
                unsafe { extend(&value) }
            }
            pub fn to_long_double(self) -> LongDouble {
                let mut out = LongDouble([0; 16]);
                // SAFETY: points to room for a value.
                unsafe { truncate(&mut out, self) };
                out
            }
        }
    };
}

f128_conversions! {
    from_i64 to_i64 i64: __floatditf __fixtfdi;
    from_u64 to_u64 u64: __floatunditf __fixunstfdi;
    from_f32 to_f32 f32: __extendsftf2 __trunctfsf2;
    from_f64 to_f64 f64: __extenddftf2 __trunctfdf2;
}

/// `*value` as `_Float128`: calls the library's function, which takes a `long double`.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
#[allow(improper_ctypes_definitions, reason = "as above")]
unsafe extern "C" fn extend(value: *const LongDouble) -> F128 {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "sub rsp, 24",
        ".cfi_adjust_cfa_offset 24",
        "fld tbyte ptr [rdi]",
        "fstp tbyte ptr [rsp]",
        "call __extendxftf2@PLT",
        "add rsp, 24",
        ".cfi_adjust_cfa_offset -24",
        "ret",
        ".cfi_endproc",
    )
}

/// `value` as `long double`: calls the library's function, which returns one.
// SAFETY: the body is assembly that keeps to the ABI.
#[unsafe(naked)]
#[allow(improper_ctypes_definitions, reason = "as above")]
unsafe extern "C" fn truncate(out: *mut LongDouble, value: F128) {
    std::arch::naked_asm!(
        ".cfi_startproc",
        "push rdi",
        ".cfi_adjust_cfa_offset 8",
        "call __trunctfxf2@PLT",
        "pop rdi",
        ".cfi_adjust_cfa_offset -8",
        "fstp tbyte ptr [rdi]",
        "ret",
        ".cfi_endproc",
    )
}

/// Functions of complex `long double` over the library's: those take four arguments on the stack, and return in two x87
/// registers.
macro_rules! complex_long_double {
    ($($(#[$meta:meta])* $name:ident $function:literal;)*) => {$(
        $(#[$meta])*
        pub fn $name(a: LongDouble, b: LongDouble, c: LongDouble, d: LongDouble) -> Complex<LongDouble> {
            // SAFETY: the body is assembly that keeps to the ABI.
            #[unsafe(naked)]
            unsafe extern "C" fn on_the_stack(out: *mut Complex<LongDouble>, operands: *const [LongDouble; 4]) {
                std::arch::naked_asm!(
                    ".cfi_startproc",
                    "push rbx",
                    ".cfi_adjust_cfa_offset 8",
                    ".cfi_offset rbx, -16",
                    "sub rsp, 64",
                    ".cfi_adjust_cfa_offset 64",
                    "mov rbx, rdi",
                    "fld tbyte ptr [rsi]",
                    "fstp tbyte ptr [rsp]",
                    "fld tbyte ptr [rsi + 16]",
                    "fstp tbyte ptr [rsp + 16]",
                    "fld tbyte ptr [rsi + 32]",
                    "fstp tbyte ptr [rsp + 32]",
                    "fld tbyte ptr [rsi + 48]",
                    "fstp tbyte ptr [rsp + 48]",
                    concat!("call ", $function, "@PLT"),
                    "fstp tbyte ptr [rbx]",
                    "fstp tbyte ptr [rbx + 16]",
                    "add rsp, 64",
                    ".cfi_adjust_cfa_offset -64",
                    "pop rbx",
                    ".cfi_adjust_cfa_offset -8",
                    ".cfi_restore rbx",
                    "ret",
                    ".cfi_endproc",
                )
            }
            let nothing = LongDouble([0; 16]);
            let mut out = Complex { re: nothing, im: nothing };
            // SAFETY: both point to what the function asks for.
            unsafe { on_the_stack(&mut out, &[a, b, c, d]) };
            out
        }
    )*};
}

complex_long_double! {
    /// `(a + bi) * (c + di)`
    complex_product_long_double "__mulxc3";
    /// `(a + bi) / (c + di)`
    complex_quotient_long_double "__divxc3";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(value: f64) -> F128 {
        F128::from_f64(value)
    }

    fn extended(value: f64) -> LongDouble {
        wide(value).to_long_double()
    }

    #[test]
    fn x87_operands_are_in_order() {
        let (a, b) = (extended(7.0), extended(2.0));
        let value = |x: LongDouble| F128::from_long_double(x).to_f64();
        assert_eq!([a + b, a - b, a * b, a / b].map(value), [9.0, 5.0, 14.0, 3.5]);
    }

    #[test]
    fn x87_keeps_sixty_four_bits() {
        let exact = F128::from_u64(u64::MAX).to_long_double();
        assert_eq!(F128::from_long_double(exact).to_u64(), u64::MAX);
        assert_ne!(exact, extended(u64::MAX as f64));
    }

    #[test]
    fn comparisons_know_nan() {
        let nan = f64::NAN;
        assert!(extended(1.0) < extended(2.0) && extended(2.0) > extended(1.0) && extended(-0.0) == extended(0.0));
        assert!(extended(1.0).partial_cmp(&extended(nan)).is_none());
        assert!(wide(1.0) < wide(2.0) && wide(2.0) > wide(1.0) && wide(-0.0) == wide(0.0));
        assert!(wide(nan).partial_cmp(&wide(1.0)).is_none());
    }
}
