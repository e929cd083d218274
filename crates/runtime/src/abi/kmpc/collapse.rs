//! Loop nests that the program describes to the runtime (`__kmpc_for_collapsed_init` and its kin).
//! See [`crate::work::collapse`].

use super::{Ident, work};
use crate::abi::{list, routines, wide_entry_point};
use crate::objects::switch;
use crate::work::collapse::{self, Loop, Type};
use std::ffi::c_void;

/// `bounds_info_t`: one loop of a nest. Narrow numbers lie in the low bytes of their fields.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Bounds {
    /// The type in which bounds are calculated: `loop_type_t`.
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
        // A step of 0 is not conforming. It counts as the smallest step in the loop's direction.
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
/// `bounds` points to `count` loops that may be written.
unsafe fn canonical<'a>(bounds: *mut Bounds, count: i32) -> (&'a mut [Bounds], Vec<Loop>) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let bounds = unsafe { std::slice::from_raw_parts_mut(bounds, count.max(0) as usize) };
    // The loops with the program's own bounds: an unsigned bound of 0 has no inclusive counterpart.
    let nest = bounds.iter().map(|bounds| bounds.to_loop()).collect();
    bounds.iter_mut().for_each(Bounds::make_canonical);
    (bounds, nest)
}

wide_entry_point! {
    /// `__kmpc_for_collapsed_init`: enters a nest of `count` loops, statically divided. Makes the bounds of the nest
    /// inclusive. Returns whether the thread has iterations; `chunk` then receives the bounds of its piece.
    pub fn __kmpc_for_collapsed_init(
        loc: *const Ident, gtid: i32, bounds: *mut Bounds, chunk: *mut Bounds, count: i32, last: *mut i32,
    ) -> i32, |thread, call| {
        let (bounds, nest) = canonical(bounds, count);
        let piece = collapse::divide(&nest, work::part_of_team(thread));
        if !last.is_null() {
            *last = i32::from(piece.as_ref().is_some_and(|piece| piece.has_last));
        }
        let Some(piece) = piece else { return 0 };
        for (index, level) in bounds.iter().enumerate() {
            let (lower, upper) = (piece.first[index] as u64, piece.last[index] as u64);
            *chunk.add(index) = Bounds { lower, lower_factor: 0, upper, upper_factor: 0, ..*level };
        }
        if switch::active() {
            // The iterations of a piece are not counted: counting means walking through the outer loops.
            work::report_static(thread, loc, 0, None, call);
        }
        1
    }
}

routines! {
    /// `__kmpc_process_loop_nest_rectang`: how many iterations a rectangular nest has; makes its bounds
    /// inclusive and notes how many each loop has.
    ///
    /// # Safety
    /// `bounds` points to `count` loops.
    pub fn __kmpc_process_loop_nest_rectang(loc: *const Ident, gtid: i32, bounds: *mut Bounds, count: i32) -> u64 {
        let (bounds, nest) = canonical(bounds, count);
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
    pub fn __kmpc_calc_original_ivs_rectang(loc: *const Ident, number: u64, bounds: *const Bounds,
        variables: *mut u64, count: i32) {
        let bounds = list(count, bounds);
        let nest: Vec<Loop> = bounds.iter().map(|bounds| bounds.to_loop()).collect();
        collapse::rectangular_values(&nest, number, |index, value| {
            *variables.add(index) = value;
        });
    }
}

/// The layout is part of the ABI.
const _: () = assert!(size_of::<Bounds>() == 64 && align_of::<*const c_void>() == 8);
