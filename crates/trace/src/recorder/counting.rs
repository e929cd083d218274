//! Which counters a process records. The command has tried them already; a recorder that is started otherwise says
//! which ones the system refuses.

use crate::counters::{Counter, Counters, MOST, probe};
use crate::escape;
use crate::store::COUNTERS_VARIABLE;
use std::io::{Write as _, stderr};
use std::sync::atomic::{AtomicBool, Ordering};

/// The counters that the environment names and the system grants, with their names.
pub fn wanted() -> (Vec<Counter>, Vec<String>) {
    let list = std::env::var(COUNTERS_VARIABLE).unwrap_or_default();
    let (mut counters, mut names) = (Vec::new(), Vec::new());
    for name in list.split(',').filter(|name| !name.is_empty()) {
        let counter = Counter::find(name).ok_or_else(|| "no counter has this name".to_owned());
        let granted = counter.and_then(|counter| probe(counter).map_err(|refusal| refusal.reason()));
        match granted {
            Ok(_) if counters.len() == MOST => say(&format!("counter {name}: at most {MOST} can be recorded")),
            Ok(counter) if counters.contains(&counter) => {}
            Ok(counter) => {
                let less = counter.user_only && !name.ends_with(":u");
                names.push(format!("{name}{}", if less { ":u" } else { "" }));
                counters.push(counter);
            }
            Err(reason) => say(&format!("counter {name}: {reason}; it is not recorded")),
        }
    }
    (counters, names)
}

/// The counters of the calling thread; `missed` is called if there should be some and are none.
pub fn of_this_thread(counters: &[Counter], missed: impl FnOnce()) -> Option<Counters> {
    static SAID: AtomicBool = AtomicBool::new(false);
    if counters.is_empty() {
        return None;
    }
    Counters::open(counters)
        .map_err(|refusal| {
            missed();
            if !SAID.swap(true, Ordering::Relaxed) {
                say(&format!(
                    "counters of a thread, and perhaps of further ones, are not recorded: {}",
                    refusal.reason()
                ));
            }
        })
        .ok()
}

fn say(line: &str) {
    // If standard error cannot be written, the line is lost.
    let _ = writeln!(stderr(), "ferromp: trace: {}", escape::line(line));
}
