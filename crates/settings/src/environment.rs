//! The variables that concern OpenMP, and the reader that turns their texts into values. The reader resolves the
//! device-specific forms of a name (`_DEV`, `_DEV_<n>`, `_ALL`; OpenMP 5.1 §2.4.2, §6), and collects a line for each
//! value that cannot be used.

use crate::warnings::without_controls;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// Beginnings of the names that concern OpenMP.
const PREFIXES: [&str; 5] = ["OMP_", "KMP_", "GOMP_", "LIBOMP_", "FERROMP_"];

/// Names and values, sorted by name.
#[derive(Clone, Debug)]
pub struct Environment(BTreeMap<String, OsString>);

impl Environment {
    /// The variables of the process's environment that concern OpenMP.
    pub fn of_process() -> Environment {
        Self::of(std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))))
    }

    /// Those of the variables that concern OpenMP. If a name comes twice, the first value counts, as for `getenv`.
    pub fn of(variables: impl IntoIterator<Item = (String, OsString)>) -> Environment {
        let mut map = BTreeMap::new();
        for (name, value) in variables {
            if PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
                map.entry(name).or_insert(value);
            }
        }
        Environment(map)
    }

    /// The variables in `NAME=value|NAME=value` (`kmp_set_defaults`).
    pub fn of_text(text: &str) -> Environment {
        Self::of(text.split('|').filter_map(|item| {
            let (name, value) = item.split_once('=')?;
            Some((name.trim().to_string(), OsString::from(value)))
        }))
    }

    /// These variables, with the variables of `above` added or in place of those with the same name.
    pub fn with(mut self, above: &Environment) -> Environment {
        self.0.extend(above.0.iter().map(|(name, value)| (name.clone(), value.clone())));
        self
    }

    /// No variables.
    pub const fn empty() -> Environment {
        Environment(BTreeMap::new())
    }

    /// Removes the variables of these names, and returns them.
    pub fn take(&mut self, names: &[&str]) -> Environment {
        Environment(names.iter().filter_map(|name| self.0.remove_entry(*name)).collect())
    }

    /// The value as it is, which need not be UTF-8.
    pub fn raw(&self, name: &str) -> Option<&OsString> {
        self.0.get(name)
    }

    /// Whether one of `names` is set.
    pub fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.0.contains_key(*name))
    }

    /// The value where it is set and not blank.
    pub fn text(&self, name: &str) -> Option<String> {
        self.raw(name).map(|value| value.to_string_lossy().into_owned()).filter(|text| !text.trim().is_empty())
    }

    /// Every name and value, without control characters and of bounded length.
    pub fn shown(&self) -> impl Iterator<Item = (&str, String)> {
        self.0.iter().map(|(name, value)| (name.as_str(), harmless(&value.to_string_lossy())))
    }

    /// The device-specific forms of a variable that are set, sorted by name. A form has no scope if the text after
    /// `_DEV_` is no number.
    fn forms<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (&'a str, Option<Scope>)> {
        let after = self
            .0
            .range(name.to_string()..)
            .map_while(move |(full, _)| Some((full.as_str(), full.strip_prefix(name)?)));
        after.filter_map(|(full, suffix)| match suffix {
            "_ALL" => Some((full, Some(Scope::All))),
            "_DEV" => Some((full, Some(Scope::Devices))),
            _ => suffix.strip_prefix("_DEV_").map(|number| (full, device_number(number).map(Scope::Device))),
        })
    }
}

/// A text of bounded length without control characters.
fn harmless(text: &str) -> String {
    without_controls(text).chars().take(200).collect()
}

/// The devices that a variable with a suffix is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    /// `_ALL`: the host and all other devices.
    All,
    /// `_DEV`: all devices but the host.
    Devices,
    /// `_DEV_<n>`: device `n`.
    Device(u32),
}

/// A device-specific setting that is valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceValue {
    /// The variable's name without the suffix.
    pub name: &'static str,
    pub scope: Scope,
    /// The value's text, without white space around it.
    pub text: String,
}

/// Lines about variables.
#[derive(Default, Debug)]
pub struct Notes {
    /// About values that cannot be used.
    pub complaints: Vec<String>,
    /// About variables that are deprecated, or overridden by another variable.
    pub remarks: Vec<String>,
}

/// Reads variables, and collects lines about them.
pub struct Reader<'a> {
    env: &'a Environment,
    pub notes: Notes,
    /// Device-specific settings.
    pub device_values: Vec<DeviceValue>,
}

impl<'a> Reader<'a> {
    pub fn new(env: &'a Environment) -> Self {
        Reader { env, notes: Notes::default(), device_values: Vec::new() }
    }

    /// The value as it is, which need not be UTF-8.
    pub fn raw(&self, name: &str) -> Option<&'a OsString> {
        self.env.raw(name)
    }

    /// The variable's value where it is set and not blank.
    pub fn text(&self, name: &str) -> Option<String> {
        self.env.text(name)
    }

    /// `NAME='value'` for a message of one line, without control characters and of bounded length.
    pub fn origin(&self, name: &str) -> String {
        format!("{name}='{}'", harmless(&self.text(name).unwrap_or_default()))
    }

    /// Notes a complaint: why a value cannot be used, and what happens instead.
    pub fn complain(&mut self, name: &str, what: &str) {
        self.notes.complaints.push(format!("ferromp: {}: {}\n", self.origin(name), without_controls(what)));
    }

    /// Notes that the variable `by` overrides the variable `name`, if both are set.
    pub fn overridden(&mut self, name: &str, by: &str) {
        if self.text(name).is_some() && self.text(by).is_some() {
            self.remark(name, &format!("overridden by {by}"));
        }
    }

    /// Notes a remark about a variable that has its effect.
    pub fn remark(&mut self, name: &str, what: &str) {
        self.notes.remarks.push(format!("ferromp: {}: {what}\n", self.origin(name)));
    }

    /// The parsed value of a variable that has no device-specific forms. If the value does not parse, a complaint says
    /// `what` the value should be, and what is used `instead`.
    pub fn get<T>(
        &mut self,
        name: &str,
        what: &str,
        instead: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = parse(&self.text(name)?);
        if value.is_none() {
            self.complain(name, &format!("not {what}; using {instead}"));
        }
        value
    }

    /// As [`get`](Self::get), of `true` or `false`.
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        self.get(name, "true or false", "false", word)
    }

    /// The host's value of a variable whose ICV is not of global scope. The value comes from the name without a suffix,
    /// else from `_ALL`. The values for other devices are checked and kept, also where there is no such device: the
    /// same settings serve machines with and without one. None is for the host (OpenMP 5.1 §6, restrictions).
    pub fn get_for_host<T>(
        &mut self,
        name: &'static str,
        what: &str,
        instead: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Option<T> {
        let mut general = None;
        for (full, scope) in self.env.forms(name) {
            let Some(text) = self.text(full) else { continue };
            let Some(scope) = scope else {
                self.complain(full, "the suffix is not a device number; ignored");
                continue;
            };
            let Some(value) = parse(&text) else {
                self.complain(full, &format!("not {what}; ignored"));
                continue;
            };
            self.device_values.push(DeviceValue { name, scope, text: harmless(text.trim()) });
            if scope == Scope::All {
                general = Some(value);
            }
        }
        if self.text(name).is_some() { self.get(name, what, instead, parse) } else { general }
    }

    /// Complains of device-specific forms of variables whose ICVs are of global scope (OpenMP 5.1 §2.4.2,
    /// restrictions).
    pub fn refuse_device_forms(&mut self, names: &[&str]) {
        for name in names {
            for (form, _) in self.env.forms(name) {
                self.complain(form, &format!("{name} has no device-specific form; ignored"));
            }
        }
    }
}

/// A structure whose fields stand with their default values.
macro_rules! with_defaults {
    ($(#[$about:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty = $value:expr,)* }) => {
        $(#[$about])*
        pub struct $name { $($(#[$doc])* pub $field: $type,)* }

        impl Default for $name {
            fn default() -> Self {
                $name { $($field: $value,)* }
            }
        }
    };
}

pub(crate) use with_defaults;

/// A type whose values are words in variables. Of several words for one value, the first is shown.
pub trait Words: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];
}

/// Gives a type its words.
macro_rules! words {
    ($($type:ty: $($word:literal)|+ => $value:expr $(, $($more:literal)|+ => $other:expr)*;)*) => {$(
        impl $crate::environment::Words for $type {
            const WORDS: &'static [(&'static str, Self)] =
                &[$(($word, $value),)+ $($(($more, $other),)+)*];
        }
    )*};
}

pub(crate) use words;

words! {
    // Flags such as `OMP_DYNAMIC`.
    bool: "true" | "1" | "yes" | "on" | "t" | "y" => true, "false" | "0" | "no" | "off" | "f" | "n" => false;
}

/// The value of a word, in either case and with white space around it.
pub fn word<T: Words>(text: &str) -> Option<T> {
    T::WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text.trim())).map(|(_, value)| *value)
}

/// The word of a value in capitals, for display; empty where the value has no word.
pub fn name<T: Words>(value: T) -> String {
    T::WORDS.iter().find(|(_, its)| *its == value).map_or(String::new(), |(word, _)| word.to_ascii_uppercase())
}

/// The number after `_DEV_` in the name of a variable: digits alone.
pub fn device_number(text: &str) -> Option<u32> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::of(variables.iter().map(|(name, value)| (name.to_string(), OsString::from(value))))
    }

    fn host(variables: &[(&str, &str)]) -> (Option<i32>, Vec<DeviceValue>, Vec<String>) {
        let env = environment(variables);
        let mut reader = Reader::new(&env);
        let value = reader.get_for_host("OMP_NUM_TEAMS", "a number", "0", |text| text.trim().parse().ok());
        (value, reader.device_values, reader.notes.complaints)
    }

    #[test]
    fn the_host_takes_no_value_of_a_device() {
        let all = ("OMP_NUM_TEAMS_ALL", "1");
        let plain = ("OMP_NUM_TEAMS", "2");
        let devices = ("OMP_NUM_TEAMS_DEV", "3");
        let first = ("OMP_NUM_TEAMS_DEV_0", "4");
        let second = ("OMP_NUM_TEAMS_DEV_1", "5");
        assert_eq!(host(&[all]).0, Some(1));
        assert_eq!(host(&[all, plain]).0, Some(2));
        assert_eq!(host(&[all, plain, devices, first, second]).0, Some(2));
        assert_eq!(host(&[all, devices, first]).0, Some(1));
        assert_eq!(host(&[devices, first]).0, None);
    }

    #[test]
    fn values_of_devices_are_kept_and_checked() {
        let (value, values, complaints) =
            host(&[("OMP_NUM_TEAMS_DEV_7", " 3 "), ("OMP_NUM_TEAMS_DEV", "x"), ("OMP_NUM_TEAMS_DEV_a", "1")]);
        assert_eq!(value, None);
        assert_eq!(values, [DeviceValue { name: "OMP_NUM_TEAMS", scope: Scope::Device(7), text: "3".into() }]);
        assert_eq!(
            complaints,
            [
                "ferromp: OMP_NUM_TEAMS_DEV='x': not a number; ignored\n",
                "ferromp: OMP_NUM_TEAMS_DEV_a='1': the suffix is not a device number; ignored\n"
            ]
        );
    }

    #[test]
    fn longer_names_are_other_variables() {
        let (value, values, complaints) = host(&[("OMP_NUM_TEAMS_DEVELOPED", "x"), ("OMP_NUM_TEAMS_ALLOWED", "x")]);
        assert!(value.is_none() && values.is_empty() && complaints.is_empty());
    }

    #[test]
    fn global_variables_have_no_device_forms() {
        let env = environment(&[("OMP_CANCELLATION_DEV_1", "true"), ("OMP_CANCELLATION", "true")]);
        let mut reader = Reader::new(&env);
        reader.refuse_device_forms(&["OMP_CANCELLATION"]);
        let line = "ferromp: OMP_CANCELLATION_DEV_1='true': OMP_CANCELLATION has no device-specific form; ignored\n";
        assert_eq!(reader.notes.complaints, [line]);
    }

    #[test]
    fn variables_in_a_text() {
        let env = Environment::of_text("OMP_NUM_THREADS=4|KMP_BLOCKTIME = 3|PATH=x|nonsense|OMP_DYNAMIC=");
        let names: Vec<_> = env.shown().collect();
        assert_eq!(
            names,
            [("KMP_BLOCKTIME", " 3".to_string()), ("OMP_DYNAMIC", String::new()), ("OMP_NUM_THREADS", "4".to_string())]
        );
        let below = environment(&[("OMP_NUM_THREADS", "2"), ("OMP_NESTED", "true")]).with(&env);
        assert_eq!(
            (below.text("OMP_NUM_THREADS").as_deref(), below.text("OMP_NESTED").as_deref()),
            (Some("4"), Some("true"))
        );
    }
}
