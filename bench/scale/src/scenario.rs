//! What a scenario is.

use ferromp_simulator::{Machine, Outcome};

/// One thing to play.
pub struct Scenario {
    /// The name, in tables and for `--scenario`.
    pub name: &'static str,
    /// What a round is.
    pub what: &'static str,
    /// Plays it on so many threads.
    pub play: fn(&Machine, u32) -> Outcome,
}
