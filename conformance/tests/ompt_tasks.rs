//! Events of tasks: dependences, statuses, flags, cancellation, taskloops (OpenMP 5.1, sections 4.5.2.5–10, 4.5.2.13,
//! 4.5.2.18). Each test runs a small program of `tools/` under the journal tool, for clang's and for gcc's entry
//! points.

use std::collections::{BTreeMap, BTreeSet};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::{COMPILERS, Entry, Journal};
use ferromp_conformance::tools::Workshop;

/// `ompt_task_status_t`.
mod status {
    pub const COMPLETE: &str = "1";
    pub const CANCEL: &str = "3";
    pub const DETACH: &str = "4";
    pub const EARLY_FULFILL: &str = "5";
    pub const LATE_FULFILL: &str = "6";
    pub const TASKWAIT_COMPLETE: &str = "8";
}

/// `ompt_task_flag_t`, as the journal writes it.
mod flag {
    pub const INITIAL: u64 = 0x1;
    pub const IMPLICIT: u64 = 0x2;
    pub const EXPLICIT: u64 = 0x4;
    pub const TARGET: u64 = 0x8;
    pub const TASKWAIT: u64 = 0x10;
    pub const UNDEFERRED: u64 = 0x0800_0000;
    pub const UNTIED: u64 = 0x1000_0000;
    pub const FINAL: u64 = 0x2000_0000;
    pub const MERGEABLE: u64 = 0x4000_0000;
}

const CANCELLATION: [(&str, &str); 1] = [("OMP_CANCELLATION", "true")];

fn run(name: &str, compiler: Compiler, threads: u32) -> Journal {
    run_with(name, compiler, threads, &[])
}

fn run_with(name: &str, compiler: Compiler, threads: u32, settings: &[(&str, &str)]) -> Journal {
    Journal::of(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), name, compiler, threads, settings)
}

/// Each compiler with some numbers of threads.
fn teams() -> impl Iterator<Item = (Compiler, u32)> {
    COMPILERS.into_iter().flat_map(|compiler| [1, 2, 4, 33].map(|threads| (compiler, threads)))
}

/// The events of that kind between two marks.
fn between<'a>(journal: &'a Journal, from: &str, to: &str, event: &str) -> Vec<&'a Entry> {
    journal.between(from, to).iter().filter(|entry| entry.event == event).collect()
}

/// The statuses that are reported of a task, each with its place in the journal.
fn statuses<'a>(journal: &'a Journal, task: &str) -> Vec<(usize, &'a str)> {
    journal.all("task_schedule", &[("prior", task)]).iter().map(|entry| (entry.index, entry.text("status"))).collect()
}

/// Where the journal says that a task is over.
fn ends(journal: &Journal) -> BTreeMap<String, usize> {
    let over = [status::COMPLETE, status::CANCEL, status::LATE_FULFILL, status::TASKWAIT_COMPLETE];
    let schedules = journal.all("task_schedule", &[]);
    let ends = schedules.iter().filter(|entry| over.contains(&entry.text("status")));
    ends.map(|entry| (entry.text("prior").to_owned(), entry.index)).collect()
}

/// The kinds in the list of a `dependences` line.
fn kinds(entry: &Entry) -> Vec<&str> {
    let mut kinds: Vec<&str> = entry.text("list").split(',').filter_map(|item| Some(item.split_once(':')?.0)).collect();
    kinds.sort_unstable();
    kinds
}

#[test]
fn dependences_follow_their_task_with_every_kind() {
    for compiler in COMPILERS {
        let journal = run("task_depend", compiler, 1);
        // in 1, inout 3, mutexinoutset 4, inoutset 7, out of all memory 34; both compilers say `inout` for `out`.
        let mut wanted = vec![vec!["3"], vec!["1", "3"], vec!["4", "4"], vec!["4"], vec!["1"], vec!["3", "3", "3"]];
        if compiler == Compiler::Clang {
            wanted.extend([vec!["7"], vec!["34"]]);
        }
        let found: Vec<Vec<&str>> =
            between(&journal, "kinds", "taskwait", "dependences").into_iter().map(kinds).collect();
        assert_eq!(found, wanted, "{}\n{}", compiler.name(), journal.listing());
        for dependences in journal.all("dependences", &[]) {
            // Of its thread: another one may begin meanwhile.
            let before = journal.entries[..dependences.index].iter().rfind(|entry| entry.thread == dependences.thread);
            let created = [("task", dependences.text("task")), ("dependences", "1")];
            assert!(
                before.is_some_and(|create| create.is("task_create", &created)),
                "{dependences:?}\n{}",
                journal.listing()
            );
        }
        let with = journal.all("task_create", &[("dependences", "1")]).len();
        assert_eq!(journal.all("dependences", &[]).len(), with, "{}", journal.listing());
    }
}

#[test]
fn dependence_objects_and_iterators_name_the_variables_themselves() {
    for compiler in COMPILERS {
        let journal = run("task_depend", compiler, 1);
        let lists: Vec<Vec<&str>> = between(&journal, "kinds", "taskwait", "dependences")
            .iter()
            .map(|entry| entry.text("list").split(',').filter_map(|item| Some(item.split_once(':')?.1)).collect())
            .collect();
        let (a, object) = (lists[0][0], lists[4][0]);
        assert!(lists[1].contains(&a) && lists[2].contains(&a) && lists[3] == [a], "{lists:?}");
        assert!(lists[2].contains(&object) && object != a, "the variable of the dependence object: {lists:?}");
        assert_eq!(lists[5].iter().collect::<BTreeSet<_>>().len(), 3, "three elements: {lists:?}");
    }
}

#[test]
fn each_unfulfilled_dependence_names_source_and_sink() {
    for compiler in COMPILERS {
        let journal = run("task_depend", compiler, 1);
        let created: Vec<&str> =
            between(&journal, "kinds", "taskwait", "task_create").iter().map(|entry| entry.text("task")).collect();
        let number = |task: &str| created.iter().position(|created| *created == task).expect("a task of these");
        let found: Vec<(usize, usize)> = between(&journal, "kinds", "taskwait", "task_dependence")
            .iter()
            .map(|entry| (number(entry.text("source")), number(entry.text("sink"))))
            .collect();
        // Tasks of one mutexinoutset exclude each other, in no order. The last two are clang's alone.
        let mut wanted = vec![(0, 1), (1, 2), (1, 3), (2, 4)];
        if compiler == Compiler::Clang {
            wanted.extend([(1, 6), (2, 7), (3, 7), (4, 7), (5, 7), (6, 7)]);
        }
        assert_eq!(
            found.iter().collect::<BTreeSet<_>>(),
            wanted.iter().collect(),
            "{}\n{}",
            compiler.name(),
            journal.listing()
        );
        assert_eq!(found.len(), wanted.len(), "each pair once: {found:?}");
    }
}

#[test]
fn no_dependence_on_a_task_that_is_reported_complete() {
    for (compiler, threads) in teams() {
        let journal = run("task_chain", compiler, threads);
        let ends = ends(&journal);
        let begins: BTreeMap<&str, usize> =
            journal.all("task_schedule", &[]).iter().rev().map(|entry| (entry.text("next"), entry.index)).collect();
        for dependence in journal.all("task_dependence", &[]) {
            let (source, sink) = (dependence.text("source"), dependence.text("sink"));
            assert!(dependence.index < ends[source], "{dependence:?}: its source is over\n{}", journal.listing());
            assert!(ends[source] < begins[sink], "{dependence:?}: its sink began before\n{}", journal.listing());
        }
    }
}

#[test]
fn taskwait_with_dependences_is_a_task_of_its_own() {
    for compiler in COMPILERS {
        let journal = run("task_depend", compiler, 1);
        let mut wanted = vec![flag::TASKWAIT | flag::UNDEFERRED | flag::MERGEABLE];
        if compiler == Compiler::Clang {
            // With nowait: a deferred task. Archer keeps nothing of a task that is neither undeferred nor explicit, and
            // crashes.
            wanted.push(flag::TASKWAIT | flag::EXPLICIT | flag::MERGEABLE);
        }
        let created = between(&journal, "taskwait", "undeferred", "task_create");
        let waits: Vec<&&Entry> = created.iter().filter(|entry| entry.number("flags") & flag::TASKWAIT != 0).collect();
        assert_eq!(
            waits.iter().map(|entry| entry.number("flags")).collect::<Vec<_>>(),
            wanted,
            "{}",
            journal.listing()
        );
        for wait in waits {
            let task = wait.text("task");
            let source = journal.one("task_dependence", &[("sink", task)]).text("source").to_owned();
            let complete = journal.one("task_schedule", &[("prior", task)]);
            assert!(
                complete.is("task_schedule", &[("status", status::TASKWAIT_COMPLETE), ("next", "null")]),
                "{complete:?}"
            );
            assert!(ends(&journal)[&source] < complete.index, "{}", journal.listing());
            assert!(
                journal.all("task_schedule", &[("next", task)]).is_empty(),
                "nobody executes it\n{}",
                journal.listing()
            );
        }
        assert_eq!(journal.marked("waited"), 2);
    }
}

#[test]
fn undeferred_task_waits_for_its_dependences_before_it_begins() {
    for compiler in COMPILERS {
        let journal = run("task_depend", compiler, 1);
        assert_eq!(journal.marked("undeferred_body"), 4);
        let created = between(&journal, "undeferred", "over", "task_create");
        let flags: Vec<u64> = created.iter().map(|entry| entry.number("flags")).collect();
        let undeferred = flag::EXPLICIT | flag::UNDEFERRED;
        // clang's programs wait first, by a taskwait of their own, and then generate a task without dependences.
        let wanted = match compiler {
            Compiler::Clang => vec![flag::EXPLICIT, flag::TASKWAIT | flag::UNDEFERRED | flag::MERGEABLE, undeferred],
            _ => vec![flag::EXPLICIT, undeferred],
        };
        assert_eq!(flags, wanted, "{}\n{}", compiler.name(), journal.listing());
        let (source, sink) = (created[0].text("task"), created[1].text("task"));
        assert_eq!(between(&journal, "undeferred", "over", "task_dependence").len(), 1);
        let dependence = journal.one("task_dependence", &[("source", source), ("sink", sink)]);
        let begin = journal.one("task_schedule", &[("next", created.last().expect("a task").text("task"))]);
        assert!(
            dependence.index < ends(&journal)[source] && ends(&journal)[source] < begin.index,
            "{}",
            journal.listing()
        );
    }
}

#[test]
fn doacross_dependences_are_told_by_iteration() {
    for (compiler, threads) in teams() {
        let journal = run("task_doacross", compiler, threads);
        // Row and column of each line: sources are kind 5, sinks kind 6.
        let mut posted = BTreeSet::new();
        let mut sinks = 0;
        for entry in journal.all("dependences", &[]) {
            let items: Vec<(&str, i64)> = entry
                .text("list")
                .split(',')
                .filter_map(|item| item.split_once(':'))
                .map(|(kind, value)| (kind, value.parse().expect("a number")))
                .collect();
            let [(kind, row), (same, column)] = items[..] else { panic!("{entry:?}") };
            assert_eq!(kind, same, "{entry:?}");
            assert!((0..4).contains(&row) && (0..3).contains(&column), "outside of the nest: {entry:?}");
            if kind == "5" {
                assert!(posted.insert((row, column)), "posted twice: {entry:?}");
            } else {
                assert_eq!(kind, "6");
                assert!(posted.contains(&(row, column)), "{entry:?} before its source\n{}", journal.listing());
                sinks += 1;
            }
            let implicit = journal.all("implicit_task", &[("task", entry.text("task")), ("flags", "0x2")]);
            assert!(!implicit.is_empty(), "the task that encounters the construct: {entry:?}");
        }
        assert_eq!((posted.len(), sinks), (12, 3 * 3 + 4 * 2), "{} {threads}\n{}", compiler.name(), journal.listing());
    }
}

#[test]
fn one_thread_reports_the_fulfilment_of_a_detached_task() {
    for (compiler, threads) in teams() {
        let journal = run("task_detach", compiler, threads);
        let mut fulfilled = 0;
        for create in journal.all("task_create", &[]) {
            let mut found = statuses(&journal, create.text("task"));
            found.retain(|(_, status)| ["1", "3", "4", "5", "6"].contains(status));
            let told: Vec<&str> = found.iter().map(|(_, status)| *status).collect();
            let right = match told[..] {
                [status::COMPLETE] => true,
                [status::EARLY_FULFILL, status::COMPLETE] | [status::DETACH, status::LATE_FULFILL] => {
                    fulfilled += 1;
                    true
                }
                _ => false,
            };
            assert!(right, "{} {threads}: {create:?} has {told:?}\n{}", compiler.name(), journal.listing());
        }
        assert_eq!(fulfilled, 204, "{}", journal.listing());
        let early = |from, to| {
            between(&journal, from, to, "task_schedule").iter().any(|e| e.text("status") == status::EARLY_FULFILL)
        };
        assert!(early("inside", "after"), "fulfilled in the body\n{}", journal.listing());
        assert!(early("before", "inside"), "fulfilled before the body\n{}", journal.listing());
        for entry in journal.all("task_schedule", &[]) {
            let fulfil = [status::EARLY_FULFILL, status::LATE_FULFILL].contains(&entry.text("status"));
            assert_eq!(entry.text("next") == "null", fulfil, "{entry:?}");
        }
    }
}

#[test]
fn discarded_tasks_are_told_and_their_events_hit_nobody_else() {
    for (compiler, threads) in teams() {
        let journal = run_with("task_discard", compiler, threads, &CANCELLATION);
        assert_eq!((journal.marked("ran"), journal.marked("over")), (0, 80), "{}", journal.listing());
        // Taskgroup and discarded.
        let discarded = journal.all("cancel", &[("flags", "0x48"), ("code", "null")]);
        assert_eq!(discarded.len(), 20, "{} {threads}\n{}", compiler.name(), journal.listing());
        for entry in discarded {
            let told: Vec<&str> =
                statuses(&journal, entry.text("task")).into_iter().map(|(_, status)| status).collect();
            assert_eq!(told, [status::CANCEL], "{entry:?}\n{}", journal.listing());
        }
        let again = journal.one("mark", &[("name", "again")]).index;
        let events = journal.all("task_schedule", &[]).into_iter().filter(|entry| entry.index > again);
        let fulfilled: Vec<&str> = events
            .filter(|entry| [status::EARLY_FULFILL, status::LATE_FULFILL].contains(&entry.text("status")))
            .map(|entry| entry.text("prior"))
            .collect();
        assert_eq!(fulfilled.len(), 80, "once each, by the task that was meant\n{}", journal.listing());
        assert_eq!(fulfilled.iter().collect::<BTreeSet<_>>().len(), 80, "{}", journal.listing());
    }
}

#[test]
fn prior_task_is_the_one_that_the_thread_runs() {
    for (compiler, threads) in teams() {
        for name in ["task_untied", "task_discard", "task_cancel", "task_detach", "task_loop"] {
            let journal = run_with(name, compiler, threads, &CANCELLATION);
            let mut running: BTreeMap<i32, Vec<String>> = BTreeMap::new();
            for entry in &journal.entries {
                let tasks = running.entry(entry.thread).or_default();
                if entry.is("implicit_task", &[("at", "begin")]) {
                    tasks.push(entry.text("task").to_owned());
                } else if entry.is("implicit_task", &[("at", "end")]) {
                    assert_eq!(tasks.pop().as_deref(), Some(entry.text("task")), "{name} {entry:?}");
                } else if entry.event == "task_schedule" && entry.text("next") != "null" {
                    let (prior, next) = (entry.text("prior"), entry.text("next"));
                    let current = tasks.last_mut().expect("a thread that schedules runs a task");
                    assert_eq!(current, prior, "{} {threads} {name}: {entry:?}", compiler.name());
                    next.clone_into(current);
                }
            }
        }
    }
}

#[test]
fn flags_of_created_tasks_are_those_that_they_find_themselves() {
    for (compiler, threads) in COMPILERS.into_iter().flat_map(|compiler| [(compiler, 1), (compiler, 2)]) {
        let journal = run("task_kinds", compiler, threads);
        // Tasks of a team of one run where they are generated, unless something else has to happen before they are
        // over.
        let deferred = if threads == 1 { flag::EXPLICIT | flag::UNDEFERRED } else { flag::EXPLICIT };
        let final_ = flag::EXPLICIT | flag::FINAL;
        // clang does not hand `mergeable` down.
        let mergeable = if compiler == Compiler::Gcc { flag::MERGEABLE } else { 0 };
        for (name, flags) in [
            ("explicit", deferred),
            ("undeferred", flag::EXPLICIT | flag::UNDEFERRED),
            ("untied", deferred | flag::UNTIED),
            ("untied_undeferred", flag::EXPLICIT | flag::UNTIED | flag::UNDEFERRED),
            ("mergeable", flag::EXPLICIT | flag::UNDEFERRED | mergeable),
            ("final", deferred | flag::FINAL),
            ("included", final_ | flag::UNDEFERRED),
            ("deeper", final_ | flag::UNDEFERRED | flag::UNTIED),
            ("detach", flag::EXPLICIT),
        ] {
            let body = journal.one("task", &[("name", name), ("level", "0")]);
            let create = journal.one("task_create", &[("task", body.text("task"))]);
            assert_eq!(create.number("flags"), flags, "{} {name}\n{}", compiler.name(), journal.listing());
            assert_eq!(
                body.number("flags"),
                flags,
                "{} {name}: ompt_get_task_info\n{}",
                compiler.name(),
                journal.listing()
            );
        }
        // The tasks around it: an implicit task's encountering task is suspended until it is over, so it is undeferred.
        for (level, flags) in [("1", flag::IMPLICIT | flag::UNDEFERRED), ("2", flag::INITIAL)] {
            let around = journal.one("task", &[("name", "explicit"), ("level", level)]);
            assert_eq!(around.number("flags"), flags, "{} level {level}\n{}", compiler.name(), journal.listing());
        }
        let target = between(&journal, "target", "yield", "task_create");
        let [target] = target[..] else { panic!("one target task: {target:?}") };
        let wanted = flag::TARGET | flag::UNTIED | flag::MERGEABLE;
        assert_eq!(target.number("flags"), wanted, "a target task is no explicit task");
        assert_eq!(target.text("dependences"), "1");
    }
}

#[test]
fn cancellation_names_construct_and_part_in_it() {
    for (compiler, threads) in teams() {
        let journal = run_with("task_cancel", compiler, threads, &CANCELLATION);
        let several = threads >= 3;
        let marks = ["loop", "sections", "parallel", "region_tasks", "taskgroup", "over"];
        for (window, kind) in marks.windows(2).zip([0x4, 0x2, 0x1, 0x1, 0x8]) {
            let cancels = between(&journal, window[0], window[1], "cancel");
            let context = || format!("{} {threads} {}\n{}", compiler.name(), window[0], journal.listing());
            let (activated, detected) = (kind | 0x10, kind | 0x20);
            for entry in &cancels {
                let flags = entry.number("flags");
                assert!([activated, detected, kind | 0x40].contains(&flags), "{entry:?}: {}", context());
                if flags != kind | 0x40 {
                    assert!(journal.in_program(entry.text("code")), "{entry:?}: {}", context());
                }
            }
            let of = |flags| cancels.iter().filter(move |entry| entry.number("flags") == flags);
            if kind == 0x1 {
                let tasks: BTreeSet<&str> = cancels.iter().map(|entry| entry.text("task")).collect();
                assert_eq!(tasks.len(), cancels.len(), "each task once: {}", context());
                if several && window[0] == "parallel" {
                    assert_eq!((of(activated).count(), of(detected).count()), (1, 2), "{}", context());
                }
            }
            let (Some(first), detections) = (of(activated).next(), of(detected)) else { panic!("{}", context()) };
            assert!(detections.into_iter().all(|entry| first.index < entry.index), "{}", context());
        }
    }
}

#[test]
fn tasks_of_a_cancelled_region_are_discarded_by_it() {
    for (compiler, threads) in teams() {
        let journal = run_with("task_cancel", compiler, threads, &CANCELLATION);
        let created = between(&journal, "region_tasks", "taskgroup", "task_create");
        assert_eq!(created.len(), 3, "{}", journal.listing());
        for create in created {
            // Parallel and discarded.
            let task = create.text("task");
            let discarded = journal.one("cancel", &[("task", task), ("flags", "0x41"), ("code", "null")]);
            let [(end, status::CANCEL)] = statuses(&journal, task)[..] else {
                panic!("{create:?}\n{}", journal.listing())
            };
            assert!(discarded.index < end, "{}", journal.listing());
        }
    }
}

#[test]
fn task_that_yields_is_told_as_yielding() {
    for compiler in COMPILERS {
        let journal = run("task_kinds", compiler, 2);
        let created = between(&journal, "yield", "detach", "task_create");
        let [other] = created[..] else { panic!("{created:?}") };
        let begin = journal.one("task_schedule", &[("next", other.text("task"))]);
        assert_eq!((begin.text("prior"), begin.text("status")), (other.text("outer"), "2"), "{}", journal.listing());
    }
}

#[test]
fn cancelled_loop_keeps_its_end() {
    for (compiler, threads) in teams() {
        let journal = run_with("task_cancel", compiler, threads, &CANCELLATION);
        for (from, to, kind) in [("loop", "sections", "11"), ("sections", "parallel", "2")] {
            let works = between(&journal, from, to, "work");
            let works: Vec<&&Entry> = works.iter().filter(|entry| entry.text("kind") == kind).collect();
            let ends = works.iter().filter(|entry| entry.text("at") == "end").count();
            assert_eq!((works.len(), ends), (2 * threads as usize, threads as usize), "{from}\n{}", journal.listing());
        }
    }
}

#[test]
fn taskloop_tells_each_task_which_iterations_are_its_own() {
    for (compiler, threads) in teams() {
        let journal = run("task_loop", compiler, threads);
        let context = |name: &str| format!("{} {threads} {name}\n{}", compiler.name(), journal.listing());
        let loops = [
            ("plain", "nogroup", 11, 4, true),
            ("nogroup", "undeferred", 10, 3, false),
            ("undeferred", "many", 4, 2, true),
            ("many", "empty", 300, 300, true),
            ("empty", "reduction", 0, 0, true),
            ("reduction", "over", 8, 4, true),
        ];
        for (name, next, iterations, tasks, group) in loops {
            let created = between(&journal, name, next, "task_create");
            assert_eq!(created.len(), tasks, "{}", context(name));
            let mut chunks: Vec<(u64, u64)> = Vec::new();
            for chunk in between(&journal, name, next, "dispatch") {
                assert_eq!(chunk.text("kind"), "4", "{}", context(name));
                assert!(created.iter().any(|create| create.text("task") == chunk.text("task")), "{chunk:?}");
                // The task has begun, on this thread.
                let before = journal.entries[..chunk.index].iter().rev().find(|entry| entry.thread == chunk.thread);
                assert!(
                    before.is_some_and(|entry| entry.is("task_schedule", &[("next", chunk.text("task"))])),
                    "{chunk:?}"
                );
                chunks.push((chunk.number("start"), chunk.number("iterations")));
            }
            assert_eq!(chunks.len(), tasks, "{}", context(name));
            chunks.sort_unstable();
            let end = chunks.iter().fold(0, |at, (start, count)| {
                assert_eq!(at, *start, "{}: {chunks:?}", context(name));
                start + count
            });
            assert_eq!(end, iterations, "{}", context(name));
            let works = between(&journal, name, next, "work");
            let works: Vec<(&str, u64)> = works
                .iter()
                .filter(|entry| entry.text("kind") == "7")
                .map(|entry| (entry.text("at"), entry.number("count")))
                .collect();
            assert_eq!(works, [("begin", iterations), ("end", iterations)], "{}", context(name));
            let groups = between(&journal, name, next, "sync_region");
            let groups = groups.iter().filter(|entry| entry.text("kind") == "6").count();
            assert_eq!(groups, if group { 2 } else { 0 }, "{}", context(name));
        }
    }
}

#[test]
fn taskloop_is_called_from_the_program_and_generated_by_one_thread() {
    for (compiler, threads) in teams() {
        let journal = run("task_loop", compiler, threads);
        let begin = journal.all("work", &[("kind", "7"), ("at", "begin")]);
        for create in journal.all("task_create", &[]) {
            assert!(journal.in_program(create.text("code")), "{create:?}\n{}", journal.listing());
            let own = begin.iter().any(|work| {
                ["task", "code"].iter().zip(["outer", "code"]).all(|(a, b)| work.text(a) == create.text(b))
                    && work.thread == create.thread
            });
            assert!(own, "{create:?} at the construct's own place, in its task\n{}", journal.listing());
        }
    }
}

#[test]
fn single_nowait_in_teams_ends_in_the_task_that_began_it() {
    for (compiler, threads) in teams() {
        let journal = run("task_teams", compiler, threads);
        let mut open: BTreeMap<i32, String> = BTreeMap::new();
        for entry in journal.all("work", &[("kind", "3")]) {
            let task = entry.text("task").to_owned();
            let implicit = journal.all("implicit_task", &[("task", &task), ("at", "begin"), ("flags", "0x2")]);
            assert_eq!(implicit.len(), 1, "{entry:?}\n{}", journal.listing());
            match entry.text("at") {
                "begin" => assert!(open.insert(entry.thread, task).is_none(), "{entry:?}"),
                "end" => {
                    assert_eq!(open.remove(&entry.thread), Some(task), "{}\n{}", compiler.name(), journal.listing())
                }
                _ => {}
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }
}

#[test]
fn untied_generator_does_not_nest_without_bound() {
    for compiler in COMPILERS {
        let journal = run("task_untied", compiler, 1);
        assert_eq!(journal.marked("count"), 20_000, "{}", compiler.name());
        let bytes = journal.marked("bytes");
        assert!(bytes < 16 * 1024, "{}: {bytes} bytes of stack for tasks that are not nested", compiler.name());
    }
}

#[test]
fn reduction_of_tasks_is_told_where_the_runtime_combines() {
    for (compiler, threads) in teams() {
        let journal = run("task_loop", compiler, threads);
        let told: Vec<(&str, &str)> = between(&journal, "reduction", "over", "reduction")
            .iter()
            .map(|entry| (entry.text("kind"), entry.text("at")))
            .collect();
        let wanted: &[(&str, &str)] = if compiler == Compiler::Clang { &[("7", "begin"), ("7", "end")] } else { &[] };
        assert_eq!(told, wanted, "{} {threads}\n{}", compiler.name(), journal.listing());
    }
}
