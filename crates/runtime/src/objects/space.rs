//! Iteration spaces: any loop of the program as iterations numbered from 0, for all values of every integer type
//! (OpenMP 5.1 §2.11.1).

use std::hint::cold_path;

/// A canonical loop. Values are 64-bit two's complement whatever the type of the program's variable: their low bits are
/// the variable's value.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Space {
    /// The variable's value in iteration 0.
    pub lower: u64,
    /// What each iteration adds to the variable.
    pub increment: u64,
    /// The number of iterations.
    pub trips: u64,
    /// The loop's bound in the program, if the bound is exclusive.
    pub end: u64,
}

/// Consecutive iterations of a space, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    pub first: u64,
    /// At least 1.
    pub count: u64,
}

/// The type of a loop variable.
pub trait Variable: Copy + Ord {
    /// The value as 64-bit two's complement.
    fn to_word(self) -> u64;
    /// The value whose low bits are the word's.
    fn from_word(word: u64) -> Self;
    /// The signed type of the same width, in which increments come.
    type Increment: Variable;
}

macro_rules! variable {
    ($($ty:ty, $increment:ty;)*) => {$(
        impl Variable for $ty {
            #[inline(always)]
            fn to_word(self) -> u64 {
                self as u64
            }
            #[inline(always)]
            fn from_word(word: u64) -> Self {
                word as Self
            }
            type Increment = $increment;
        }
    )*};
}
variable! { i32, i32; u32, i32; i64, i64; u64, i64; }

impl Space {
    /// The loop from `lower` to `upper` inclusive.
    #[inline(always)]
    pub fn inclusive<T: Variable>(lower: T, upper: T, increment: T::Increment) -> Space {
        let (low, high) = (lower.to_word(), upper.to_word());
        let step = increment.to_word();
        let down = (step as i64) < 0;
        let trips = if down {
            cold_path();
            if lower < upper { 0 } else { trips(low.wrapping_sub(high), step.wrapping_neg()) }
        } else if lower > upper {
            cold_path();
            0
        } else {
            trips(high.wrapping_sub(low), step)
        };
        Space { lower: low, increment: step, trips, end: high }
    }

    /// The loop from `start` to `end` exclusive, counting down if `down`.
    #[inline(always)]
    pub fn exclusive<T: Variable>(start: T, end: T, increment: u64, down: bool) -> Space {
        let (from, to) = (start.to_word(), end.to_word());
        let trips = if down {
            if start <= end { 0 } else { trips(from.wrapping_sub(to) - 1, increment.wrapping_neg()) }
        } else if start >= end {
            0
        } else {
            trips(to.wrapping_sub(from) - 1, increment)
        };
        Space { lower: from, increment, trips, end: to }
    }

    /// The variable's value in iteration `number`.
    #[inline(always)]
    pub fn value(&self, number: u64) -> u64 {
        self.lower.wrapping_add(number.wrapping_mul(self.increment))
    }

    /// Whether `chunk` holds the last iteration.
    #[inline(always)]
    pub fn is_last(&self, chunk: Chunk) -> bool {
        chunk.count == self.trips - chunk.first
    }

    /// First and last value of a chunk.
    #[inline(always)]
    pub fn inclusive_bounds(&self, chunk: Chunk) -> (u64, u64) {
        (self.value(chunk.first), self.value(chunk.first + (chunk.count - 1)))
    }

    /// First value and exclusive bound of a chunk. The last chunk gets the loop's own bound: the sum might overflow.
    #[inline(always)]
    pub fn exclusive_bounds(&self, chunk: Chunk) -> (u64, u64) {
        let end = if self.is_last(chunk) { self.end } else { self.value(chunk.first + chunk.count) };
        (self.value(chunk.first), end)
    }
}

/// The number of iterations of a loop whose last possible value is `distance` from its first.
#[inline(always)]
fn trips(distance: u64, step: u64) -> u64 {
    // Most loops need no division, which is the most expensive part of starting a loop. A step of 0 is not conforming;
    // the loop counts as one iteration.
    if step == 1 {
        return distance.saturating_add(1);
    }
    cold_path();
    distance.checked_div(step).map_or(1, |steps| steps + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inclusive_counts() {
        assert_eq!(Space::inclusive(0i32, 9, 1).trips, 10);
        assert_eq!(Space::inclusive(0i32, 9, 3).trips, 4);
        assert_eq!(Space::inclusive(9i32, 0, -3).trips, 4);
        assert_eq!(Space::inclusive(1i32, 0, 1).trips, 0);
        assert_eq!(Space::inclusive(0i32, 1, -1).trips, 0);
        assert_eq!(Space::inclusive(i32::MIN, i32::MAX, 1).trips, 1 << 32);
        assert_eq!(Space::inclusive(i32::MAX, i32::MIN, i32::MIN).trips, 2);
        assert_eq!(Space::inclusive(0u32, u32::MAX, 1).trips, 1 << 32);
        assert_eq!(Space::inclusive(u32::MAX, 0, -1).trips, 1 << 32);
        assert_eq!(Space::inclusive(i64::MIN, i64::MAX - 1, 1).trips, u64::MAX);
        assert_eq!(Space::inclusive(i64::MIN, i64::MAX, i64::MAX).trips, 3);
        assert_eq!(Space::inclusive(0u64, u64::MAX - 1, 1).trips, u64::MAX);
        assert_eq!(Space::inclusive(u64::MAX, 0, i64::MIN).trips, 2);
    }

    #[test]
    fn exclusive_counts() {
        assert_eq!(Space::exclusive(0i64, 10, 3, false).trips, 4);
        assert_eq!(Space::exclusive(10i64, 0, (-3i64) as u64, true).trips, 4);
        assert_eq!(Space::exclusive(5i64, 5, 1, false).trips, 0);
        assert_eq!(Space::exclusive(i64::MIN, i64::MAX, 1, false).trips, u64::MAX);
        assert_eq!(Space::exclusive(i64::MAX, i64::MIN, i64::MIN as u64, true).trips, 2);
        assert_eq!(Space::exclusive(0u64, u64::MAX, 1, false).trips, u64::MAX);
        assert_eq!(Space::exclusive(u64::MAX, 0, 1u64.wrapping_neg(), true).trips, u64::MAX);
        assert_eq!(Space::exclusive(u64::MAX, 0, 7u64.wrapping_neg(), true).trips, u64::MAX / 7 + 1);
    }

    #[test]
    fn the_last_bound_is_the_loops_own() {
        let space = Space::exclusive(i64::MAX - 10, i64::MAX, 4, false);
        assert_eq!(space.trips, 3);
        let (from, to) = space.exclusive_bounds(Chunk { first: 2, count: 1 });
        assert_eq!((from as i64, to as i64), (i64::MAX - 2, i64::MAX));
        let (from, to) = space.exclusive_bounds(Chunk { first: 0, count: 2 });
        assert_eq!((from as i64, to as i64), (i64::MAX - 10, i64::MAX - 2));
    }

    #[test]
    fn values_of_narrow_types() {
        let space = Space::inclusive(i32::MAX, i32::MIN, i32::MIN);
        assert_eq!(i32::from_word(space.value(0)), i32::MAX);
        assert_eq!(i32::from_word(space.value(1)), -1);
        let space = Space::inclusive(u32::MAX, 0, -1);
        assert_eq!(u32::from_word(space.value(u32::MAX.into())), 0);
    }
}
