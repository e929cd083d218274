//! The ICVs with which initial tasks on devices start: the host's ICVs, changed by the variables that name devices
//! (`OMP_NUM_THREADS_DEV`, `OMP_SCHEDULE_DEV_2`, `OMP_DYNAMIC_ALL`; OpenMP 5.1 §2.4.2, §6).

use super::counts::Counts;
use super::in_force;
use super::task::Icvs;
use super::variables::VARIABLES;
use crate::environment::{DeviceValue, Scope};

/// The ICVs of an initial task on the device with this number.
pub fn initial_on(device: u32) -> Icvs {
    let mut icvs = in_force::initial();
    follow(&mut icvs, &in_force::settings().device_values, device);
    icvs
}

/// Sets the ICVs of the values for this device, the general values first. The texts are valid. Variables whose ICV is
/// not a task's have no effect here; `teams.rs` has the ICVs of teams constructs.
fn follow(icvs: &mut Icvs, values: &[DeviceValue], device: u32) {
    let counts = Counts(&in_force::settings().affinity);
    for value in values_for(values, device) {
        if let Some(set) = VARIABLES.iter().find(|row| row.name == value.name).and_then(|row| row.on_device) {
            set(icvs, &value.text, counts);
        }
    }
}

/// The values for this device, the general values first.
pub(super) fn values_for(values: &[DeviceValue], device: u32) -> impl Iterator<Item = &DeviceValue> {
    let scopes = [Scope::All, Scope::Devices, Scope::Device(device)];
    scopes.into_iter().flat_map(|scope| values.iter().filter(move |value| value.scope == scope))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_value_holds() {
        let value = |name, scope, text: &str| DeviceValue { name, scope, text: text.into() };
        let values = [
            value("OMP_NUM_THREADS", Scope::Device(2), "5"),
            value("OMP_NUM_THREADS", Scope::All, "3"),
            value("OMP_NUM_THREADS", Scope::Devices, "4,2"),
            value("OMP_DYNAMIC", Scope::All, "true"),
            value("OMP_THREAD_LIMIT", Scope::Device(1), "9"),
        ];
        let of = |device| {
            let mut icvs = in_force::initial();
            follow(&mut icvs, &values, device);
            (icvs.nthreads, icvs.dynamic, icvs.thread_limit)
        };
        assert_eq!(of(0), (4, true, i32::MAX));
        assert_eq!(of(1), (4, true, 9));
        assert_eq!(of(2), (5, true, i32::MAX));
    }
}
