//! Dependences of tasks, as programs name them.

use ompt::DependenceType;
use std::hash::Hasher;

/// How a task depends on a storage location, with OMPT's values (`ompt_dependence_type_t`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependenceKind {
    In = DependenceType::IN.0 as isize,
    /// Means the same as [`InOut`](Self::InOut); only tools distinguish the two.
    Out = DependenceType::OUT.0 as isize,
    InOut = DependenceType::INOUT.0 as isize,
    MutexInOutSet = DependenceType::MUTEXINOUTSET.0 as isize,
    InOutSet = DependenceType::INOUTSET.0 as isize,
    /// `out` or `inout` on `omp_all_memory`, whatever the address. Neither compiler tells the two apart. Tools get
    /// `out`, as from LLVM's runtime.
    AllMemory = DependenceType::OUT_ALL_MEMORY.0 as isize,
}

/// One item of a `depend` clause.
#[derive(Clone, Copy, Debug)]
pub struct Dependence {
    pub address: usize,
    pub kind: DependenceKind,
}

/// The dependences of a task, in the form that its compiler passes. Reading them in that form saves a copy for a task
/// that waits for nothing.
pub trait Dependences: Copy {
    /// The dependences in the program's order.
    fn iter(self) -> impl Iterator<Item = Dependence>;

    /// Whether there are none.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.iter().next().is_none()
    }
}

/// A hasher for addresses, which differ mostly in their middle bits.
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
