//! Collapsed loop nests whose loops may depend on each other (OpenMP 5.1 §2.11.2): numbering the iterations of a
//! rectangular nest, and dividing any nest among the threads of a team.
//!
//! A program describes a nest to the runtime only if it cannot number the iterations itself. Values are calculated in
//! the type that the program names, and wrap as in that type.

use super::static_schedule::Part;

/// The type of a loop variable: width in bits, and whether it is signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type {
    pub bits: u32,
    pub signed: bool,
}

impl Type {
    /// The value of the type whose low bits are the word's.
    #[inline]
    fn value(self, word: u64) -> i128 {
        let unused = 64 - self.bits;
        if self.signed { i128::from((word << unused) as i64 >> unused) } else { i128::from(word << unused >> unused) }
    }
}

/// One loop of a nest: from `lower` to `upper`, in steps of `step`. Each bound is a number plus a multiple of an outer
/// loop's variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loop {
    /// The type in which bounds and values are calculated.
    pub ty: Type,
    /// The outer loop on whose variable the bounds depend; any loop if the factors are 0.
    pub outer: usize,
    /// The number, and the factor of the outer variable.
    pub lower: (u64, u64),
    pub upper: (u64, u64),
    /// Whether the upper bound is inclusive.
    pub inclusive: bool,
    /// Not 0: negative for a loop that counts down.
    pub step: i64,
}

impl Loop {
    /// The first value and the number of values, for these values of the loops around.
    fn range(&self, outer: &[i128]) -> (i128, u64) {
        let variable = outer.get(self.outer).map_or(0, |&value| value as u64);
        let bound = |(number, factor): (u64, u64)| self.ty.value(number.wrapping_add(factor.wrapping_mul(variable)));
        let (lower, upper) = (bound(self.lower), bound(self.upper));
        let distance = if self.step < 0 { lower - upper } else { upper - lower } - i128::from(!self.inclusive);
        if distance < 0 {
            return (lower, 0);
        }
        // A loop over all 2^64 values of a type would have one iteration more than fits. No program gets that far.
        (lower, u64::try_from(distance / i128::from(self.step.unsigned_abs()) + 1).unwrap_or(u64::MAX))
    }

    /// The number of iterations of a loop whose bounds depend on no other loop.
    pub fn trips(&self) -> u64 {
        self.range(&[]).1
    }

    fn value(&self, first: i128, iteration: u64) -> i128 {
        first + i128::from(iteration) * i128::from(self.step)
    }

    /// A number that is in the order of the iterations.
    fn ascending(&self, value: i128) -> i128 {
        if self.step < 0 { -value } else { value }
    }
}

/// Calls `set(loop, value)` for each variable's value in iteration `number` of a rectangular nest.
pub fn rectangular_values(nest: &[Loop], mut number: u64, mut set: impl FnMut(usize, u64)) {
    for (index, level) in nest.iter().enumerate().rev() {
        let (first, trips) = level.range(&[]);
        // A nest without iterations has no iteration `number`, but the division must not fail.
        let trips = trips.max(1);
        set(index, level.value(first, number % trips) as u64);
        number /= trips;
    }
}

/// A part of a nest: the values of the variables in its first and in its last iteration.
#[derive(PartialEq, Eq, Debug)]
pub struct Piece {
    pub first: Vec<i128>,
    pub last: Vec<i128>,
    /// Whether the nest's last iteration is in it.
    pub has_last: bool,
}

/// `part`'s share of a nest's iterations, which are consecutive; `None` if there are none for it.
///
/// The box around the nest is cut evenly, without a walk through the nest, and each part has the iterations between two
/// cuts. The parts are as even as the nest fills the box.
pub fn divide(nest: &[Loop], part: Part) -> Option<Piece> {
    let cuts = Cuts::new(nest);
    let (from, to) = (cuts.before(part.number, part.of), cuts.before(part.number + 1, part.of));
    let mut first = Vec::with_capacity(nest.len());
    if !find(nest, Side::From, from.as_deref(), &mut first) {
        return None;
    }
    let mut last = Vec::with_capacity(nest.len());
    if !find(nest, Side::Before, to.as_deref(), &mut last) || is_before(nest, &last, &first) {
        return None;
    }
    let has_last = to.is_none_or(|to| !find(nest, Side::From, Some(&to), &mut Vec::with_capacity(nest.len())));
    Some(Piece { first, last, has_last })
}

/// The cuts through a nest, at equal distances in the box around it.
struct Cuts {
    /// For each loop: its first value in the box, its step, and the width of the box in steps.
    sides: Vec<(i128, i128, u128)>,
    total: u128,
}

impl Cuts {
    fn new(nest: &[Loop]) -> Self {
        let mut sides: Vec<(i128, i128, u128)> = Vec::with_capacity(nest.len());
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        let mut total = 1u128;
        for level in nest {
            let ranges = [&starts, &ends].map(|outer: &Vec<i128>| level.range(outer));
            let order = |value: &i128| level.ascending(*value);
            let firsts = ranges.map(|(first, _)| first);
            let lasts = ranges.map(|(first, count)| level.value(first, count.saturating_sub(1)));
            let start = firsts.into_iter().min_by_key(order).unwrap_or(0);
            let end = lasts.into_iter().max_by_key(order).unwrap_or(0);
            let width = (level.ascending(end) - level.ascending(start)).max(0) as u128
                / u128::from(level.step.unsigned_abs())
                + 1;
            // A product beyond this limit is far more than there are threads, so inner loops need no cuts.
            let width = if total.checked_mul(width).is_some_and(|product| product <= 1 << 96) { width } else { 1 };
            total *= width;
            sides.push((start, level.step.into(), width));
            starts.push(start);
            ends.push(end);
        }
        Cuts { sides, total }
    }

    /// The values at which part `number` begins; `None` before the first part and after the last one.
    fn before(&self, number: u32, of: u32) -> Option<Vec<i128>> {
        if number == 0 || number >= of {
            return None;
        }
        let mut position = self.total * u128::from(number) / u128::from(of);
        let mut values: Vec<i128> = self
            .sides
            .iter()
            .rev()
            .map(|&(start, step, width)| {
                let value = start + (position % width) as i128 * step;
                position /= width;
                value
            })
            .collect();
        values.reverse();
        Some(values)
    }
}

/// Which iteration [`find`] looks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The first one that is not before the cut; the very first without a cut.
    From,
    /// The last one before the cut; the very last without a cut.
    Before,
}

/// Finds the iteration on this side of `cut`, and fills `point`, which is empty, with the values of the loops.
/// Returns whether there is such an iteration.
fn find(nest: &[Loop], side: Side, cut: Option<&[i128]>, point: &mut Vec<i128>) -> bool {
    let Some(level) = nest.get(point.len()) else { return side == Side::From || cut.is_none() };
    let (first, count) = level.range(point);
    let here = cut.map(|cut| cut[point.len()]);
    let distance = here.map(|here| level.ascending(here) - level.ascending(first));
    let step = i128::from(level.step.unsigned_abs());
    let iterations = |steps: i128| u64::try_from(steps.max(0)).unwrap_or(u64::MAX).min(count);
    let is_found = |iteration: u64| {
        let value = level.value(first, iteration);
        point.push(value);
        // Only at the cut's own value do the loops inside have to look at the cut.
        let found = find(nest, side, cut.filter(|_| Some(value) == here), point);
        if !found {
            point.pop();
        }
        found
    };
    match side {
        Side::From => {
            let skipped = distance.map_or(0, |distance| iterations((distance + step - 1).div_euclid(step)));
            (skipped..count).any(is_found)
        }
        Side::Before => {
            let end = distance.map_or(count, |distance| iterations(distance.div_euclid(step) + 1));
            (0..end).rev().any(is_found)
        }
    }
}

/// Whether iteration `a` comes before iteration `b`.
fn is_before(nest: &[Loop], a: &[i128], b: &[i128]) -> bool {
    let keys = |values: &[i128]| -> Vec<i128> {
        nest.iter().zip(values).map(|(level, &value)| level.ascending(value)).collect()
    };
    keys(a) < keys(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: Type = Type { bits: 32, signed: true };
    const UINT: Type = Type { bits: 32, signed: false };
    const LONG: Type = Type { bits: 64, signed: true };
    const ULONG: Type = Type { bits: 64, signed: false };

    fn level(ty: Type, outer: usize, lower: (i64, i64), upper: (i64, i64), step: i64) -> Loop {
        let words = |(number, factor): (i64, i64)| (number as u64, factor as u64);
        Loop { ty, outer, lower: words(lower), upper: words(upper), inclusive: true, step }
    }

    /// All iterations, in order.
    fn walk(nest: &[Loop], point: &mut Vec<i128>, found: &mut Vec<Vec<i128>>) {
        let Some(level) = nest.get(point.len()) else { return found.push(point.clone()) };
        let (first, count) = level.range(point);
        for iteration in 0..count {
            point.push(level.value(first, iteration));
            walk(nest, point, found);
            point.pop();
        }
    }

    fn check(nest: &[Loop]) {
        let mut all = Vec::new();
        walk(nest, &mut Vec::new(), &mut all);
        for of in [1, 2, 3, 8, 33, 1000] {
            let mut next = 0;
            let mut lasts = 0;
            for number in 0..of {
                let Some(piece) = divide(nest, Part { number, of }) else { continue };
                assert_eq!(piece.first, all[next], "{nest:?} part {number} of {of}");
                let end = all.iter().position(|point| *point == piece.last).unwrap();
                assert!(end >= next);
                next = end + 1;
                assert_eq!(piece.has_last, next == all.len());
                lasts += u32::from(piece.has_last);
            }
            assert_eq!(next, all.len(), "{nest:?} in {of} parts");
            assert_eq!(lasts, u32::from(!all.is_empty()));
        }
    }

    #[test]
    fn parts_are_consecutive_and_complete() {
        for ty in [INT, LONG, UINT, ULONG] {
            let rectangle = [level(ty, 0, (2, 0), (9, 0), 1), level(ty, 0, (0, 0), (6, 0), 3)];
            check(&rectangle);
            // A triangle, from either side.
            check(&[level(ty, 0, (0, 0), (9, 0), 1), level(ty, 0, (0, 1), (9, 0), 1)]);
            check(&[level(ty, 0, (0, 0), (9, 0), 1), level(ty, 0, (0, 0), (0, 1), 1)]);
            check(&[level(ty, 0, (9, 0), (0, 0), -2), level(ty, 0, (3, 1), (1, 0), -1)]);
            // A tetrahedron, and one whose innermost loop depends on the outermost.
            let outer = [level(ty, 0, (0, 0), (6, 0), 1), level(ty, 0, (0, 1), (6, 0), 1)];
            check(&[outer[0], outer[1], level(ty, 1, (0, 1), (8, 0), 2)]);
            check(&[outer[0], outer[1], level(ty, 0, (0, 0), (0, 2), 1)]);
            // Only few outer iterations have inner ones.
            check(&[level(ty, 0, (0, 0), (50, 0), 1), level(ty, 0, (48, 0), (0, 1), 1)]);
            check(&[level(ty, 0, (0, 0), (50, 0), 1), level(ty, 0, (0, 25), (20, 0), 1)]);
        }
        check(&[level(INT, 0, (0, 0), (9, 0), 1), level(INT, 0, (0, -2), (5, -1), 1)]);
        check(&[level(INT, 0, (-9, 0), (9, 0), 3), level(INT, 0, (0, -2), (-20, 1), -3)]);
    }

    #[test]
    fn exclusive_bounds() {
        for ty in [INT, UINT, LONG, ULONG] {
            let exclusive = |level: Loop| Loop { inclusive: false, ..level };
            // The first inner loop is empty; its last value would lie below an unsigned type's values.
            let lower_triangle = [level(ty, 0, (0, 0), (9, 0), 1), exclusive(level(ty, 0, (0, 0), (0, 1), 1))];
            check(&lower_triangle);
            assert_eq!(exclusive(level(ty, 0, (2, 0), (9, 0), 3)).trips(), 3);
            assert_eq!(exclusive(level(ty, 0, (2, 0), (8, 0), 3)).trips(), 2);
            assert_eq!(exclusive(level(ty, 0, (9, 0), (3, 0), -3)).trips(), 2);
            assert_eq!(exclusive(level(ty, 0, (5, 0), (5, 0), 1)).trips(), 0);
            assert_eq!(exclusive(level(ty, 0, (0, 0), (0, 0), -1)).trips(), 0);
        }
    }

    #[test]
    fn empty_nests_have_no_parts() {
        check(&[level(INT, 0, (5, 0), (4, 0), 1), level(INT, 0, (0, 0), (9, 0), 1)]);
        check(&[level(INT, 0, (0, 0), (4, 0), 1), level(INT, 0, (9, 0), (0, 1), 1)]);
    }

    #[test]
    fn extremes_of_the_types() {
        check(&[
            level(INT, 0, (i32::MIN.into(), 0), (i64::from(i32::MIN) + 3, 0), 1),
            level(INT, 0, (0, 1), (i64::from(i32::MIN) + 5, 0), 1),
        ]);
        check(&[level(LONG, 0, (i64::MAX - 3, 0), (i64::MAX, 0), 1), level(LONG, 0, (i64::MAX, 0), (0, 1), -1)]);
        check(&[level(ULONG, 0, (-4, 0), (-1, 0), 1), level(ULONG, 0, (0, 1), (-1, 0), 1)]);
        assert_eq!(level(LONG, 0, (i64::MIN, 0), (i64::MAX, 0), i64::MAX).trips(), 3);
        assert_eq!(level(INT, 0, (i32::MIN.into(), 0), (i32::MAX.into(), 0), 1).trips(), 1 << 32);
        let huge = [level(LONG, 0, (i64::MIN, 0), (i64::MAX, 0), 1); 3];
        let piece = divide(&huge, Part { number: 1, of: 2 }).unwrap();
        assert!((-1..=0).contains(&piece.first[0]) && piece.has_last);
    }

    #[test]
    fn rectangular_numbers() {
        let nest = [level(INT, 0, (2, 0), (9, 0), 3), level(INT, 0, (5, 0), (1, 0), -2)];
        let mut all = Vec::new();
        walk(&nest, &mut Vec::new(), &mut all);
        for (number, expected) in all.iter().enumerate() {
            let mut values = [0, 0];
            rectangular_values(&nest, number as u64, |index, value| values[index] = i128::from(value as i32));
            assert_eq!(values[..], expected[..]);
        }
    }
}
