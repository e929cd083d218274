//! Which events of OMPT the corpus fires: by event, compiler and topic. The checked runs of the corpus leave counts
//! (`FERROMP_CHECKER_COVERAGE`); `docs/ompt-coverage.md` is made of them, and a cell that it has must come in every
//! later run.

use crate::sh::{self, Result, cargo};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The table.
const FILE: &str = "docs/ompt-coverage.md";
/// What each compiler lets be seen, by event.
const VISIBLE: &str = "docs/ompt-events.md";
/// The compilers' names as columns; flang counts as clang, gfortran as gcc, as they call the same entry points.
const COLUMNS: [(&str, &[&str]); 2] = [("clang", &["clang", "offload", "flang"]), ("gcc", &["gcc", "gfortran"])];
/// How often a cell has to come before it is written: once may be chance.
const RUNS: usize = 3;

const OPENING: &str = "\
# Which events the corpus fires

Each line is an event of OMPT with its kind, endpoint or flag. Each cell names the topics of the conformance corpus
(`conformance/programs`) whose programs fire the event, by compiler (clang and flang, gcc and gfortran), at 1, 2, 8 or
33 threads. [ompt-events.md](ompt-events.md) lists what a compiler hides. Events of devices come with clang alone, whose
programs have code for devices. They come in the form with data words: a tool that registers this form does not get the
other one.

Written by `cargo xtask coverage`, from three runs of the corpus; events that depend on chance are left out. `cargo
xtask test` fails when an event no longer comes in a topic that this table has for it.

";

/// Event, column and topic of each cell.
type Cells = BTreeMap<String, [BTreeSet<String>; COLUMNS.len()]>;

/// Where the runs of the corpus leave their counts, a file for each topic and compiler.
fn counts() -> PathBuf {
    sh::target().join("tmp/corpus/coverage")
}

/// Forgets what earlier runs counted.
pub fn clear() -> Result {
    match std::fs::remove_dir_all(counts()) {
        Err(why) if why.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {why}", counts().display())),
        _ => Ok(()),
    }
}

/// Runs the corpus and writes the table; with `--from` and folders, from the counts that earlier runs left there. A
/// program of the corpus that fails does not keep the table from being written, but is an error.
pub fn write(args: &[String]) -> Result {
    let (all, ran) = match args {
        [] => run()?,
        [option, folders @ ..] if option == "--from" && !folders.is_empty() => {
            (folders.iter().map(|folder| read(&sh::absolute(Path::new(folder)))).collect::<Result<Vec<_>>>()?, Ok(()))
        }
        _ => return Err("usage: cargo xtask coverage [--from FOLDER…]".into()),
    };
    let cells = all.into_iter().reduce(|before, now| common(before, &now)).unwrap_or_default();
    sh::write(&sh::root().join(FILE), table(&cells).as_bytes())?;
    eprintln!("wrote {FILE}");
    verdict(untrue(&cells, &visible()?))?;
    ran
}

/// The counts of several runs of the corpus, and whether all its programs passed.
fn run() -> Result<(Vec<Cells>, Result)> {
    let (mut all, mut passed) = (Vec::new(), Ok(()));
    cargo(["build", "--quiet", "--package", "ferromp-checker"]).check()?;
    for run in 1..=RUNS {
        sh::step(&format!("corpus, run {run} of {RUNS}"));
        clear()?;
        passed = passed.and(cargo(["test", "--quiet", "--package", "ferromp-conformance", "--test", "corpus"]).check());
        all.push(read(&counts())?);
    }
    Ok((all, passed))
}

/// Compares the table with what the last run of the corpus counted. Call it after all of the corpus has run.
pub fn check() -> Result {
    let text = std::fs::read_to_string(sh::root().join(FILE)).map_err(|why| format!("{FILE}: {why}"))?;
    let now = read(&counts())?;
    let mut found = missing(&parse(&text), &now);
    found.extend(untrue(&now, &visible()?));
    verdict(found)
}

fn verdict(found: Vec<String>) -> Result {
    for finding in &found {
        eprintln!("{finding}");
    }
    if found.is_empty() { Ok(()) } else { Err(format!("coverage: {} findings", found.len())) }
}

/// The counts that a run left in a folder.
fn read(folder: &Path) -> Result<Cells> {
    let explain = |why| format!("{}: {why}: has the corpus run?", folder.display());
    let mut cells = Cells::new();
    for entry in std::fs::read_dir(folder).map_err(explain)? {
        let path = entry.map_err(explain)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some((topic, compiler)) = name.rsplit_once('.') else { continue };
        let Some(column) = COLUMNS.iter().position(|(_, compilers)| compilers.contains(&compiler)) else { continue };
        let text = std::fs::read_to_string(&path).map_err(explain)?;
        for (event, _) in text.lines().filter_map(|line| line.rsplit_once(' ')) {
            cells.entry(shown(event)).or_default()[column].insert(topic.to_owned());
        }
    }
    Ok(cells)
}

/// `work work_loop_static scope_begin` without what is said twice.
fn shown(event: &str) -> String {
    let mut words = event.split(' ');
    let first = words.next().unwrap_or_default();
    const PREFIXES: [&str; 8] =
        ["sync_region_", "scope_", "work_", "mutex_", "task_", "dispatch_", "thread_", "parallel_"];
    let rest = words.map(|word| PREFIXES.iter().find_map(|prefix| word.strip_prefix(prefix)).unwrap_or(word));
    let rest: Vec<&str> = rest.map(|word| word.strip_prefix("cancel_").unwrap_or(word)).collect();
    if rest.is_empty() { format!("`{first}`") } else { format!("`{first}` {}", rest.join(" ")) }
}

fn common(mut first: Cells, second: &Cells) -> Cells {
    for (event, columns) in &mut first {
        for (column, topics) in columns.iter_mut().enumerate() {
            topics.retain(|topic| second.get(event).is_some_and(|columns| columns[column].contains(topic)));
        }
    }
    first.retain(|_, columns| columns.iter().any(|topics| !topics.is_empty()));
    first
}

fn table(cells: &Cells) -> String {
    let mut text = OPENING.to_owned();
    writeln!(text, "| event | clang | gcc |\n| --- | --- | --- |").expect("a string grows");
    for (event, columns) in cells {
        let cell = |topics: &BTreeSet<String>| topics.iter().cloned().collect::<Vec<_>>().join(", ");
        writeln!(text, "| {event} | {} | {} |", cell(&columns[0]), cell(&columns[1])).expect("a string grows");
    }
    text
}

/// The table's cells.
fn parse(text: &str) -> Cells {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"));
    rows.filter_map(|row| {
        let mut columns = row.split(" |");
        let event = format!("`{}", columns.next()?);
        let mut topics = || {
            columns
                .next()
                .unwrap_or("")
                .split(',')
                .map(str::trim)
                .filter(|t| !t.is_empty())
                .map(str::to_owned)
                .collect()
        };
        Some((event, [topics(), topics()]))
    })
    .collect()
}

/// A finding for each cell of the table that did not come.
fn missing(table: &Cells, now: &Cells) -> Vec<String> {
    let mut found = Vec::new();
    for (event, columns) in table {
        for (column, topics) in columns.iter().enumerate() {
            let came = now.get(event).map(|columns| &columns[column]);
            for topic in topics.iter().filter(|topic| !came.is_some_and(|came| came.contains(*topic))) {
                found.push(format!("{FILE}: {event} no longer comes in {topic} with {}", COLUMNS[column].0));
            }
        }
    }
    found
}

/// Events by column.
type Events = [Vec<String>; COLUMNS.len()];

/// For each column, the events that its compilers let be seen, and those that they do not.
fn visible() -> Result<(Events, Events)> {
    let text = std::fs::read_to_string(sh::root().join(VISIBLE)).map_err(|why| format!("{VISIBLE}: {why}"))?;
    Ok(levels(&text))
}

fn levels(text: &str) -> (Events, Events) {
    let (mut visible, mut hidden) = (Events::default(), Events::default());
    for line in text.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, event, _, columns @ ..] = cells.as_slice() else { continue };
        for (column, level) in columns.iter().enumerate().take(COLUMNS.len()).filter(|_| event.starts_with('`')) {
            let events = if *level == "never" { &mut hidden } else { &mut visible };
            events[column].push((*event).to_owned());
        }
    }
    (visible, hidden)
}

/// Events that exclude another form of theirs, which is the one that the counting tool has.
/// `conformance/tests/ompt_target.rs` has these.
const OTHER_FORMS: [&str; 4] = ["`target`", "`target_data_op`", "`target_submit`", "`target_map`"];
/// Events that take a device. Programs of gcc's have none, so that they do not occur there.
const OF_DEVICES: [&str; 7] = [
    "`device_initialize`",
    "`device_finalize`",
    "`device_load`",
    "`device_unload`",
    "`target_data_op_emi`",
    "`target_submit_emi`",
    "`target_map_emi`",
];

/// Whether an event can come at all in a column.
fn can_come(event: &str, compiler: &str) -> bool {
    !OTHER_FORMS.contains(&event) && (compiler != "gcc" || !OF_DEVICES.contains(&event))
}

/// A finding for each event that could be seen and never came, and for each that came and is said to be hidden.
fn untrue(cells: &Cells, (visible, hidden): &(Events, Events)) -> Vec<String> {
    let came = |event: &String, column: usize| {
        cells.iter().any(|(name, columns)| name.split(' ').next() == Some(event) && !columns[column].is_empty())
    };
    let mut found = Vec::new();
    for (column, (compiler, _)) in COLUMNS.iter().enumerate() {
        for event in visible[column].iter().filter(|event| can_come(event, compiler) && !came(event, column)) {
            found.push(format!("no program of the corpus fires {event} with {compiler}"));
        }
        for event in hidden[column].iter().filter(|event| came(event, column)) {
            found.push(format!("{VISIBLE}: {event} comes with {compiler}, and is never to"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(of: &[(&str, &[&str], &[&str])]) -> Cells {
        let set = |topics: &[&str]| topics.iter().map(|&topic| topic.to_owned()).collect();
        of.iter().map(|(event, clang, gcc)| ((*event).to_owned(), [set(clang), set(gcc)])).collect()
    }

    #[test]
    fn table_is_read_back() {
        let all = cells(&[("`flush`", &["sync"], &[]), ("`work` loop_static begin", &["loops", "teams"], &["loops"])]);
        assert_eq!(parse(&table(&all)), all);
    }

    #[test]
    fn cell_that_no_longer_comes_is_found() {
        let before = cells(&[("`flush`", &["sync", "loops"], &["sync"])]);
        let now = cells(&[("`flush`", &["sync"], &["sync"]), ("`error`", &["error"], &[])]);
        assert_eq!(missing(&before, &now), [format!("{FILE}: `flush` no longer comes in loops with clang")]);
        assert_eq!(common(before, &now), cells(&[("`flush`", &["sync"], &["sync"])]));
    }

    #[test]
    fn what_is_said_of_an_event_is_held_against_what_came() {
        let now = cells(&[("`work` scope begin", &[], &["scope"]), ("`flush`", &["sync"], &["sync"])]);
        let text = "| number | event | answer | clang | gcc |\n| 20 | `work` | x | sometimes | always |\n| 29 | `flush` | x | always | never |\n";
        assert_eq!(
            untrue(&now, &levels(text)),
            [
                "no program of the corpus fires `work` with clang".to_owned(),
                format!("{VISIBLE}: `flush` comes with gcc, and is never to")
            ]
        );
    }

    #[test]
    fn events_are_shown_without_repetition() {
        assert_eq!(shown("work work_loop_static scope_begin"), "`work` loop_static begin");
        assert_eq!(shown("task_schedule taskwait_complete"), "`task_schedule` taskwait_complete");
        assert_eq!(shown("thread_end"), "`thread_end`");
    }
}
