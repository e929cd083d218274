//! Loop nests that the program describes to the runtime (`__kmpc_for_collapsed_init` and its kin).
//! See [`crate::work::collapse`].

use super::{Ident, work};
use crate::abi::wide_entry_point;
use crate::objects::call::Call;
use crate::objects::{current, switch};
use crate::work::collapse::{self, Loop, Type};
use std::ffi::c_void;

/// `bounds_info_t`: one loop of a nest. Narrow numbers lie in the low bytes of their fields.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bounds {
    /// In which bounds are calculated: `loop_type_t`.
    loop_type: i32,
    /// The loop variable's own type.
    variable_type: i32,
    /// `comparison_t`: how the variable is compared with its upper bound.
    comparison: i32,
    /// The loop on whose variable the bounds depend.
    outer: i32,
    lower: u64,
    lower_factor: u64,
    upper: u64,
    upper_factor: u64,
    step: i64,
    /// Iterations of the loop, filled in for rectangular nests.
    trips: u64,
}

const LESS_OR_EQUAL: i32 = 0;
const GREATER_OR_EQUAL: i32 = 1;
const NOT_EQUAL: i32 = 2;
const LESS: i32 = 3;
const GREATER: i32 = 4;

/// The type that a `loop_type_t` stands for: 8, 16, 32 and 64 bits, first unsigned, then signed.
fn type_of(number: i32) -> Type {
    let number = number.clamp(0, 7);
    Type { bits: 8 << (number / 2), signed: number % 2 == 1 }
}

impl Bounds {
    fn step(&self) -> i64 {
        let step = if type_of(self.loop_type).bits == 32 { i64::from(self.step as i32) } else { self.step };
        // A step of 0 breaks the specification's rules; it counts as the smallest in the loop's direction.
        match (step, self.comparison) {
            (0, GREATER | GREATER_OR_EQUAL) => -1,
            (0, _) => 1,
            _ => step,
        }
    }

    /// Makes the upper bound inclusive.
    fn make_canonical(&mut self) {
        let downwards = match self.comparison {
            NOT_EQUAL => self.step() < 0,
            LESS => false,
            GREATER => true,
            _ => return,
        };
        (self.comparison, self.upper) = if downwards {
            (GREATER_OR_EQUAL, self.upper.wrapping_add(1))
        } else {
            (LESS_OR_EQUAL, self.upper.wrapping_sub(1))
        };
    }

    fn to_loop(self) -> Loop {
        Loop {
            ty: type_of(self.loop_type),
            outer: self.outer.max(0) as usize,
            lower: (self.lower, self.lower_factor),
            upper: (self.upper, self.upper_factor),
            inclusive: matches!(self.comparison, LESS_OR_EQUAL | GREATER_OR_EQUAL),
            step: self.step(),
        }
    }
}

/// The loops of a nest of `count`, whose bounds are made inclusive.
///
/// # Safety
/// `bounds` points to so many, which the caller may write.
unsafe fn canonical<'a>(bounds: *mut Bounds, count: i32) -> (&'a mut [Bounds], Vec<Loop>) {
    // SAFETY: the caller's.
    let bounds = unsafe { std::slice::from_raw_parts_mut(bounds, count.max(0) as usize) };
    // The loops as the program has them: an unsigned bound of 0 has no inclusive counterpart.
    let nest = bounds.iter().map(|bounds| bounds.to_loop()).collect();
    bounds.iter_mut().for_each(Bounds::make_canonical);
    (bounds, nest)
}

/// The thread's piece of a nest: whether there is one; its bounds go to `chunk`.
///
/// # Safety
/// As for the entry point.
unsafe fn init(
    loc: *const Ident,
    bounds: *mut Bounds,
    chunk: *mut Bounds,
    count: i32,
    last: *mut i32,
    call: Call,
) -> bool {
    let thread = current::current();
    // SAFETY: the caller's.
    let (bounds, nest) = unsafe { canonical(bounds, count) };
    let piece = collapse::divide(&nest, work::part_of_team(thread));
    if !last.is_null() {
        // SAFETY: the caller's.
        unsafe { *last = i32::from(piece.as_ref().is_some_and(|piece| piece.has_last)) };
    }
    let Some(piece) = piece else { return false };
    for (index, level) in bounds.iter().enumerate() {
        let own = Bounds {
            lower: piece.first[index] as u64,
            lower_factor: 0,
            upper: piece.last[index] as u64,
            upper_factor: 0,
            ..*level
        };
        // SAFETY: the caller's.
        unsafe { *chunk.add(index) = own };
    }
    if switch::active() {
        // The pieces are not counted: a nest may have more iterations than it is worth walking through.
        // SAFETY: the caller's.
        unsafe { work::report_static(thread, loc, 0, None, call) };
    }
    true
}

wide_entry_point! {
    /// `__kmpc_for_collapsed_init`: enters a nest of `count` loops, statically divided. Whether the
    /// thread has iterations, and from where to where, in the lower and upper bounds of `chunk`;
    /// makes the bounds of the nest inclusive.
    pub fn __kmpc_for_collapsed_init(
        loc: *const Ident, gtid: i32, bounds: *mut Bounds, chunk: *mut Bounds, count: i32, last: *mut i32,
    ) -> i32, |call| {
        i32::from(init(loc, bounds, chunk, count, last, call))
    }
}

/// `__kmpc_process_loop_nest_rectang`: how many iterations a rectangular nest has; makes its bounds
/// inclusive and notes how many each loop has.
///
/// # Safety
/// `bounds` points to `count` loops.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_process_loop_nest_rectang(
    _loc: *const Ident,
    _gtid: i32,
    bounds: *mut Bounds,
    count: i32,
) -> u64 {
    // SAFETY: the caller's.
    let (bounds, nest) = unsafe { canonical(bounds, count) };
    let mut total = 1u64;
    for (bounds, level) in bounds.iter_mut().zip(&nest) {
        bounds.trips = level.trips();
        total = total.wrapping_mul(bounds.trips);
    }
    total
}

/// `__kmpc_calc_original_ivs_rectang`: the loop variables in iteration `number` of a nest that
/// `__kmpc_process_loop_nest_rectang` has counted.
///
/// # Safety
/// `bounds` points to `count` loops, `variables` to as many words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __kmpc_calc_original_ivs_rectang(
    _loc: *const Ident,
    number: u64,
    bounds: *const Bounds,
    variables: *mut u64,
    count: i32,
) {
    // SAFETY: the caller's.
    let bounds = unsafe { std::slice::from_raw_parts(bounds, count.max(0) as usize) };
    let nest: Vec<Loop> = bounds.iter().map(|bounds| bounds.to_loop()).collect();
    collapse::rectangular_values(&nest, number, |index, value| {
        // SAFETY: the caller's.
        unsafe { *variables.add(index) = value };
    });
}

/// The layout is part of the ABI.
const _: () = assert!(size_of::<Bounds>() == 64 && align_of::<*const c_void>() == 8);
