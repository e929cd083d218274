//! `--counters`: which counters there are, and which of them the system grants.

use ferromp_trace::counters::kind::KINDS;
use ferromp_trace::counters::{Counter, MOST, probe};

use crate::failure::Failure;
use crate::say;

/// How many similar names a message has.
const MOST_SIMILAR: usize = 3;

/// The counters of these names that the system grants to this process, which is what it grants to the program. One line
/// says of each other one why not.
///
/// # Errors
/// If a name is unknown, or if there are too many.
pub fn granted(names: &[String]) -> Result<Vec<String>, Failure> {
    let mut counters: Vec<(&String, Counter)> = Vec::new();
    for name in names {
        let counter = Counter::find(name).ok_or_else(|| unknown(name))?;
        if !counters.iter().any(|(_, known)| *known == counter) {
            counters.push((name, counter));
        }
    }
    if counters.len() > MOST {
        let line = format!("--counters: {} are too many; {MOST} can be recorded at once", counters.len());
        return Err(Failure::new(line));
    }
    let mut granted = Vec::new();
    for (name, counter) in counters {
        match probe(counter) {
            Ok(_) => granted.push(name.clone()),
            Err(refusal) => say::note(format_args!("counter {name} is not recorded: {}", refusal.reason())),
        }
    }
    Ok(granted)
}

fn unknown(name: &str) -> Failure {
    let names = KINDS.iter().flat_map(|kind| [kind.name, kind.alias]).filter(|known| !known.is_empty());
    let mut names: Vec<(&str, f64)> = names.map(|known| (known, strsim::jaro_winkler(known, name))).collect();
    names.sort_by(|one, other| other.1.total_cmp(&one.1));
    let similar: Vec<&str> = names.iter().take(MOST_SIMILAR).map(|(known, _)| *known).collect();
    Failure::new(format!("--counters: there is no counter '{name}'; similar names: {}", similar.join(", ")))
}
