//! What a thread remembers of the leagues that it has encountered.

use std::cell::Cell;

/// A thread's memory of its leagues, by the code of the construct and the number of teams. Two constructs that fall on
/// one place forget each other.
#[derive(Default)]
pub struct Leagues {
    pub(crate) places: [LeaguePlace; 8],
}

impl Leagues {
    /// Another thread uses the memory from now on.
    pub fn forget(&self) {
        self.places.iter().for_each(|place| place.key.set(0));
    }
}

/// How a league from one place is executed, and for how long it took. Times are in ticks of the processor's clock.
#[derive(Default)]
pub struct LeaguePlace {
    /// The address of the construct's code, and above it the number of teams; 0 for none.
    pub(crate) key: Cell<usize>,
    /// Whether the encountering thread executes one team after the other.
    pub(crate) in_turn: Cell<bool>,
    /// How well the executions in turn are known to be short: see `team/turns.rs`.
    pub(crate) doubt: Cell<u8>,
    /// How many executions side by side come before the next trial.
    pub(crate) left: Cell<u32>,
    /// How many executions come between two trials.
    pub(crate) patience: Cell<u32>,
    /// How often in a row the teams have been executed in turn.
    pub(crate) kept: Cell<u32>,
    /// The least time of the executions side by side since the last trial; afterwards, how long the teams may take in
    /// turn.
    pub(crate) best: Cell<u64>,
    /// When the last execution in turn was over.
    pub(crate) over: Cell<u64>,
}
