//! What the threads of a region do about affinity.

use super::in_force;

/// What the threads of a region do about affinity when they enter and leave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Affinity(u8);

impl Affinity {
    /// Nothing.
    pub const NONE: Affinity = Affinity(0);
    /// They go to the places that the primary thread chose.
    pub const BIND: Affinity = Affinity(1);
    /// Whether they say where they are is looked into at each region.
    pub const WATCHED: Affinity = Affinity(2);
    /// They say where they are.
    pub const SHOW: Affinity = Affinity(4);
    /// The primary thread of an outermost region is freed again.
    pub const RESET: Affinity = Affinity(8);

    /// What every region of the process does.
    pub fn of_process() -> Affinity {
        let request = in_force::request();
        let mut affinity = Affinity::NONE;
        if request.display {
            affinity = affinity.and(Affinity::WATCHED);
        }
        if request.kmp.reset {
            affinity = affinity.and(Affinity::RESET);
        }
        affinity
    }

    /// Both.
    pub fn and(self, other: Affinity) -> Affinity {
        Affinity(self.0 | other.0)
    }

    /// Whether all of `other` is in it.
    #[inline(always)]
    pub fn has(self, other: Affinity) -> bool {
        self.0 & other.0 == other.0
    }

    /// What is in this but not in `other`.
    pub fn without(self, other: Affinity) -> Affinity {
        Affinity(self.0 & !other.0)
    }

    /// What stays from one region to the next.
    pub fn lasting(self) -> Affinity {
        Affinity(self.0 & (Affinity::WATCHED.0 | Affinity::RESET.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts() {
        let all = Affinity::BIND.and(Affinity::SHOW).and(Affinity::RESET);
        assert!(all.has(Affinity::BIND) && !all.has(Affinity::WATCHED));
        assert_eq!(all.lasting(), Affinity::RESET);
    }
}
