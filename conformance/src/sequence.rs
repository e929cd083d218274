//! The event sequence of a run, thread by thread, in words that are the same in every run: tasks and regions are named
//! by where they were created, mutexes by their first appearance, code addresses by the text of the source line.
//! `events/README.md` describes the words.

mod target;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::journal::{Entry, Journal};
use target::Addresses;

/// The events of one thread, in its own order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEvents {
    /// The thread's name: threads are numbered in the order of the tasks that they execute first.
    pub name: String,
    pub events: Vec<String>,
}

/// Lines that the journal adds of its own.
const OWN: [&str; 6] = ["refused", "finalize", "task", "task_end_of_levels", "region", "region_end_of_levels"];

/// Where a task or region was created: the steps from the initial task to it. Steps sort as the things are named.
type Place = Vec<(Step, u64)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Initial,
    /// The implicit or initial task with this number, of a region.
    Member,
    /// The n-th region that a task met.
    Region,
    /// The n-th explicit task that a task generated.
    Explicit,
}

/// The sequence of a run whose source lies at `source`.
///
/// # Panics
/// If a code address lies outside the program, or an object in the journal has no begin.
pub fn of(journal: &Journal, source: &Path) -> Vec<ThreadEvents> {
    let names = Names::of(journal, source);
    let addresses = Addresses::of(&journal.entries);
    let mut by_thread: BTreeMap<Place, (i32, Vec<&Entry>)> = BTreeMap::new();
    for entry in journal.entries.iter().filter(|entry| !OWN.contains(&entry.event.as_str())) {
        let place = names.threads.get(&entry.thread).cloned().unwrap_or_default();
        by_thread.entry(place).or_insert_with(|| (entry.thread, Vec::new())).1.push(entry);
    }
    let (mut mutexes, mut targets) = (Numbers::default(), Numbers::default());
    by_thread
        .into_values()
        .enumerate()
        .map(|(number, (_, entries))| ThreadEvents {
            name: format!("thread {number}"),
            events: entries
                .into_iter()
                .map(|entry| {
                    target::line(entry, &names, &addresses, &mut targets)
                        .unwrap_or_else(|| line(entry, &names, &addresses, &mut mutexes))
                })
                .collect(),
        })
        .collect()
}

/// Numbers for things in the order in which they are first met.
#[derive(Default)]
struct Numbers(BTreeMap<String, usize>);

impl Numbers {
    fn of(&mut self, thing: &str) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry(thing.to_owned()).or_insert(next)
    }
}

/// The names of all objects.
struct Names {
    /// The name of each data word that the journal has numbered.
    words: BTreeMap<u64, String>,
    /// The first task of each thread.
    threads: BTreeMap<i32, Place>,
    /// The text of the line of each code address.
    codes: BTreeMap<String, String>,
}

impl Names {
    fn of(journal: &Journal, source: &Path) -> Names {
        let mut places: BTreeMap<u64, Place> = BTreeMap::new();
        let mut threads: BTreeMap<i32, Place> = BTreeMap::new();
        let mut met: BTreeMap<(Place, Step), u64> = BTreeMap::new();
        let mut next = |above: &Place, step: Step| {
            let count = met.entry((above.clone(), step)).or_default();
            *count += 1;
            let mut place = above.clone();
            place.push((step, *count));
            place
        };
        for entry in &journal.entries {
            let known = |places: &BTreeMap<u64, Place>, key: &str| {
                places
                    .get(&entry.number(key))
                    .cloned()
                    .unwrap_or_else(|| panic!("unknown {key}: {entry:?}\n{}", journal.listing()))
            };
            match entry.event.as_str() {
                "parallel_begin" => {
                    let place = next(&known(&places, "task"), Step::Region);
                    places.insert(entry.number("parallel"), place);
                }
                "implicit_task" if entry.text("at") == "begin" => {
                    let region = entry.number("parallel");
                    let above = places.entry(region).or_insert_with(|| next(&Place::new(), Step::Initial)).clone();
                    let mut place = above;
                    place.push((Step::Member, entry.number("index")));
                    threads.entry(entry.thread).or_insert_with(|| place.clone());
                    places.insert(entry.number("task"), place);
                }
                "task_create" => {
                    let place = next(&known(&places, "outer"), Step::Explicit);
                    places.insert(entry.number("task"), place);
                }
                _ => {}
            }
        }
        Names { words: words(&places), threads, codes: codes(journal, source) }
    }

    fn word(&self, text: &str) -> String {
        match text.parse::<u64>() {
            Ok(0) => "empty".to_owned(),
            Ok(number) => self.words.get(&number).cloned().unwrap_or_else(|| "unknown".to_owned()),
            Err(_) => text.to_owned(),
        }
    }

    /// As [`word`](Self::word), but the pointer may be null.
    fn task_or_null(&self, text: &str) -> String {
        if text == "0" { "null".to_owned() } else { self.word(text) }
    }

    fn code(&self, text: &str) -> String {
        self.codes.get(text).cloned().unwrap_or_else(|| text.rsplit_once('+').map_or(text, |(file, _)| file).to_owned())
    }
}

/// Regions are `r0` (the initial one), `r1`, … in the order of their places, their tasks `r1.0`, explicit tasks `t1`,
/// ….
fn words(places: &BTreeMap<u64, Place>) -> BTreeMap<u64, String> {
    let sorted: BTreeSet<&Place> = places.values().collect();
    let (mut regions, mut tasks) = (0, 0);
    let mut names: BTreeMap<&Place, String> = BTreeMap::new();
    for place in sorted {
        let (step, number) = place.last().copied().expect("a place has steps");
        let name = match step {
            Step::Initial => "r0".to_owned() + &"'".repeat(number as usize - 1),
            Step::Region => {
                regions += 1;
                format!("r{regions}")
            }
            Step::Member => format!("{}.{number}", names[&place[..place.len() - 1].to_vec()]),
            Step::Explicit => {
                tasks += 1;
                format!("t{tasks}")
            }
        };
        names.insert(place, name);
    }
    places.iter().map(|(word, place)| (*word, names[place].clone())).collect()
}

/// The label of each code address of the journal that lies in the program.
fn codes(journal: &Journal, source: &Path) -> BTreeMap<String, String> {
    let keys = ["code", "instance"];
    let all: BTreeSet<&str> =
        journal.entries.iter().flat_map(|entry| keys.iter().filter_map(|key| entry.get(key))).collect();
    let inside: Vec<&str> = all.into_iter().filter(|code| journal.in_program(code)).collect();
    let text = std::fs::read_to_string(source).unwrap_or_else(|why| panic!("{}: {why}", source.display()));
    let labels = labels(&text);
    let found = journal.source_lines(&inside);
    inside
        .iter()
        .zip(found)
        .map(|(code, (file, line))| {
            let here = file.file_name() == source.file_name();
            let label = if line == 0 {
                "no line".to_owned()
            } else if here {
                labels[line - 1].clone()
            } else {
                file.file_name().unwrap_or_default().to_string_lossy().into_owned()
            };
            ((*code).to_owned(), label)
        })
        .collect()
}

/// The names of a source's lines: the directive or statement on the line, with a number if the text occurs again. gcc
/// puts the call of a `parallel` or `teams` construct on the line where the enclosing function begins. Such a line gets
/// the name of the first of these constructs in the function.
fn labels(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut labels: Vec<String> = Vec::new();
    let mut function = None;
    for (index, line) in text.lines().enumerate() {
        let statement = line.split("//").next().unwrap_or("").trim();
        let directive = statement.strip_prefix("#pragma omp ");
        let name = directive.unwrap_or(statement).trim_end_matches(|c: char| c == '{' || c == ';' || c.is_whitespace());
        let name = if name.is_empty() { statement } else { name };
        let count = seen.entry(name.to_owned()).or_default();
        *count += 1;
        let again = if *count > 1 { format!(" #{count}") } else { String::new() };
        labels.push(format!("\"{name}\"{again}"));
        let opens_region =
            directive.is_some_and(|directive| ["parallel", "teams"].iter().any(|c| directive.starts_with(c)));
        if line.starts_with(|c: char| c.is_alphabetic()) && line.contains('(') {
            function = Some(index);
        } else if opens_region && let Some(header) = function.take() {
            labels[header] = labels[index].clone();
        }
    }
    labels
}

/// One event as a line.
fn line(entry: &Entry, names: &Names, addresses: &Addresses, mutexes: &mut Numbers) -> String {
    let word = |key: &str| names.word(entry.text(key));
    let code = || format!("at {}", names.code(entry.text("code")));
    let mutex = |mutexes: &mut Numbers| format!("m{}", mutexes.of(entry.text("id")));
    let at = |key: &str| entry.text(key).to_owned();
    let full = |key: &str| if entry.get(key) == Some("0") { " NOT-EMPTY" } else { "" };
    let event = entry.event.as_str();
    match event {
        "thread_begin" => {
            let same = if entry.text("same") == "1" { "" } else { " NOT-ITS-DATA" };
            format!("{event} {}{}{same}", value::<ompt::Thread>(entry, "kind"), full("empty"))
        }
        "thread_end" => event.to_owned(),
        "parallel_begin" => format!(
            "{event} {}{} by {} requested={} {} {}",
            word("parallel"),
            full("empty"),
            word("task"),
            at("requested"),
            flags(ompt::ParallelFlag::ALL.iter().map(|(flag, name)| (flag.0, *name)), entry),
            code()
        ),
        "parallel_end" => format!(
            "{event} {} by {} {} {}",
            word("parallel"),
            word("task"),
            flags(ompt::ParallelFlag::ALL.iter().map(|(flag, name)| (flag.0, *name)), entry),
            code()
        ),
        "implicit_task" => {
            let begins = at("at") == "begin";
            let odd = if begins && entry.text("empty") == "0" { " NOT-EMPTY" } else { "" };
            let current = if entry.text("info") == "2" && entry.text("same") == "1" { "" } else { " NOT-CURRENT" };
            format!(
                "{event} {} {}{odd}{current} in {} actual={} index={} {}",
                at("at"),
                word("task"),
                word("parallel"),
                at("size"),
                at("index"),
                flags(task_flags(), entry)
            )
        }
        "task_create" => format!(
            "{event} {}{} by {} {}{} {}",
            word("task"),
            full("empty"),
            word("outer"),
            flags(task_flags(), entry),
            if entry.text("dependences") == "0" { "" } else { " has-dependences" },
            code()
        ),
        "task_schedule" => {
            format!("{event} {} {} then {}", word("prior"), value::<ompt::TaskStatus>(entry, "status"), word("next"))
        }
        "dependences" => format!("{event} {} {}", word("task"), dependences(addresses.list(entry))),
        "task_dependence" => format!("{event} {} before {}", word("source"), word("sink")),
        "sync_region" | "sync_region_wait" | "reduction" => format!(
            "{event} {} {} {} {} {}",
            at("at"),
            value::<ompt::SyncRegion>(entry, "kind"),
            word("parallel"),
            word("task"),
            code()
        ),
        "work" => format!(
            "{event} {} {} {} {} count={} {}",
            at("at"),
            value::<ompt::Work>(entry, "kind"),
            word("parallel"),
            word("task"),
            at("count"),
            code()
        ),
        "dispatch" => {
            let what = match (entry.get("start"), entry.get("instance")) {
                (Some(start), _) => format!("start={start} iterations={}", at("iterations")),
                (None, Some(instance)) if journal_code(instance) => format!("at {}", names.code(instance)),
                (None, instance) => format!("instance={}", instance.unwrap_or("none")),
            };
            format!("{event} {} {} {} {what}", value::<ompt::Dispatch>(entry, "kind"), word("parallel"), word("task"))
        }
        "masked" => format!("{event} {} {} {} {}", at("at"), word("parallel"), word("task"), code()),
        "mutex_acquire" | "lock_init" => {
            format!("{event} {} {} hint={} {}", value::<ompt::Mutex>(entry, "kind"), mutex(mutexes), at("hint"), code())
        }
        "mutex_acquired" | "mutex_released" | "lock_destroy" => {
            format!("{event} {} {} {}", value::<ompt::Mutex>(entry, "kind"), mutex(mutexes), code())
        }
        "nest_lock" => format!("{event} {} {} {}", at("at"), mutex(mutexes), code()),
        "flush" => {
            let same = if entry.text("same") == "1" { "" } else { " NOT-ITS-DATA" };
            format!("{event}{same} {}", code())
        }
        "cancel" => {
            format!(
                "{event} {} {} {}",
                word("task"),
                flags(ompt::CancelFlag::ALL.iter().map(|(f, n)| (f.0, *n)), entry),
                code()
            )
        }
        "error" => {
            format!(
                "{event} {} {} length={} {}",
                value::<ompt::Severity>(entry, "severity"),
                at("message"),
                at("length"),
                code()
            )
        }
        "control_tool" => {
            format!(
                "{event} command={} modifier={} argument={} {}",
                at("command"),
                at("modifier"),
                at("argument"),
                code()
            )
        }
        "mark" => format!("-- {}", at("name")),
        other => format!("{other} UNKNOWN-TO-THE-TEST"),
    }
}

/// Whether an instance is written as a code address.
fn journal_code(instance: &str) -> bool {
    instance.contains("+0x") || instance.contains("+(") || instance == "null"
}

/// An enumeration of OMPT whose values the journal writes as numbers.
trait Open {
    fn name_of(number: i32) -> Option<&'static str>;
}
macro_rules! open {
    ($($ty:ident)*) => { $( impl $crate::sequence::Open for ompt::$ty {
        fn name_of(number: i32) -> Option<&'static str> {
            ompt::$ty(number).name()
        }
    } )* };
}
use open;
open! { Thread TaskStatus SyncRegion Work Dispatch Mutex Severity DependenceType }

fn value<T: Open>(entry: &Entry, key: &str) -> String {
    short(T::name_of(entry.number(key) as i32)).unwrap_or_else(|| entry.text(key).to_owned())
}

/// A name in C without its prefix.
fn short(name: Option<&'static str>) -> Option<String> {
    const PREFIXES: [&str; 15] = [
        "ompt_target_data_",
        "ompt_target_map_flag_",
        "ompt_sync_region_",
        "ompt_parallel_",
        "ompt_thread_",
        "ompt_task_",
        "ompt_work_",
        "ompt_dispatch_",
        "ompt_mutex_",
        "ompt_dependence_type_",
        "ompt_cancel_",
        "ompt_target_",
        "ompt_frame_",
        "ompt_state_",
        "ompt_",
    ];
    name.map(|name| PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name).to_owned())
}

fn task_flags() -> impl Iterator<Item = (i32, &'static str)> {
    ompt::TaskFlag::ALL.iter().map(|(flag, name)| (flag.0, *name))
}

/// Flags by their names, joined by `|`; what has no name in hexadecimal.
fn flags(all: impl Iterator<Item = (i32, &'static str)>, entry: &Entry) -> String {
    let mut left = entry.number("flags") as u32;
    let mut names = Vec::new();
    for (flag, name) in all {
        if left & flag as u32 == flag as u32 && flag != 0 {
            names.extend(short(Some(name)));
            left &= !(flag as u32);
        }
    }
    if left != 0 || names.is_empty() {
        names.push(format!("{left:#x}"));
    }
    names.join("|")
}

/// `3:v1,1:v2` with the kinds by name.
fn dependences(list: &str) -> String {
    let one = |item: &str| {
        let (kind, what) = item.split_once(':')?;
        let name = short(ompt::DependenceType(kind.parse().ok()?).name()).unwrap_or_else(|| kind.to_owned());
        Some(format!("{name}:{what}"))
    };
    list.split(',').map(|item| one(item).unwrap_or_else(|| item.to_owned())).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_called_by_what_stands_on_them() {
        let labels =
            labels("int x; // why\nint f(void) {\n#pragma omp parallel num_threads(2) // why\n  {\n}\nint x;\n");
        let region = "\"parallel num_threads(2)\"";
        assert_eq!(labels, ["\"int x\"", region, region, "\"{\"", "\"}\"", "\"int x\" #2"]);
    }

    #[test]
    fn dependences_are_named() {
        assert_eq!(dependences("1:v1,3:all"), "in:v1 inout:all");
        assert_eq!(dependences("none"), "none");
    }
}
