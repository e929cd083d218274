//! Classes of size, in which drivers keep blocks of memory that have been given back: four for each power of two, so
//! that a block is at most a quarter larger than what it was asked for.

/// What blocks are aligned to, and the smallest.
pub const UNIT: usize = 128;
/// How many classes there are.
pub const CLASSES: usize = 4 * 56;

/// The class for so many bytes, and how many its blocks have; none where no memory is so large.
pub fn class(bytes: usize) -> Option<(usize, usize)> {
    let units = bytes.div_ceil(UNIT).max(1);
    if units <= 4 {
        return Some((units - 1, units * UNIT));
    }
    let top = (units - 1).ilog2() as usize;
    let step = 1 << (top - 2);
    let steps = units.div_ceil(step);
    let index = 4 * (top - 1) + (steps - 5);
    let size = steps.checked_mul(step)?.checked_mul(UNIT)?;
    (index < CLASSES).then_some((index, size))
}

/// How many bytes the blocks of a class have.
pub fn size_of_class(index: usize) -> usize {
    match index {
        0..4 => (index + 1) * UNIT,
        _ => (UNIT * (index % 4 + 5)) << (index / 4 - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_large_enough_and_not_much_larger() {
        let mut last = 0;
        for bytes in (1..100_000).chain((1..300).map(|step| step * 77_777_777)) {
            let (index, size) = class(bytes).expect("memory may be so large");
            assert_eq!(size, size_of_class(index), "{bytes}");
            assert!(
                size >= bytes && size % UNIT == 0 && size <= (bytes + bytes / 4).max(bytes + UNIT),
                "{bytes}: {size}"
            );
            assert!(index >= last || bytes == 77_777_777);
            last = index;
        }
        assert_eq!(class(usize::MAX), None);
    }
}
