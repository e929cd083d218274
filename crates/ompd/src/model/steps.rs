//! The end of every walk through lists and chains in the program's memory.

use crate::Rc;

/// More steps than any list of an intact program has.
const MOST: u64 = 1 << 22;

/// Counts a walk's steps, and detects circles.
pub struct Steps {
    taken: u64,
    /// A remembered address of the walk, and the step at which a new one is remembered (Brent's algorithm).
    remembered: u64,
    next: u64,
}

impl Steps {
    /// A walk that has not begun.
    pub fn new() -> Self {
        Steps { taken: 0, remembered: 0, next: 1 }
    }

    /// The walk reaches `address`. `ompd_rc_error` if the walk has been there before, or has too many steps.
    pub fn to(&mut self, address: u64) -> Result<(), Rc> {
        if self.taken >= MOST || address == self.remembered {
            return Err(Rc::ERROR);
        }
        self.taken += 1;
        if self.taken == self.next {
            self.remembered = address;
            self.next = self.next.saturating_mul(2);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_of_any_length_are_found() {
        for (tail, circle) in [(0, 1), (0, 7), (5, 1), (100, 37), (3, 4096)] {
            let mut steps = Steps::new();
            let walk = (1..=tail).chain((1..=circle).cycle().map(|at| tail + at));
            let taken = walk.take(100_000).take_while(|&address| steps.to(address).is_ok()).count() as u64;
            assert!(taken <= 4 * (tail + circle) + 1, "{taken} steps for {tail} and {circle}");
        }
    }

    #[test]
    fn long_lists_are_walked() {
        let mut steps = Steps::new();
        assert!((1..=1_000_000_u64).all(|address| steps.to(address).is_ok()));
        assert!((1_000_001..).any(|address| steps.to(address).is_err()), "but not for ever");
    }
}
