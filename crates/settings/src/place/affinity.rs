//! Flags for what the threads of a region do about affinity.

use super::in_force;

/// What the threads of a region do about affinity when they enter and leave it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Affinity(u8);

impl Affinity {
    /// Nothing.
    pub const NONE: Affinity = Affinity(0);
    /// The threads are bound to the places that the primary thread chose.
    pub const BIND: Affinity = Affinity(1);
    /// `OMP_DISPLAY_AFFINITY` is set: each region decides whether its threads [`SHOW`](Self::SHOW) their affinity.
    pub const DISPLAY: Affinity = Affinity(2);
    /// The threads print their affinity.
    pub const SHOW: Affinity = Affinity(4);
    /// The primary thread of an outermost region gets all CPUs of the process at the end.
    pub const RESET: Affinity = Affinity(8);

    /// The flags of every region of the process.
    pub fn of_process() -> Affinity {
        let request = in_force::request();
        let display = if request.display { Affinity::DISPLAY } else { Affinity::NONE };
        display.and(if request.kmp.reset { Affinity::RESET } else { Affinity::NONE })
    }

    /// The flags of both.
    pub fn and(self, other: Affinity) -> Affinity {
        Affinity(self.0 | other.0)
    }

    /// Whether all flags of `other` are set.
    #[inline(always)]
    pub fn has(self, other: Affinity) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags that are not in `other`.
    pub fn without(self, other: Affinity) -> Affinity {
        Affinity(self.0 & !other.0)
    }

    /// The flags that hold from one region to the next.
    pub fn lasting(self) -> Affinity {
        Affinity(self.0 & (Affinity::DISPLAY.0 | Affinity::RESET.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts() {
        let all = Affinity::BIND.and(Affinity::SHOW).and(Affinity::RESET);
        assert!(all.has(Affinity::BIND) && !all.has(Affinity::DISPLAY));
        assert_eq!(all.lasting(), Affinity::RESET);
    }
}
