//! The ICVs of the host device that concern teams constructs: nteams-var and teams-thread-limit-var. One value a process,
//! from the environment at first, then as the program sets it (OpenMP 5.1 §2.4.1, §3.4.3–6).

use std::sync::atomic::{AtomicI32, Ordering};

use super::Settings;
use crate::ompd;

/// What an ICV holds until it is asked for or set: the environment's value counts.
const UNTOUCHED: i32 = -1;

struct DeviceIcv {
    value: AtomicI32,
    initial: fn(&Settings) -> i32,
}

static NUM_TEAMS: DeviceIcv = DeviceIcv { value: AtomicI32::new(UNTOUCHED), initial: |settings| settings.num_teams };
static THREAD_LIMIT: DeviceIcv = DeviceIcv { value: AtomicI32::new(UNTOUCHED), initial: |settings| settings.teams_thread_limit };

impl DeviceIcv {
    fn get(&self) -> i32 {
        // Relaxed: a value of its own, which orders nothing.
        match self.value.load(Ordering::Relaxed) {
            UNTOUCHED => (self.initial)(super::settings()),
            value => value,
        }
    }

    /// A value that is not positive leaves the choice to the runtime, as 0 does.
    fn set(&self, value: i32) {
        self.value.store(value.max(0), Ordering::Relaxed);
    }
}

/// nteams-var: the most teams of a league whose construct does not say how many; 0 leaves it to the runtime.
pub fn num_teams() -> i32 {
    NUM_TEAMS.get()
}

/// Sets nteams-var (`omp_set_num_teams`).
pub fn set_num_teams(count: i32) {
    NUM_TEAMS.set(count);
    ompd::process::show_teams();
}

/// teams-thread-limit-var: the most threads of each team of a league whose construct does not say how many; 0 leaves it to
/// the runtime.
pub fn teams_thread_limit() -> i32 {
    THREAD_LIMIT.get()
}

/// Sets teams-thread-limit-var (`omp_set_teams_thread_limit`).
pub fn set_teams_thread_limit(limit: i32) {
    THREAD_LIMIT.set(limit);
    ompd::process::show_teams();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_set_holds() {
        let icv = DeviceIcv { value: AtomicI32::new(UNTOUCHED), initial: |settings| settings.num_teams + 7 };
        assert!(icv.get() >= 7);
        icv.set(3);
        assert_eq!(icv.get(), 3);
        icv.set(-4);
        assert_eq!(icv.get(), 0);
    }
}
