//! Single regions: `Counter::claim` of `work/single.rs`.

use crate::scenario::Scenario;
use crate::team::{Member, Team, play_rounds};
use crate::waiting::Patience;
use ferromp_ground::model::atomic::Ordering;
use ferromp_simulator::{Machine, Outcome};

pub const SCENARIOS: [Scenario; 1] =
    [Scenario { name: "single", what: "an empty single region with its barrier", play: single }];

fn single(machine: &Machine, nthreads: u32) -> Outcome {
    play_rounds(machine, nthreads, Patience::Awake, 20, |team, member| {
        claim(team, member);
        team.gather(member);
    })
}

/// Whether the member executes the region.
fn claim(team: &Team, member: &Member) -> bool {
    let number = member.singles.get();
    member.singles.set(number + 1);
    let counter = &team.single;
    let mut now = counter.load(Ordering::Relaxed);
    loop {
        if now > number {
            return false;
        }
        match counter.compare_exchange_weak(now, number + 1, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => return true,
            Err(other) => now = other,
        }
    }
}
