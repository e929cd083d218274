//! What the scenarios of tasks need of another runtime.

use crate::task::Work;
use crate::team::{Member, Team};

/// The tasks that a runtime is given.
pub trait Tasks {
    /// How many rounds are played. Threads that look for tasks at random need some.
    const ROUNDS: u64 = 10;

    fn create(&self, team: &Team, member: &Member, work: Work);
    /// Executes tasks until none is left in the team.
    fn finish(&self, team: &Team, member: &Member);
}
