//! The table of what ferromp serves (`conformance/abi/served.txt`), and the question whether something is in it.

use super::table::{SERVED, entries};
use crate::sh::{self, Result};
use std::collections::{BTreeMap, BTreeSet};

/// What ferromp serves beyond names, which its library has.
#[derive(Default)]
pub struct Served {
    /// Versions of a kernel's arguments.
    pub kernel_arguments: BTreeSet<u64>,
    /// The bits of map types.
    pub map_bits: u64,
    /// Structures that compilers lay out: name, and the forms of its fields.
    pub structures: BTreeMap<String, BTreeSet<String>>,
    /// Enumerators of `omp.h`, with the values that mean them.
    pub values: BTreeMap<String, BTreeSet<i64>>,
    /// Names that no compiler emits: pattern and reason.
    pub internal: Vec<(String, String)>,
}

impl Served {
    /// Reads the table.
    pub fn read() -> Result<Served> {
        let mut served = Served::default();
        for line in entries(&sh::root().join(SERVED))? {
            served.add(&line).map_err(|why| format!("{SERVED}: `{line}`: {why}"))?;
        }
        Ok(served)
    }

    fn add(&mut self, line: &str) -> Result {
        let (key, value) = line.split_once(':').ok_or("no `key: value`")?;
        let words = || value.split_whitespace();
        match key.split_once(' ').unwrap_or((key, "")) {
            ("kernel-arguments", "") => {
                for word in words() {
                    self.kernel_arguments.insert(number(word)? as u64);
                }
            }
            ("map-bits", "") => {
                for word in words() {
                    self.map_bits |= number(word)? as u64;
                }
            }
            ("struct", name) => {
                self.structures.entry(name.to_owned()).or_default().insert(value.trim().to_owned());
            }
            ("value", name) => {
                for word in words() {
                    self.values.entry(name.to_owned()).or_default().insert(number(word)?);
                }
            }
            ("internal", pattern) => self.internal.push((pattern.to_owned(), value.trim().to_owned())),
            _ => return Err("unknown key".into()),
        }
        Ok(())
    }

    /// Why a name is not served, if that is on purpose: the pattern of the table that it falls under.
    pub fn internal(&self, name: &str) -> Option<&str> {
        let under =
            |pattern: &str| pattern.strip_suffix('*').map_or(pattern == name, |prefix| name.starts_with(prefix));
        self.internal.iter().map(|(pattern, _)| pattern.as_str()).find(|pattern| under(pattern))
    }

    /// What is wrong with an enumerator of a header; `None` for a value that is served.
    pub fn value(&self, name: &str, value: i64) -> Option<String> {
        match self.values.get(name) {
            Some(values) if values.contains(&value) => None,
            Some(_) => Some(format!("`{name}` is {value}")),
            None => Some(format!("`{name}` = {value}")),
        }
    }
}

/// A decimal or hexadecimal number; one of 64 bits with the highest set is negative.
fn number(word: &str) -> Result<i64> {
    let parsed = match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).map(|value| value as i64),
        None => word.parse(),
    };
    parsed.map_err(|_| format!("{word} is no number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_answers_what_is_served() {
        let mut served = Served::default();
        for line in [
            "kernel-arguments: 1 2",
            "map-bits: 0x1 0xffff000000000000",
            "struct s: i32 ptr",
            "struct s: ptr",
            "value a: 0 99",
        ] {
            served.add(line).unwrap();
        }
        served.add("internal __kmp_*: its own tests").unwrap();
        assert!(served.kernel_arguments.contains(&2) && served.map_bits == 0xffff_0000_0000_0001);
        assert_eq!(served.structures["s"].len(), 2);
        assert_eq!(served.value("a", 99), None);
        assert_eq!(served.value("a", 1).as_deref(), Some("`a` is 1"));
        assert_eq!(served.internal("__kmp_x"), Some("__kmp_*"));
        assert_eq!(served.internal("__kmpc_x"), None);
        assert!(served.add("values a: 1").is_err() && served.add("value a: one").is_err());
    }
}
