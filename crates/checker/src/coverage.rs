//! Which events came, by kind, endpoint and flag: counted if `FERROMP_CHECKER_COVERAGE` names a file, to which they are
//! appended when the run is over, a line each: the event, what distinguishes it, how often it came.

use crate::happening::{Happening, Word};
use ferromp_tool::Event;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;

/// The variable that names the file.
const FILE: &str = "FERROMP_CHECKER_COVERAGE";

/// An event, the names among its arguments, and one flag.
type Kind = (Event, [Option<&'static str>; 2], Option<&'static str>);

/// What has come so far.
pub struct Coverage {
    file: Option<PathBuf>,
    counts: HashMap<Kind, u64>,
}

impl Coverage {
    /// Nothing yet.
    pub fn new() -> Coverage {
        Coverage { file: std::env::var_os(FILE).map(PathBuf::from), counts: HashMap::new() }
    }

    /// Counts one more event.
    pub fn count(&mut self, happening: &Happening) {
        if self.file.is_none() {
            return;
        }
        let mut names = [None; 2];
        let given = happening.words().iter().filter_map(|word| match word {
            Word::Name(name) => Some(*name),
            _ => None,
        });
        for (kept, given) in names.iter_mut().zip(given) {
            *kept = Some(given);
        }
        let flags = happening.words().iter().flat_map(flags).map(Some);
        let mut some = false;
        for flag in flags {
            some = true;
            *self.counts.entry((happening.event, names, flag)).or_default() += 1;
        }
        if !some {
            *self.counts.entry((happening.event, names, None)).or_default() += 1;
        }
    }

    /// Starts again: this is a forked child.
    pub fn forget(&mut self) {
        self.counts.clear();
    }

    /// The run is over. A forked child counts as a run of its own.
    pub fn write(&mut self) {
        let Some(file) = &self.file else { return };
        let mut lines: Vec<String> = self.counts.drain().map(|(kind, count)| line(kind, count)).collect();
        lines.sort();
        // One write, because other processes write to the same file.
        let written = OpenOptions::new()
            .append(true)
            .create(true)
            .open(file)
            .and_then(|mut f| f.write_all(lines.concat().as_bytes()));
        if let Err(why) = written {
            eprintln!("ferromp-checker: {}: {why}", file.display());
        }
    }
}

/// The names of the flags that are set.
fn flags(word: &Word) -> Vec<&'static str> {
    use ferromp_tool::ompt::{CancelFlag, ParallelFlag, TaskFlag};
    match *word {
        Word::Parallel(set) => {
            ParallelFlag::ALL.iter().filter(|(flag, _)| set.contains(*flag)).map(|(_, name)| *name).collect()
        }
        Word::Task(set) => {
            TaskFlag::ALL.iter().filter(|(flag, _)| set.contains(*flag)).map(|(_, name)| *name).collect()
        }
        Word::Cancel(set) => {
            CancelFlag::ALL.iter().filter(|(flag, _)| set.contains(*flag)).map(|(_, name)| *name).collect()
        }
        _ => Vec::new(),
    }
}

fn line((event, names, flag): Kind, count: u64) -> String {
    let short = |name: &'static str| name.strip_prefix("ompt_").unwrap_or(name);
    let mut text = event.name().unwrap_or("unknown").trim_start_matches("ompt_callback_").to_owned();
    for name in names.into_iter().chain([flag]).flatten() {
        write!(text, " {}", short(name)).expect("a string grows");
    }
    format!("{text} {count}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ferromp_tool::ompt::TaskFlag;

    #[test]
    fn events_are_told_apart_by_kind_endpoint_and_flag() {
        let mut coverage = Coverage { file: Some(PathBuf::new()), counts: HashMap::new() };
        let work = [Word::Name("ompt_work_scope"), Word::Name("ompt_scope_begin"), Word::Data(None), Word::Data(None)];
        coverage.count(&Happening::new(Event::Work, &work));
        coverage.count(&Happening::new(Event::Work, &work));
        let create = [Word::Data(None), Word::Data(None), Word::Task(TaskFlag::EXPLICIT | TaskFlag::UNTIED)];
        coverage.count(&Happening::new(Event::TaskCreate, &create));
        let mut lines: Vec<String> = coverage.counts.drain().map(|(kind, count)| line(kind, count)).collect();
        lines.sort();
        assert_eq!(
            lines,
            ["task_create task_explicit 1\n", "task_create task_untied 1\n", "work work_scope scope_begin 2\n"]
        );
    }
}
