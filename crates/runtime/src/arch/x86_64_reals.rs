//! The real types of C that Rust lacks on x86-64: `long double` (the x87 format of 80 bits) and
//! `_Float128`, with the complex arithmetic on them. The latter is done by the compiler's library.

use crate::arch::complex::Complex;
use std::arch::x86_64::__m128i;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

/// `long double`: ten bytes in the x87 format, then padding. As an argument it would be passed on the stack,
/// as a result in an x87 register: no Rust function can have it as either, see `abi/kmpc/atomic`.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug)]
pub struct F80([u8; 16]);

/// `_Float128`, passed in a vector register.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct F128(__m128i);

/// `*out = *a <instruction> *b` on the x87 stack.
macro_rules! x87 {
    ($instruction:literal, $a:expr, $b:expr) => {{
        let mut out = F80([0; 16]);
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

macro_rules! x87_operators {
    ($($operator:ident $method:ident $instruction:literal;)*) => {$(
        impl $operator for F80 {
            type Output = F80;
            fn $method(self, other: F80) -> F80 {
                x87!($instruction, self, other)
            }
        }
    )*};
}

x87_operators! {
    Add add "faddp st(1), st";
    Sub sub "fsubp st(1), st";
    Mul mul "fmulp st(1), st";
    Div div "fdivp st(1), st";
}

impl PartialEq for F80 {
    fn eq(&self, other: &F80) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for F80 {
    fn partial_cmp(&self, other: &F80) -> Option<Ordering> {
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
    safe fn __multc3(a: F128, b: F128, c: F128, d: F128) -> Complex<F128>;
    safe fn __divtc3(a: F128, b: F128, c: F128, d: F128) -> Complex<F128>;
}

macro_rules! f128_operators {
    ($($operator:ident $method:ident $function:ident;)*) => {$(
        impl $operator for F128 {
            type Output = F128;
            fn $method(self, other: F128) -> F128 {
                $function(self, other)
            }
        }
    )*};
}

f128_operators! {
    Add add __addtf3;
    Sub sub __subtf3;
    Mul mul __multf3;
    Div div __divtf3;
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

            pub fn from_f80(value: F80) -> F128 {
                // SAFETY: points to a value.
                unsafe { extend(&value) }
            }
            pub fn to_f80(self) -> F80 {
                let mut out = F80([0; 16]);
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
unsafe extern "C" fn extend(value: *const F80) -> F128 {
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
unsafe extern "C" fn truncate(out: *mut F80, value: F128) {
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

/// A function that calls the library's for complex `long double`: four arguments on the stack, the
/// result in two x87 registers.
macro_rules! complex_f80 {
    ($name:ident, $function:literal) => {
        // SAFETY: the body is assembly that keeps to the ABI.
        #[unsafe(naked)]
        unsafe extern "C" fn $name(out: *mut Complex<F80>, operands: *const [F80; 4]) {
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
    };
}

complex_f80! { multiply_f80, "__mulxc3" }
complex_f80! { divide_f80, "__divxc3" }

fn on_stack(function: unsafe extern "C" fn(*mut Complex<F80>, *const [F80; 4]), operands: [F80; 4]) -> Complex<F80> {
    let nothing = F80([0; 16]);
    let mut out = Complex { re: nothing, im: nothing };
    // SAFETY: both point to what the function asks for.
    unsafe { function(&mut out, &operands) };
    out
}

/// `(a + bi) * (c + di)`
pub fn complex_product_f80(a: F80, b: F80, c: F80, d: F80) -> Complex<F80> {
    on_stack(multiply_f80, [a, b, c, d])
}

/// `(a + bi) / (c + di)`
pub fn complex_quotient_f80(a: F80, b: F80, c: F80, d: F80) -> Complex<F80> {
    on_stack(divide_f80, [a, b, c, d])
}

/// `(a + bi) * (c + di)`
pub fn complex_product_f128(a: F128, b: F128, c: F128, d: F128) -> Complex<F128> {
    __multc3(a, b, c, d)
}

/// `(a + bi) / (c + di)`
pub fn complex_quotient_f128(a: F128, b: F128, c: F128, d: F128) -> Complex<F128> {
    __divtc3(a, b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(value: f64) -> F128 {
        F128::from_f64(value)
    }

    fn extended(value: f64) -> F80 {
        wide(value).to_f80()
    }

    #[test]
    fn x87_operands_are_in_order() {
        let (a, b) = (extended(7.0), extended(2.0));
        let value = |x: F80| F128::from_f80(x).to_f64();
        assert_eq!([a + b, a - b, a * b, a / b].map(value), [9.0, 5.0, 14.0, 3.5]);
    }

    #[test]
    fn x87_keeps_sixty_four_bits() {
        let exact = F128::from_u64(u64::MAX).to_f80();
        assert_eq!(F128::from_f80(exact).to_u64(), u64::MAX);
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
