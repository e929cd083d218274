//! What a run shows.

use crate::machine::Time;

/// The result of a run, as far as it was [measured](crate::measure).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Rounds that were measured.
    pub rounds: u64,
    /// The time of all of these.
    pub time: Time,
    /// Line transfers in that time, on all cores.
    pub transfers: u64,
    /// The longest chains of transfers, of all measurements together. In a chain, each transfer brings what the next
    /// one follows from.
    pub chain: u64,
    /// The line for which threads have waited longest; none if they waited for no line.
    pub hottest: Option<Hot>,
}

/// A line for which threads have waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hot {
    /// What lies on the line.
    pub name: String,
    /// The part of all waiting for lines that was for this one, in percent.
    pub percent: u64,
}

impl Outcome {
    /// Nanoseconds a round.
    pub fn ns_a_round(&self) -> f64 {
        self.time as f64 / 1000.0 / self.rounds as f64
    }

    /// Transfers a round.
    pub fn transfers_a_round(&self) -> f64 {
        self.transfers as f64 / self.rounds as f64
    }

    /// The longest chain of a round, on average.
    pub fn chain_a_round(&self) -> f64 {
        self.chain as f64 / self.rounds as f64
    }
}
