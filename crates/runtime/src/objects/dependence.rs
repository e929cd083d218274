//! Dependences as programs name them, and the parts of their nodes that others than `task/` need.

use std::hash::Hasher;

/// How a task depends on a storage location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependenceKind {
    In,
    /// Means the same as [`InOut`](Self::InOut); only tools tell them apart.
    Out,
    InOut,
    MutexInOutSet,
    InOutSet,
    /// `out` or `inout` on `omp_all_memory`, whatever the address.
    AllMemory,
}

/// One item of a `depend` clause.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    pub address: usize,
    pub kind: DependenceKind,
}

/// The dependences of a task: a list, or what a compiler has made in place of one, which need not be copied where
/// nothing is to wait for.
pub trait Dependences: Copy {
    /// One after the other, as the program has them.
    fn iter(self) -> impl Iterator<Item = Dependence>;

    /// Whether there are none.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }
}

/// Spreads addresses, which differ mostly in their middle bits.
#[derive(Default)]
pub(crate) struct AddressHasher(pub(crate) u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_usize(usize::from(byte));
        }
    }
    fn write_usize(&mut self, value: usize) {
        let mixed = (self.0 ^ value as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
