//! What is played on the simulated machines: constructs by the shipped protocols, and for comparison the shapes that
//! other runtimes have.

mod barrier;
mod fork;
mod libgomp_tasks;
mod libomp_tasks;
mod locks;
mod loops;
mod peer_locks;
mod peer_runtime;
mod peer_tasks;
mod peers;
mod reduction;
mod single;
mod tasks;

use crate::scenario::Scenario;

/// All scenarios, in the order of the tables.
pub fn all() -> impl Iterator<Item = &'static Scenario> {
    [
        &fork::SCENARIOS[..],
        &barrier::SCENARIOS,
        &loops::SCENARIOS,
        &single::SCENARIOS,
        &reduction::SCENARIOS,
        &tasks::SCENARIOS,
        &locks::SCENARIOS,
        &peers::SCENARIOS,
        &peer_locks::SCENARIOS,
        &peer_tasks::SCENARIOS,
    ]
    .into_iter()
    .flatten()
}
