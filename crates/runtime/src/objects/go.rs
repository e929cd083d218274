//! The value of a team's `go` word.

/// A value of a team's `go` word: the region's number, how many threads take part, and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Go(pub(crate) u64);

/// What a region is doing, as its idle workers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Phase {
    /// The region runs.
    Run = 0,
    /// The region runs, and explicit tasks have been created: who waits may help.
    Tasks = 1,
    /// All have arrived: members leave. Published only while a tool watches, so that a worker's last
    /// events come when it leaves, not when the next region begins.
    Leave = 2,
    /// All have arrived and no task is left: members that looked for tasks confirm that they have
    /// stopped by arriving once more.
    LeaveTogether = 3,
    /// The team is given up: its workers go back to the pool.
    Disband = 4,
}

impl Go {
    pub(crate) const PHASE_BITS: u32 = 3;
    pub(crate) const COUNT_BITS: u32 = 22;

    pub(crate) fn new(epoch: u64, nthreads: u32, phase: Phase) -> Self {
        Go((epoch << (Self::PHASE_BITS + Self::COUNT_BITS)) | (u64::from(nthreads) << Self::PHASE_BITS) | phase as u64)
    }

    /// The region's number, counted from 1.
    pub(crate) fn epoch(self) -> u64 {
        self.0 >> (Self::PHASE_BITS + Self::COUNT_BITS)
    }

    /// As [`epoch`](Self::epoch), 0 if the region is over.
    pub(crate) fn epoch_under_way(self) -> u64 {
        if matches!(self.phase(), Phase::Run | Phase::Tasks) { self.epoch() } else { 0 }
    }

    pub(crate) fn nthreads(self) -> u32 {
        ((self.0 >> Self::PHASE_BITS) & ((1 << Self::COUNT_BITS) - 1)) as u32
    }

    pub(crate) fn phase(self) -> Phase {
        match self.0 & ((1 << Self::PHASE_BITS) - 1) {
            0 => Phase::Run,
            1 => Phase::Tasks,
            2 => Phase::Leave,
            3 => Phase::LeaveTogether,
            _ => Phase::Disband,
        }
    }
}
