//! Internal control variables: the environment's settings, the ICVs of each task, and how the implicit tasks of a
//! parallel region inherit them. OpenMP 5.1 §2.4 and §6.
//!
//! `variables.rs` reads the environment into `settings.rs`, `in_force.rs` publishes the result, and `task.rs` has the
//! ICVs of a task.

mod counts;
#[cfg(test)]
mod described;
mod devices;
mod display;
mod extensions;
#[cfg(test)]
mod fuzz_tests;
mod in_force;
pub mod lists;
mod parse;
mod precedence;
mod reserve;
pub mod select;
mod settings;
mod shown;
mod task;
mod teams;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod values;
mod variables;

use crate::environment::Environment;

pub use crate::place::Bind;
pub use devices::initial_on;
pub use display::display;
pub use in_force::{after_fork, change, follow, initial, settings};
pub use settings::Settings;
pub use shown::show as show_to_debuggers;
pub use task::Icvs;
pub use teams::{NUM_TEAMS, TEAMS_THREAD_LIMIT, show_teams};
pub use values::*;

/// Reads the environment, shows debuggers the settings, and prints what `KMP_VERSION`, `KMP_SETTINGS` and
/// `OMP_DISPLAY_ENV` request. Called once, when the runtime comes up.
pub fn startup() {
    shown::show();
    if settings().show_version {
        display::version();
    }
    show(Environment::of_process);
}

/// Prints what `KMP_SETTINGS` and `OMP_DISPLAY_ENV` request. `user` gives the variables that the user has set.
pub fn show(user: impl FnOnce() -> Environment) {
    if settings().show_settings {
        display::settings(&user());
    }
    match settings().display_env {
        DisplayEnv::No => {}
        DisplayEnv::Yes => display(false),
        DisplayEnv::Verbose => display(true),
    }
}

/// The variables that have no effect once the runtime has come up.
pub fn too_late() -> Vec<&'static str> {
    variables::names(|variable| variable.early)
}
