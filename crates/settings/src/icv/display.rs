//! `OMP_DISPLAY_ENV`, `omp_display_env` and `KMP_SETTINGS`: the settings as lines on standard error, in the layouts
//! that other runtimes use (OpenMP 5.1 §3.15, §6.12).

use super::in_force;
use super::settings::Settings;
use super::task::Icvs;
use super::values::OPENMP_DATE;
use super::variables::{Now, VARIABLES, Variable};
use crate::environment::{DeviceValue, Environment, Scope};
use crate::place::{self, Partition, Place};
use crate::stderr;
use crate::warnings::without_controls;
use std::fmt::Write;

/// Prints the initial values of the ICVs; `verbose` adds the variables that are not OpenMP's.
pub fn display(verbose: bool) {
    let settings = in_force::settings();
    let items = items(settings, &in_force::initial(), place::places(), verbose);
    stderr::write_stderr(&environment(&items, &settings.device_values));
}

/// Prints the variables that the user has set, and the settings in force.
pub(super) fn settings(user: &Environment) {
    let items = items(in_force::settings(), &in_force::initial(), place::places(), true);
    stderr::write_stderr(&settings_text(user, &items));
}

/// All text that can be printed.
#[cfg(test)]
pub(super) fn all(settings: &Settings, user: &Environment) -> String {
    let items = items(settings, &settings.initial(4, Partition { first: 0, count: 0 }), &[], true);
    environment(&items, &settings.device_values) + &settings_text(user, &items)
}

/// Prints the release and the version of OpenMP.
pub(super) fn version() {
    stderr::write_stderr(&format!(
        "ferromp release: {}\nferromp OpenMP version: 5.1 ({OPENMP_DATE})\nferromp interfaces: libomp, libgomp\n",
        env!("CARGO_PKG_VERSION")
    ));
}

/// A variable and its value.
type Item = (&'static str, String);

fn environment(items: &[Item], devices: &[DeviceValue]) -> String {
    let mut text = format!("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '{OPENMP_DATE}'\n");
    for (name, value) in items {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  [host] {name} = '{value}'");
        for (scope, value) in of_devices(name, devices) {
            let _ = writeln!(text, "  [{scope}] {name} = '{value}'");
        }
    }
    text.push_str("OPENMP DISPLAY ENVIRONMENT END\n");
    text
}

/// The values for devices other than the host: the general value, then the values of single devices.
fn of_devices<'a>(name: &str, devices: &'a [DeviceValue]) -> Vec<(String, &'a str)> {
    let mut values: Vec<&DeviceValue> = devices.iter().filter(|value| value.name == name).collect();
    values.sort_by_key(|value| value.scope);
    let has_general = values.iter().any(|value| value.scope == Scope::Devices);
    values.retain(|value| !(has_general && value.scope == Scope::All));
    let scope = |value: &&DeviceValue| match value.scope {
        Scope::All | Scope::Devices => String::from("device"),
        Scope::Device(number) => number.to_string(),
    };
    values.iter().map(|value| (scope(value), value.text.as_str())).collect()
}

fn settings_text(user: &Environment, items: &[Item]) -> String {
    let mut text = String::from("\nUser settings:\n\n");
    for (name, value) in user.shown() {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "   {name}={value}");
    }
    text.push_str("\nEffective settings:\n\n");
    let mut items: Vec<&Item> = items.iter().collect();
    items.sort();
    for (name, value) in items {
        let _ = writeln!(text, "   {name}='{value}'");
    }
    text.push('\n');
    text
}

/// The items to show, sorted by name: OpenMP's variables, then with `verbose` all others.
fn items(settings: &Settings, initial: &Icvs, places: &[Place], verbose: bool) -> Vec<Item> {
    selected(settings, initial, places, |variable| verbose || is_openmp(variable.name))
}

/// The items of the variables that are `wanted`, sorted by name. Each process that starts has them for debuggers, so
/// they are inserted in order: the code of a sort would be more pages to load.
fn selected(settings: &Settings, initial: &Icvs, places: &[Place], wanted: impl Fn(&Variable) -> bool) -> Vec<Item> {
    let now = Now { settings, initial, places };
    let key = |name: &'static str| (!is_openmp(name), name);
    let mut list: Vec<Item> = Vec::with_capacity(VARIABLES.len());
    for variable in VARIABLES.iter().filter(|variable| wanted(variable)) {
        let Some(text) = variable.show.map(|show| show(&now)) else { continue };
        if !variable.if_set || !text.is_empty() {
            let place = list.partition_point(|(before, _)| key(before) < key(variable.name));
            list.insert(place, (variable.name, without_controls(&text)));
        }
    }
    list
}

fn is_openmp(name: &str) -> bool {
    name.starts_with("OMP_")
}

/// The settings as lines `NAME=value` for debuggers, except variables that debuggers read elsewhere.
pub fn for_debuggers(settings: &Settings) -> String {
    let initial = settings.initial(1, Partition { first: 0, count: 0 });
    let mut text = String::with_capacity(1024);
    for (name, value) in selected(settings, &initial, &[], |variable| !variable.elsewhere) {
        for part in [name, "=", &value, "\n"] {
            text.push_str(part);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icv::testing::from_variables;

    fn shown(variables: &[(&str, &str)], verbose: bool) -> String {
        let settings = from_variables(variables).0;
        let initial = settings.initial(8, Partition { first: 0, count: 2 });
        let places = [Place::new(vec![0, 1]), Place::new(vec![2, 3])];
        environment(&items(&settings, &initial, &places, verbose), &settings.device_values)
    }

    #[test]
    fn layout() {
        let variables = [
            ("OMP_NUM_THREADS", "4,2"),
            ("OMP_SCHEDULE", "nonmonotonic:dynamic,3"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_STACKSIZE", "2M"),
            ("KMP_BLOCKTIME", "infinite"),
            ("OMP_TARGET_OFFLOAD", "mandatory"),
        ];
        let text = shown(&variables, false);
        assert!(text.starts_with("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n"), "{text}");
        assert!(text.ends_with("\nOPENMP DISPLAY ENVIRONMENT END\n"), "{text}");
        for line in [
            "  [host] OMP_ALLOCATOR = 'omp_default_mem_alloc'\n",
            "  [host] OMP_NUM_THREADS = '4,2'\n",
            "  [host] OMP_SCHEDULE = 'NONMONOTONIC:DYNAMIC,3'\n",
            "  [host] OMP_PROC_BIND = 'SPREAD,CLOSE'\n",
            "  [host] OMP_STACKSIZE = '2097152B'\n",
            "  [host] OMP_PLACES = '{0,1},{2,3}'\n",
            "  [host] OMP_TARGET_OFFLOAD = 'MANDATORY'\n",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("KMP_BLOCKTIME"));
        assert!(shown(&variables, true).contains("  [host] KMP_BLOCKTIME = 'INFINITE'\n"));
    }

    #[test]
    fn places_that_cannot_be_read_are_shown_as_the_cores_that_take_their_place() {
        for value in ["{0", "nonsense", "cores", " Cores "] {
            let text = shown(&[("OMP_PLACES", value)], false);
            assert!(text.contains("  [host] OMP_PLACES = 'cores'\n"), "{value}: {text}");
        }
        let text = shown(&[("OMP_PLACES", "{0:2},{2:2}")], false);
        assert!(text.contains("  [host] OMP_PLACES = '{0,1},{2,3}'\n"), "{text}");
    }

    #[test]
    fn devices_have_lines_of_their_own() {
        let variables = [
            ("OMP_NUM_TEAMS_ALL", "2"),
            ("OMP_NUM_TEAMS_DEV", "3"),
            ("OMP_NUM_TEAMS_DEV_1", "4"),
            ("OMP_DYNAMIC_ALL", "true"),
        ];
        let text = shown(&variables, false);
        let lines = "  [host] OMP_NUM_TEAMS = '2'\n  [device] OMP_NUM_TEAMS = '3'\n  [1] OMP_NUM_TEAMS = '4'\n";
        assert!(text.contains(lines), "{text}");
        assert!(text.contains("  [host] OMP_DYNAMIC = 'TRUE'\n  [device] OMP_DYNAMIC = 'true'\n"), "{text}");
    }

    #[test]
    fn settings_in_both_forms() {
        let user = Environment::of_text("OMP_NUM_THREADS=4|KMP_SETTINGS=1");
        let text = settings_text(&user, &[("OMP_B", "2".into()), ("KMP_A", "1".into())]);
        assert_eq!(
            text,
            "\nUser settings:\n\n   KMP_SETTINGS=1\n   OMP_NUM_THREADS=4\n\nEffective settings:\n\n   KMP_A='1'\n   OMP_B='2'\n\n"
        );
    }
}
