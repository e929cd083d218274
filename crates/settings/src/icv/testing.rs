//! Settings from made-up environments.

use super::settings::Settings;
use super::variables::read;
use crate::environment::{Environment, Notes};

/// The settings.
pub fn settings_of(variables: &[(&str, &str)]) -> Settings {
    with_notes(variables).0
}

/// The settings, and the complaints.
pub fn from_variables(variables: &[(&str, &str)]) -> (Settings, Vec<String>) {
    let (settings, notes) = with_notes(variables);
    (settings, notes.complaints)
}

/// The settings, and all there is to say about the environment.
pub fn with_notes(variables: &[(&str, &str)]) -> (Settings, Notes) {
    read(&Environment::of(variables.iter().map(|(name, value)| (name.to_string(), value.into()))), false)
}
