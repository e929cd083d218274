//! Static schedules: each thread computes its part of a loop by itself (OpenMP 5.1 §2.11.4, table 2.5; §2.11.6 for
//! `distribute`).

use crate::objects::space::{Chunk, Space, Variable};
use std::hint::cold_path;

/// How a loop is divided before it starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// One block for each part, of nearly equal size.
    Blocks,
    /// Chunks, given to the parts in turn.
    Chunks,
    /// One block for each part, whose size is a multiple of the chunk size (for SIMD loops).
    AlignedBlocks,
    /// One block of the same size for each part, as long as there are iterations.
    GreedyBlocks,
}

/// One of the parts into which a loop is divided: a thread of a team, or a team of a league.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    pub number: u32,
    pub of: u32,
}

/// The values with which a part of a loop starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds<T: Variable> {
    /// First and last value of the first chunk; crossed if the part is empty.
    pub lower: T,
    pub upper: T,
    /// The difference between the values of one chunk and the part's next one.
    pub stride: T::Increment,
    /// Whether the part has the loop's last iteration.
    pub last: bool,
    /// The number of iterations of the whole loop.
    pub trips: u64,
}

/// The block of thread `tid` of `nthreads` in a loop of `trips` iterations.
#[inline(always)]
pub fn block(trips: u64, tid: u32, nthreads: u32) -> Option<Chunk> {
    let (tid, nthreads) = (u64::from(tid), u64::from(nthreads));
    // 32-bit divisions are much faster, and most loops are short.
    let (share, extra) = match (u32::try_from(trips), nthreads as u32) {
        (Ok(trips), n) => (u64::from(trips / n), u64::from(trips % n)),
        _ => (trips / nthreads, trips % nthreads),
    };
    let first = tid * share + tid.min(extra);
    let count = share + u64::from(tid < extra);
    (count > 0).then_some(Chunk { first, count })
}

/// The size of each thread's block, if it must be a multiple of `chunk`.
#[inline]
pub fn aligned_share(trips: u64, chunk: u64, nthreads: u32) -> u64 {
    trips.div_ceil(u64::from(nthreads)).checked_next_multiple_of(chunk).unwrap_or(u64::MAX).max(1)
}

/// The stride of the loop from `lower` to `upper` inclusive if one part has the whole loop. A quick form of [`divide`]
/// for the common case: none for other loops. The part has the loop's own bounds and its last iteration.
#[inline(always)]
pub fn stride_of_all<T: Variable>(lower: T, upper: T, increment: T::Increment) -> Option<T::Increment> {
    let stride = T::Increment::from_word(upper.to_word().wrapping_sub(lower.to_word()).wrapping_add(1));
    // The stride is 0 for a loop with as many iterations as the type has values, or for one of `counts_none`.
    (increment.to_word() == 1 && lower <= upper && stride.to_word() != 0).then_some(stride)
}

/// `part`'s share of the loop from `lower` to `upper` inclusive.
#[inline(always)]
pub fn divide<T: Variable>(
    form: Form,
    lower: T,
    upper: T,
    increment: T::Increment,
    chunk: T::Increment,
    part: Part,
) -> Bounds<T> {
    let space = Space::inclusive(lower, upper, increment);
    if space.trips == 0 || counts_none(lower, upper, increment) {
        cold_path();
        return Bounds { lower, upper, stride: increment, last: false, trips: 0 };
    }
    let whole = T::Increment::from_word(space.trips.wrapping_mul(space.increment));
    if part.of == 1 {
        return Bounds { lower, upper, stride: whole, last: true, trips: space.trips };
    }
    let chunk = (chunk.to_word() as i64).max(1) as u64;
    let mut stride = whole;
    let (mine, last) = match form {
        Form::Blocks => {
            let mine = block(space.trips, part.number, part.of);
            (mine, mine.is_some_and(|mine| space.is_last(mine)))
        }
        Form::AlignedBlocks | Form::GreedyBlocks => {
            let chunk = if form == Form::GreedyBlocks { 1 } else { chunk };
            let size = aligned_share(space.trips, chunk, part.of);
            let mine = numbered(space.trips, size, part.number);
            (mine, mine.is_some_and(|mine| space.is_last(mine)))
        }
        Form::Chunks => {
            let mine = numbered(space.trips, chunk, part.number);
            if let Some(mine) = mine {
                // The stride leads to the part's next chunk, or to just after the loop if there is none: a longer
                // stride could wrap around and lead back into the loop.
                let step = chunk.checked_mul(u64::from(part.of)).filter(|&step| step < space.trips - mine.first);
                stride =
                    T::Increment::from_word(step.unwrap_or(space.trips - mine.first).wrapping_mul(space.increment));
            }
            (mine, (space.trips - 1) / chunk % u64::from(part.of) == u64::from(part.number))
        }
    };
    match mine {
        Some(mine) => {
            let (lower, upper) = space.inclusive_bounds(mine);
            Bounds { lower: T::from_word(lower), upper: T::from_word(upper), stride, last, trips: space.trips }
        }
        None => {
            let (lower, upper) = crossed(upper, space.increment);
            Bounds { lower, upper, stride, last: false, trips: space.trips }
        }
    }
}

/// Whether this is a loop without iterations in flang's form. flang numbers iterations from 0 by unsigned numbers, and
/// passes the last one's number: 0 - 1 if there is none. No compiler writes a loop over all values of the type like
/// this.
#[inline(always)]
fn counts_none<T: Variable>(lower: T, upper: T, increment: T::Increment) -> bool {
    upper == T::from_word(u64::MAX) && upper > lower && lower.to_word() == 0 && increment.to_word() == 1
}

/// The chunk with this number, if the loop has so many chunks of size `chunk`.
#[inline(always)]
fn numbered(trips: u64, chunk: u64, number: u32) -> Option<Chunk> {
    let first = chunk.checked_mul(u64::from(number)).filter(|&first| first < trips)?;
    Some(Chunk { first, count: chunk.min(trips - first) })
}

/// The bounds of an empty loop next to `upper`, within the type.
#[inline(always)]
fn crossed<T: Variable>(upper: T, increment: u64) -> (T, T) {
    let down = (increment as i64) < 0;
    let step = if down { u64::MAX } else { 1 };
    let beyond = T::from_word(upper.to_word().wrapping_add(step));
    if (beyond < upper) == down { (beyond, upper) } else { (upper, T::from_word(upper.to_word().wrapping_sub(step))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs all parts as a program would and returns how often each iteration was met.
    fn run<T: Variable>(
        form: Form,
        lower: T,
        upper: T,
        increment: T::Increment,
        chunk: T::Increment,
        of: u32,
    ) -> Vec<u32> {
        let space = Space::inclusive(lower, upper, increment);
        let mut met = vec![0; space.trips as usize];
        let down = (space.increment as i64) < 0;
        let beyond = |a: T, b: T| if down { a < b } else { a > b };
        let mut lasts = 0;
        for number in 0..of {
            let bounds = divide(form, lower, upper, increment, chunk, Part { number, of });
            let (mut low, mut high) = (bounds.lower, bounds.upper);
            let mut had_last = false;
            loop {
                if beyond(high, upper) {
                    high = upper;
                }
                if beyond(low, high) {
                    break;
                }
                let mut value = low;
                loop {
                    let index = value.to_word().wrapping_sub(space.lower) as i64 / space.increment as i64;
                    met[index as usize] += 1;
                    had_last |= index as u64 + 1 == space.trips;
                    if value == high {
                        break;
                    }
                    value = T::from_word(value.to_word().wrapping_add(space.increment));
                }
                if form != Form::Chunks {
                    break;
                }
                low = T::from_word(low.to_word().wrapping_add(bounds.stride.to_word()));
                high = T::from_word(high.to_word().wrapping_add(bounds.stride.to_word()));
            }
            assert_eq!(had_last, bounds.last, "{form:?} part {number} of {of}");
            lasts += u32::from(bounds.last);
        }
        assert_eq!(lasts, u32::from(space.trips > 0));
        met
    }

    #[test]
    fn the_quick_way_says_the_same() {
        fn check<T: Variable + std::fmt::Debug>(lower: T, upper: T, increment: T::Increment) -> bool
        where
            T::Increment: std::fmt::Debug,
        {
            let bounds = divide(Form::Blocks, lower, upper, increment, increment, Part { number: 0, of: 1 });
            let quick = stride_of_all(lower, upper, increment);
            if let Some(stride) = quick {
                assert_eq!((bounds.lower, bounds.upper, bounds.stride, bounds.last), (lower, upper, stride, true));
            }
            quick.is_some()
        }
        assert!(
            check(0i32, 0, 1) && check(-5i32, 5, 1) && check(i32::MIN, i32::MAX - 1, 1) && check(0u64, u64::MAX - 1, 1)
        );
        assert!(check(0u32, u32::MAX - 1, 1) && check(1u32, u32::MAX, 1) && check(i64::MIN + 1, i64::MAX, 1));
        assert!(!check(0u32, u32::MAX, 1) && !check(i32::MIN, i32::MAX, 1) && !check(0u64, u64::MAX, 1));
        assert!(!check(5i32, 4, 1) && !check(0i32, 9, 2) && !check(9i32, 0, -1) && !check(0i32, 9, 0));
    }

    #[test]
    fn each_iteration_once() {
        for form in [Form::Blocks, Form::Chunks, Form::AlignedBlocks, Form::GreedyBlocks] {
            for of in [1, 2, 3, 8, 33] {
                for trips in [1, 2, 3, 7, 8, 9, 33, 100] {
                    for chunk in [1, 2, 5, 64] {
                        let once = |met: Vec<u32>| {
                            assert!(met.iter().all(|&n| n == 1), "{form:?} {of} {trips} {chunk}: {met:?}")
                        };
                        once(run(form, 0i32, trips - 1, 1, chunk, of));
                        once(run(form, 0u32, trips as u32 - 1, 1, chunk, of));
                        once(run(form, 5i64, 5 + (i64::from(trips) - 1) * 3, 3, chunk.into(), of));
                        // A program that adds strides itself leaves the type behind its second chunk.
                        if form != Form::Chunks || chunk * of as i32 >= trips {
                            once(run(form, i32::MAX - trips, i32::MAX - 1, 1, chunk, of));
                            once(run(form, i32::MIN + trips, i32::MIN + 1, -1, chunk, of));
                            once(run(form, u64::MAX - trips as u64, u64::MAX - 1, 1, chunk.into(), of));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn empty_loops_stay_empty() {
        let bounds = divide(Form::Blocks, 5i32, 4, 1, 0, Part { number: 1, of: 4 });
        assert!(bounds.lower > bounds.upper && !bounds.last);
        let none = divide(Form::Blocks, 0, u32::MAX, 1, 0, Part { number: 1, of: 4 });
        assert!(none.trips == 0 && none.upper.wrapping_sub(none.lower).wrapping_add(1) == 0);
        assert_eq!(divide(Form::Chunks, 0, u64::MAX, 1, 3, Part { number: 0, of: 1 }).trips, 0);
        assert_eq!(divide(Form::Blocks, 0, i32::MAX, 1, 0, Part { number: 0, of: 2 }).trips, 1 << 31);
        for upper in [i32::MAX, i32::MIN] {
            let (lower, upper) = crossed(upper, 1);
            assert!(lower > upper);
        }
        let (lower, upper) = crossed(i32::MIN, u64::MAX);
        assert!(lower < upper);
    }
}
