//! What changes of a run would bring, as its replays tell. A summary keeps them for the findings that name the changes.

use crate::Site;
use serde::{Deserialize, Serialize};

/// The gain of one change at one construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gain {
    pub kind: GainKind,
    /// The construct that is changed.
    pub site: Site,
    /// What the run would be shorter by, in nanoseconds; 0 if it would not be shorter.
    pub ns: u64,
}

/// What is changed at the construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GainKind {
    /// The members of a team have equal parts of the work.
    Balance,
    /// Nobody waits for the lock or the critical region.
    Contention,
    /// There is no barrier.
    NoWait,
}
