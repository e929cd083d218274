//! The ICVs of device scope that concern teams constructs: nteams-var and teams-thread-limit-var. Each device has a
//! value of its own: first the environment's, then the program's (OpenMP 5.1 §2.4.1, §3.4.3–6).

use crate::device_numbers;
use crate::model::atomic::{AtomicI32, Ordering};
use crate::shown;

use super::counts::Counts;
use super::settings::Settings;
use super::{devices, in_force};

/// The ICV has not been set: the environment's value holds.
const UNTOUCHED: i32 = -1;

/// An ICV with a value for each device.
pub struct DeviceIcv {
    /// The host's value, then the values of the devices by number.
    values: [AtomicI32; device_numbers::MOST + 1],
    /// The variable that has the first values.
    variable: &'static str,
    /// The host's first value, which is also the first value of devices that the variable does not name.
    initial: fn(&Settings) -> i32,
}

/// nteams-var: the most teams of a league where the construct has no `num_teams` clause (`omp_set_num_teams`). 0 leaves
/// the number to the runtime.
pub static NUM_TEAMS: DeviceIcv = DeviceIcv::new("OMP_NUM_TEAMS", |settings| settings.num_teams);
/// teams-thread-limit-var: the most threads of each team of a league where the construct has no `thread_limit` clause
/// (`omp_set_teams_thread_limit`). 0 leaves the number to the runtime.
pub static TEAMS_THREAD_LIMIT: DeviceIcv =
    DeviceIcv::new("OMP_TEAMS_THREAD_LIMIT", |settings| settings.teams_thread_limit);

impl DeviceIcv {
    const fn new(variable: &'static str, initial: fn(&Settings) -> i32) -> Self {
        DeviceIcv { values: [const { AtomicI32::new(UNTOUCHED) }; device_numbers::MOST + 1], variable, initial }
    }

    /// The word of a device; of the host for a negative number.
    fn word(&self, device: i32) -> &AtomicI32 {
        &self.values[(device.max(-1) + 1) as usize]
    }

    /// The value of a device, or of the host for a negative number.
    #[inline]
    pub fn get(&self, device: i32) -> i32 {
        // Relaxed: no other memory depends on the value.
        match self.word(device).load(Ordering::Relaxed) {
            UNTOUCHED => self.at_first(device),
            value => value,
        }
    }

    #[inline]
    fn at_first(&self, device: i32) -> i32 {
        let host = (self.initial)(in_force::settings());
        u32::try_from(device).ok().and_then(|device| self.value_in_variable(device)).unwrap_or(host)
    }

    /// The environment's value for a device, if the environment names the device.
    #[cold]
    fn value_in_variable(&self, device: u32) -> Option<i32> {
        let settings = in_force::settings();
        let counts = Counts(&settings.affinity);
        devices::values_for(&settings.device_values, device)
            .filter(|value| value.name == self.variable)
            .filter_map(|value| counts.count(&value.text))
            .last()
    }

    /// Sets the value of a device. A value that is not positive leaves the choice to the runtime, as 0 does.
    pub fn set(&self, device: i32, value: i32) {
        self.word(device).store(value.max(0), Ordering::Relaxed);
        show_teams();
    }
}

/// Shows debuggers nteams-var and teams-thread-limit-var of the host and of all devices.
#[cold]
pub fn show_teams() {
    let words = shown::PROCESS.num_teams.iter().zip(&shown::PROCESS.teams_thread_limit);
    for (device, (num_teams, thread_limit)) in (-1..device_numbers::known()).zip(words) {
        num_teams.store(NUM_TEAMS.get(device), Ordering::Relaxed);
        thread_limit.store(TEAMS_THREAD_LIMIT.get(device), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_numbers;

    #[test]
    fn the_last_value_set_holds() {
        let icv = DeviceIcv::new("OMP_NUM_TEAMS", |settings| settings.num_teams + 7);
        assert!(icv.get(-1) >= 7);
        icv.set(-1, 3);
        assert_eq!(icv.get(-1), 3);
        icv.set(-1, -4);
        assert_eq!(icv.get(-1), 0);
    }

    #[test]
    fn each_device_has_its_own() {
        let icv = DeviceIcv::new("OMP_NUM_TEAMS", |settings| settings.num_teams + 7);
        icv.set(0, 3);
        icv.set(device_numbers::MOST as i32 - 1, 5);
        assert_eq!((icv.get(0), icv.get(device_numbers::MOST as i32 - 1)), (3, 5));
        assert!(icv.get(-1) >= 7 && icv.get(1) >= 7);
    }
}
