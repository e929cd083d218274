//! The event sequence of a run, thread by thread, in words that are the same in every run: tasks and regions are named
//! by where they were created, mutexes by their first appearance, code addresses by the text of the source line.
//! `events/README.md` describes the words.

mod names;
mod target;
mod values;

use std::collections::BTreeMap;
use std::path::Path;

use crate::journal::{Entry, Journal};
use names::{Names, Numbers, Place};
use target::Addresses;
use values::{flags, open, short, value};

open! { Thread TaskStatus SyncRegion Work Dispatch Mutex Severity DependenceType }

/// The events of one thread, in its own order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreadEvents {
    /// The thread's name: threads are numbered in the order of the tasks that they execute first.
    pub name: String,
    pub events: Vec<String>,
}

/// Lines that the journal adds of its own.
const OWN: [&str; 6] = ["refused", "finalize", "task", "task_end_of_levels", "region", "region_end_of_levels"];

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

fn task_flags() -> impl Iterator<Item = (i32, &'static str)> {
    ompt::TaskFlag::ALL.iter().map(|(flag, name)| (flag.0, *name))
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
    fn dependences_are_named() {
        assert_eq!(dependences("1:v1,3:all"), "in:v1 inout:all");
        assert_eq!(dependences("none"), "none");
    }
}
