//! How a simulated member waits: as `Spinner` of `crates/runtime/src/thread/wait.rs` while the CPUs suffice.

use ferromp_ground::model;
use ferromp_ground::park::event::{Event, Ticket};
use ferromp_ground::park::waiter::Waiter;
use ferromp_ground::protocol::meeting::Helper;
use ferromp_ground::protocol::theft::Search;
use ferromp_simulator::{self as simulator, Time, ns};

/// Pauses between two looks at the clock, as `PAUSES_A_ROUND`.
const PAUSES_A_ROUND: u32 = 64;
/// Rounds between two yields, as `ROUNDS_A_YIELD`.
const ROUNDS_A_YIELD: u32 = 4;

/// For how long members spin before they sleep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// The default: 10 milliseconds.
    Awake,
    /// `OMP_WAIT_POLICY=passive`: one round of pauses.
    Passive,
}

impl Patience {
    fn limit(self) -> Time {
        match self {
            Patience::Awake => ns(1e7),
            Patience::Passive => 0,
        }
    }
}

/// The state of one wait.
pub struct Pace {
    pauses: u32,
    rounds: u32,
    spent: Time,
    last: Option<Time>,
}

impl Waiter for Patience {
    type Pace = Pace;

    fn begin(&self) -> Pace {
        Pace { pauses: 0, rounds: 0, spent: 0, last: None }
    }

    fn pause(&self, pace: &mut Pace) -> bool {
        pace.pauses += 1;
        if pace.pauses < PAUSES_A_ROUND {
            model::spin_hint();
            return true;
        }
        if self.limit() == 0 {
            return false;
        }
        let now = simulator::clock();
        pace.spent += pace.last.map_or(0, |last| now - last);
        pace.last = Some(now);
        pace.rounds += 1;
        if pace.spent > self.limit() {
            return false;
        }
        pace.pauses = 0;
        if pace.rounds.is_multiple_of(ROUNDS_A_YIELD) {
            simulator::give_way();
        }
        true
    }

    fn sleep(&self, event: &Event, ticket: Ticket) {
        event.sleep(ticket);
    }
}

/// A member of a region without tasks.
impl Helper for Patience {
    fn has_tasks(&self) -> bool {
        false
    }

    fn help(&self, _search: Search) -> bool {
        false
    }

    fn help_when_called(&self) -> bool {
        false
    }

    fn leave(&self) {}

    fn is_deserted(&self) -> bool {
        false
    }
}
