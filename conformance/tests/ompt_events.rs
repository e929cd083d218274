//! The events and answers of the runtime, event by event (OpenMP 5.1, sections 4.5.2 and 4.6.1). Each test runs a small
//! program of `tools/` under the journal tool and reads the events, for clang's and for gcc's entry points.

use std::collections::{BTreeMap, BTreeSet};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::{COMPILERS, Entry, Journal, WAITS};
use ferromp_conformance::tools::{Workshop, sources};

/// Numbers of `ompt_sync_region_t`, as the journal writes them.
const TASKWAIT: &str = "5";
const REGION_END: &str = "9";

fn run(name: &str, compiler: Compiler, threads: u32) -> Journal {
    run_with(name, compiler, threads, &[])
}

fn run_with(name: &str, compiler: Compiler, threads: u32, settings: &[(&str, &str)]) -> Journal {
    Journal::of(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), name, compiler, threads, settings)
}

/// The events, without marks and answers.
fn events(entries: &[Entry]) -> impl Iterator<Item = &Entry> {
    const OWN: [&str; 7] =
        ["mark", "task", "task_end_of_levels", "region", "region_end_of_levels", "refused", "finalize"];
    entries.iter().filter(|entry| !OWN.contains(&entry.event.as_str()))
}

#[test]
fn worker_leaves_its_region_before_it_goes_idle() {
    for (compiler, wait) in COMPILERS.into_iter().flat_map(|compiler| WAITS.map(|wait| (compiler, wait))) {
        let journal = run_with("ev_idle", compiler, 4, wait);
        let serial = journal.one("mark", &[("name", "serial")]).index;
        let over = journal.one("mark", &[("name", "serial_over")]).index;
        let first_region = |entry: &&&Entry| entry.index < over;
        for (event, values) in [
            ("implicit_task", vec![("at", "end"), ("flags", "0x2")]),
            ("sync_region_wait", vec![("kind", REGION_END), ("at", "end")]),
            ("sync_region", vec![("kind", REGION_END), ("at", "end")]),
        ] {
            let ends = journal.all(event, &values).iter().filter(first_region).count();
            assert_eq!(ends, 4, "{event} ends until the serial phase is over\n{}", journal.listing());
        }
        let later = journal.all("implicit_task", &[("at", "begin"), ("flags", "0x2")]);
        assert!(later.iter().all(|entry| entry.index < serial || entry.index > over), "{}", journal.listing());
        let idle: Vec<u64> = journal.all("mark", &[("name", "idle")]).iter().map(|mark| mark.number("value")).collect();
        assert_eq!(idle, [0x100; 3], "the workers' states in the serial phase, {} {wait:?}", compiler.name());
    }
}

/// Which kinds of events there are, with the kinds of their constructs.
fn kinds(journal: &Journal) -> BTreeSet<String> {
    let values =
        |entry: &Entry, keys: &[&str]| keys.iter().map(|key| format!(" {}", entry.text(key))).collect::<String>();
    events(&journal.entries)
        .filter(|entry| !["thread_begin", "thread_end"].contains(&entry.event.as_str()))
        // Whoever finds the construct taken; one thread never does.
        .filter(|entry| !entry.is("work", &[("kind", "4")]))
        .map(|entry| match entry.event.as_str() {
            "work" | "sync_region" | "sync_region_wait" => entry.event.clone() + &values(entry, &["kind", "at"]),
            "masked" | "implicit_task" | "nest_lock" => entry.event.clone() + &values(entry, &["at"]),
            "task_schedule" => entry.event.clone() + &values(entry, &["status"]),
            event if event.starts_with("mutex") || event.starts_with("lock") => {
                entry.event.clone() + &values(entry, &["kind"])
            }
            _ => entry.event.clone(),
        })
        .collect()
}

#[test]
fn region_of_one_thread_sends_the_events_of_many() {
    for compiler in COMPILERS {
        let (one, many) = (run("ev_all", compiler, 1), run("ev_all", compiler, 4));
        assert_eq!(kinds(&one), kinds(&many), "{}: one thread against four", compiler.name());
    }
}

/// What one thread of a region with one explicit barrier has to say, from the region's begin to its end.
const PLAIN_REGION: [&str; 12] = [
    "parallel_begin",
    "implicit_task begin",
    "sync_region 3 begin",
    "sync_region_wait 3 begin",
    "sync_region_wait 3 end",
    "sync_region 3 end",
    "sync_region 9 begin",
    "sync_region_wait 9 begin",
    "sync_region_wait 9 end",
    "sync_region 9 end",
    "implicit_task end",
    "parallel_end",
];

#[test]
fn plain_region_sends_exactly_its_events_in_order() {
    for (compiler, threads) in
        [(Compiler::Clang, 1), (Compiler::Clang, 3), (Compiler::Gcc, 1), (Compiler::Gcc, 3), (Compiler::Gcc, 33)]
    {
        let journal = run("ev_plain", compiler, threads);
        let mut by_thread: BTreeMap<i32, Vec<String>> = BTreeMap::new();
        for entry in events(&journal.entries) {
            let text = match entry.event.as_str() {
                "thread_begin" | "thread_end" => continue,
                "implicit_task" if entry.text("flags") == "0x1" => continue,
                "implicit_task" => format!("implicit_task {}", entry.text("at")),
                "sync_region" | "sync_region_wait" => {
                    format!("{} {} {}", entry.event, entry.text("kind"), entry.text("at"))
                }
                _ => entry.event.clone(),
            };
            by_thread.entry(entry.thread).or_default().push(text);
        }
        assert_eq!(by_thread.len(), threads as usize, "{}", journal.listing());
        for (thread, seen) in by_thread {
            let wanted = if thread == 0 { &PLAIN_REGION[..] } else { &PLAIN_REGION[1..11] };
            assert_eq!(seen, wanted, "thread {thread} of {threads}, {}\n{}", compiler.name(), journal.listing());
        }
    }
}

#[test]
fn code_addresses_lie_in_the_program() {
    for compiler in COMPILERS {
        for name in ["ev_all", "ev_codes", "ev_mutex", "ev_tasks", "ev_nested"] {
            let journal = run(name, compiler, 3);
            let with_code = journal.entries.iter().filter(|entry| entry.has("code"));
            for entry in with_code {
                let code = entry.text("code");
                // A worker does not stand at the end of a region in the program: it was called by the runtime.
                let may_be_null = entry.event.starts_with("sync_region") && entry.text("kind") == REGION_END;
                let right = journal.in_program(code) || (may_be_null && code == "null");
                assert!(right, "{} {name}: {entry:?}\n{}", compiler.name(), journal.listing());
            }
        }
    }
}

#[test]
fn code_addresses_name_the_line_of_the_construct() {
    for compiler in COMPILERS {
        let journal = run("ev_codes", compiler, 2);
        for (tag, event, values) in [
            ("parallel", "parallel_begin", vec![]),
            ("parallel", "parallel_end", vec![]),
            ("for", "work", vec![("kind", "11"), ("at", "begin")]),
            ("single", "work", vec![("kind", "3"), ("at", "begin")]),
            ("task", "task_create", vec![]),
            ("taskwait", "sync_region", vec![("kind", TASKWAIT), ("at", "begin")]),
            ("taskgroup", "sync_region", vec![("kind", "6"), ("at", "begin")]),
            ("taskloop", "work", vec![("kind", "7"), ("at", "begin")]),
            ("critical", "mutex_acquire", vec![("kind", "5")]),
            ("critical", "mutex_acquired", vec![("kind", "5")]),
            ("init", "lock_init", vec![("kind", "1")]),
            ("set", "mutex_acquire", vec![("kind", "1")]),
            ("set", "mutex_acquired", vec![("kind", "1")]),
            ("unset", "mutex_released", vec![("kind", "1")]),
            ("destroy", "lock_destroy", vec![("kind", "1")]),
            ("barrier", "sync_region", vec![("kind", "3"), ("at", "begin")]),
            ("barrier", "sync_region_wait", vec![("kind", "3"), ("at", "end")]),
        ] {
            if compiler == Compiler::Gcc && ["single", "task", "taskgroup"].contains(&tag) {
                // gcc's own line table counts these calls to other statements.
                continue;
            }
            let wanted = journal.tagged_line(tag);
            let found = journal.all(event, &values);
            // The line of a loop is that of the directive or that of the `for` below it. Other barriers of gcc programs
            // look like explicit ones.
            let near = |entry: &&Entry| (wanted..=wanted + 1).contains(&journal.source_line(entry.text("code")));
            assert!(
                found.iter().any(near),
                "{}: no {event} {values:?} at line {wanted} ({tag}): {:?}",
                compiler.name(),
                found.iter().map(|entry| journal.source_line(entry.text("code"))).collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn code_addresses_follow_the_call_of_the_construct() {
    for compiler in COMPILERS {
        let journal = run("ev_codes", compiler, 2);
        for (event, values, clang, gcc) in [
            ("parallel_begin", vec![], "__kmpc_fork_call", "GOMP_parallel"),
            ("parallel_end", vec![], "__kmpc_fork_call", "GOMP_parallel"),
            (
                "work",
                vec![("kind", "11"), ("at", "begin")],
                "__kmpc_dispatch_init_4",
                "GOMP_loop_nonmonotonic_dynamic_start",
            ),
            ("work", vec![("kind", "3"), ("at", "begin")], "__kmpc_single", "GOMP_single_start"),
            ("sync_region", vec![("kind", TASKWAIT)], "__kmpc_omp_taskwait", "GOMP_taskwait"),
            ("sync_region_wait", vec![("kind", TASKWAIT)], "__kmpc_omp_taskwait", "GOMP_taskwait"),
            ("sync_region", vec![("kind", "6"), ("at", "begin")], "__kmpc_taskgroup", "GOMP_taskgroup_start"),
            ("work", vec![("kind", "7")], "__kmpc_taskloop", "GOMP_taskloop"),
            ("mutex_acquire", vec![("kind", "5")], "__kmpc_critical", "GOMP_critical_name_start"),
            ("mutex_released", vec![("kind", "5")], "__kmpc_end_critical", "GOMP_critical_name_end"),
            ("mutex_acquire", vec![("kind", "1")], "omp_set_lock", "omp_set_lock"),
            ("mutex_released", vec![("kind", "1")], "omp_unset_lock", "omp_unset_lock"),
            ("lock_init", vec![], "omp_init_lock", "omp_init_lock"),
            ("lock_destroy", vec![], "omp_destroy_lock", "omp_destroy_lock"),
        ] {
            let wanted = if compiler == Compiler::Gcc { gcc } else { clang };
            let found = journal.all(event, &values);
            assert!(!found.is_empty(), "{event} {values:?}\n{}", journal.listing());
            for entry in found {
                // The taskgroup that a taskloop implies begins in the taskloop.
                let callee = journal.callee(entry.text("code"));
                let of_taskloop = entry.is("sync_region", &[("kind", "6")]) && callee.ends_with("taskloop");
                assert!(callee == wanted || of_taskloop, "{}: {callee} before {entry:?}", compiler.name());
            }
        }
        let task = if compiler == Compiler::Gcc {
            ["GOMP_task", "GOMP_taskloop"]
        } else {
            ["__kmpc_omp_task", "__kmpc_taskloop"]
        };
        for create in journal.all("task_create", &[]) {
            assert!(task.contains(&journal.callee(create.text("code")).as_str()), "{create:?}");
        }
    }
}

#[test]
fn taskloop_tasks_carry_the_taskloops_address() {
    for compiler in COMPILERS {
        let journal = run("ev_codes", compiler, 2);
        let line = journal.tagged_line("taskloop");
        let begin = journal.one("work", &[("kind", "7"), ("at", "begin")]);
        let end = journal.one("work", &[("kind", "7"), ("at", "end")]);
        let tasks: Vec<&Entry> = journal
            .all("task_create", &[])
            .into_iter()
            .filter(|task| (begin.index..end.index).contains(&task.index))
            .collect();
        assert!(!tasks.is_empty(), "{}", journal.listing());
        for task in tasks {
            assert!((line..=line + 1).contains(&journal.source_line(task.text("code"))), "{task:?}");
        }
        assert_eq!(begin.number("count"), 4, "the iterations of the taskloop");
    }
}

#[test]
fn data_words_begin_empty_and_stay() {
    for compiler in COMPILERS {
        for name in ["ev_all", "ev_nested", "ev_idle"] {
            let journal = run(name, compiler, 4);
            for event in ["thread_begin", "parallel_begin", "task_create"] {
                for entry in journal.all(event, &[]) {
                    assert_eq!(entry.text("empty"), "1", "{entry:?}");
                }
            }
            for begin in journal.all("implicit_task", &[("at", "begin")]) {
                assert_eq!(begin.text("empty"), "1", "{begin:?}");
                // Its end comes on the same thread, with the same word, whose region may be gone.
                let task = begin.text("task");
                let end = journal.one("implicit_task", &[("at", "end"), ("task", task)]);
                assert_eq!((end.thread, end.text("parallel")), (begin.thread, "null"), "{}", journal.listing());
                assert_eq!(end.text("flags"), begin.text("flags"));
            }
            for begin in journal.all("parallel_begin", &[]) {
                let end = journal.one("parallel_end", &[("parallel", begin.text("parallel"))]);
                for key in ["task", "flags", "code"] {
                    assert_eq!(begin.text(key), end.text(key), "{begin:?} {end:?}");
                }
                assert_eq!(begin.thread, end.thread);
            }
            for event in ["sync_region", "sync_region_wait", "work"] {
                assert_paired(&journal, event);
            }
        }
    }
}

/// Every begin of this event meets its end on the same thread, for the same kind and task; so does that of `single`, of
/// which gcc programs do not tell the end.
fn assert_paired(journal: &Journal, event: &str) {
    let mut open: BTreeMap<i32, Vec<&Entry>> = BTreeMap::new();
    for entry in journal.all(event, &[]) {
        let stack = open.entry(entry.thread).or_default();
        if entry.text("at") == "begin" {
            stack.push(entry);
            continue;
        }
        assert_eq!(entry.text("at"), "end", "tools take ompt_scope_beginend for an end without a begin: {entry:?}");
        let begin = stack.pop().unwrap_or_else(|| panic!("an end without a begin: {entry:?}\n{}", journal.listing()));
        for key in ["kind", "task"] {
            assert_eq!(begin.text(key), entry.text(key), "{begin:?} {entry:?}\n{}", journal.listing());
        }
    }
    let left: Vec<&&Entry> = open.values().flatten().collect();
    assert!(left.is_empty(), "begins without an end: {left:?}\n{}", journal.listing());
}

#[test]
fn one_thread_executes_a_single_and_the_others_say_so() {
    for compiler in COMPILERS {
        let journal = run("ev_codes", compiler, 2);
        for kind in ["3", "4"] {
            for at in ["begin", "end"] {
                assert_eq!(
                    journal.all("work", &[("kind", kind), ("at", at)]).len(),
                    1,
                    "{kind} {at}\n{}",
                    journal.listing()
                );
            }
        }
    }
}

#[test]
fn worksharing_tells_its_kind_and_its_count() {
    for compiler in COMPILERS {
        for threads in [1, 3] {
            let journal = run("ev_work", compiler, threads);
            for (kind, counts) in [("10", vec![11]), ("11", vec![12, 14]), ("12", vec![13]), ("2", vec![3])] {
                for thread in 0..threads as i32 {
                    let of = |at| -> Vec<u64> {
                        let found = journal.all("work", &[("kind", kind), ("at", at)]);
                        found.iter().filter(|entry| entry.thread == thread).map(|entry| entry.number("count")).collect()
                    };
                    if kind == "10" && compiler == Compiler::Gcc {
                        // gcc computes static loops in the program itself.
                        assert_eq!((of("begin"), of("end")), (vec![], vec![]), "{}", journal.listing());
                        continue;
                    }
                    assert_eq!(
                        of("begin"),
                        counts,
                        "{} kind {kind}, thread {thread}\n{}",
                        compiler.name(),
                        journal.listing()
                    );
                    assert_eq!(
                        of("end"),
                        counts,
                        "{} kind {kind}, thread {thread}\n{}",
                        compiler.name(),
                        journal.listing()
                    );
                }
            }
        }
    }
}

#[test]
fn masked_is_told_by_the_thread_that_executes_it() {
    let journal = run("ev_work", Compiler::Clang, 3);
    let (begin, end) = (journal.one("masked", &[("at", "begin")]), journal.one("masked", &[("at", "end")]));
    assert_eq!((begin.thread, end.thread), (0, 0));
    for key in ["task", "parallel"] {
        assert_eq!(begin.text(key), end.text(key));
    }
    assert_eq!(run("ev_work", Compiler::Gcc, 3).all("masked", &[]).len(), 0, "gcc computes it in the program itself");
}

#[test]
fn foreign_thread_is_initial_while_it_uses_openmp() {
    for compiler in COMPILERS {
        let journal = run("ev_foreign", compiler, 2);
        for (event, answer) in [("task_end_of_levels", "0"), ("region_end_of_levels", "0")] {
            let stranger = journal.one(event, &[("name", "stranger")]);
            assert_eq!((stranger.thread, stranger.text("answer")), (-1, answer), "{stranger:?}");
            assert_eq!(stranger.text("state"), "0x102", "undefined before it is one of OpenMP's: {stranger:?}");
        }
        let initial = journal.all("thread_begin", &[("kind", "1")]);
        assert_eq!(initial.len(), 2, "the program's and the foreign one\n{}", journal.listing());
        let guest = initial[1].thread;
        let begin = journal.all("implicit_task", &[("at", "begin"), ("flags", "0x1")]);
        assert_eq!((begin.len(), begin[1].thread), (2, guest), "{}", journal.listing());
        let end = journal.one("implicit_task", &[("at", "end"), ("task", begin[1].text("task"))]);
        let gone = journal.one("thread_end", &[("data", initial[1].text("data"))]);
        let joined = journal.one("mark", &[("name", "joined")]).index;
        assert!(end.index < gone.index && gone.index < joined, "its ends come when it ends\n{}", journal.listing());
        assert_eq!(journal.all("region", &[("name", "guest")]).len(), 1);
    }
}

#[test]
fn native_thread_begins_before_its_first_event_whatever_that_is() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let lib = format!("-L{}", workshop.lib.display());
    for compiler in [Compiler::Offload, Compiler::Clang, Compiler::Gcc] {
        // Compilers' own libraries lack some of the routines.
        let program = workshop.program("ev_newcomers", compiler, &["-Wl,--no-as-needed", &lib, "-lferromp"]);
        let journal =
            Journal::of_program(&workshop, program, sources().join("ev_newcomers.c"), &[("OMP_NUM_THREADS", "2")]);
        let mut known = BTreeSet::new();
        for entry in events(&journal.entries) {
            let begins = entry.event == "thread_begin" && known.insert(entry.thread);
            assert!(begins || known.contains(&entry.thread), "{}: {entry:?}\n{}", compiler.name(), journal.listing());
        }
        // Whoever fulfils an event, behind the task's code or within, is in its initial task then.
        for (status, mark, next) in [("5", "early", "late"), ("6", "late", "next")] {
            let [mark, next] = [mark, next].map(|name| journal.all("mark", &[("name", name)])[0].index);
            let fulfilled = journal.one("task_schedule", &[("status", status)]);
            assert!(
                mark < fulfilled.index && fulfilled.index < next && fulfilled.text("state") == "0x0",
                "{fulfilled:?}"
            );
            let begin = journal.entries[..fulfilled.index].iter().rev().find(|entry| entry.event == "implicit_task");
            assert!(begin.is_some_and(|begin| begin.thread == fulfilled.thread), "{}", journal.listing());
        }
        assert_eq!(journal.one("mark", &[("name", "done")]).thread, journal.entries[0].thread, "{}", journal.listing());
    }
}

#[test]
fn exit_inside_a_region_ends_the_tool_once() {
    for compiler in COMPILERS {
        let journal = run("ev_exit", compiler, 3);
        assert!(journal.all("late", &[]).is_empty(), "{}", journal.listing());
        assert_eq!(journal.one("finalize", &[]).index, journal.entries.len() - 1, "{}", journal.listing());
    }
}

#[test]
fn threads_begin_and_end_once() {
    for compiler in COMPILERS {
        let journal = run("ev_idle", compiler, 4);
        let begins = journal.all("thread_begin", &[]);
        let kinds: Vec<&str> = begins.iter().map(|entry| entry.text("kind")).collect();
        assert_eq!(kinds.iter().filter(|kind| **kind == "1").count(), 1, "one initial thread\n{}", journal.listing());
        assert_eq!(kinds.iter().filter(|kind| **kind == "2").count(), 3, "three workers\n{}", journal.listing());
        assert_eq!((begins[0].text("kind"), begins.len()), ("1", 4));
        for begin in begins {
            assert_eq!(begin.text("same"), "1", "ompt_get_thread_data against thread_begin: {begin:?}");
            let end = journal.one("thread_end", &[("data", begin.text("data"))]);
            assert_eq!(end.thread, begin.thread, "{}", journal.listing());
            let last =
                events(&journal.entries).filter(|entry| entry.thread == end.thread).last().expect("its end at least");
            assert_eq!(last.index, end.index, "nothing after a thread's end\n{}", journal.listing());
        }
        assert!(journal.all("late", &[]).is_empty(), "{}", journal.listing());
        assert_eq!(journal.one("finalize", &[]).index, journal.entries.len() - 1);
    }
}

#[test]
fn initial_task_encloses_everything() {
    for compiler in COMPILERS {
        let journal = run("ev_plain", compiler, 2);
        let begin = journal.one("implicit_task", &[("at", "begin"), ("flags", "0x1")]);
        assert_eq!((begin.number("size"), begin.number("index"), begin.thread), (1, 1, 0));
        assert_eq!(begin.index, 1, "right after thread_begin\n{}", journal.listing());
        let end = journal.one("implicit_task", &[("at", "end"), ("flags", "0x1")]);
        assert_eq!(end.text("task"), begin.text("task"));
        assert_eq!(journal.one("parallel_begin", &[]).text("task"), begin.text("task"));
    }
}

#[test]
fn implicit_tasks_tell_their_number_and_the_teams_size() {
    for compiler in COMPILERS {
        for threads in [1, 4] {
            let journal = run("ev_plain", compiler, threads);
            let region = journal.one("parallel_begin", &[]);
            assert_eq!(region.number("requested"), u64::from(threads));
            // Invoked for a team, by the program or the runtime.
            let flags = region.number("flags");
            assert!(flags & 0x8000_0000 != 0 && [1, 2].contains(&(flags & 3)), "{region:?}");
            let begins = journal.all("implicit_task", &[("at", "begin"), ("flags", "0x2")]);
            let indexes: BTreeSet<u64> = begins.iter().map(|entry| entry.number("index")).collect();
            assert_eq!(indexes, (0..u64::from(threads)).collect(), "{}", journal.listing());
            for begin in begins {
                assert_eq!(
                    (begin.text("info"), begin.text("same"), begin.text("info_flags")),
                    ("2", "1", "0x8000002"),
                    "{begin:?}"
                );
                assert!(["0x1", "0x101"].contains(&begin.text("state")), "{begin:?}");
                assert_eq!(begin.number("size"), u64::from(threads));
                assert_eq!(begin.text("parallel"), region.text("parallel"));
                let end = journal.one("implicit_task", &[("at", "end"), ("task", begin.text("task"))]);
                assert_eq!(end.text("index"), begin.text("index"));
            }
        }
    }
}

/// Task flags and statuses, as the journal writes them.
const EXPLICIT: u64 = 0x4;
const UNDEFERRED: u64 = 0x0800_0000;
const UNTIED: u64 = 0x1000_0000;
const FINAL: u64 = 0x2000_0000;
const MERGEABLE: u64 = 0x4000_0000;
const COMPLETE: &str = "1";

/// The creation of the only task between two marks; its body runs once, between a switch to it and its completion.
fn only_task<'a>(journal: &'a Journal, from: &str, to: &str) -> &'a Entry {
    let part = journal.between(from, to);
    let mut created = part.iter().filter(|entry| entry.event == "task_create");
    let create = created.next().unwrap_or_else(|| panic!("no task after {from}\n{}", journal.listing()));
    assert!(created.next().is_none(), "one task after {from}\n{}", journal.listing());
    let (task, outer) = (create.text("task"), create.text("outer"));
    let index = |what: &str, found: Option<&Entry>| {
        found.unwrap_or_else(|| panic!("no {what} after {from}\n{}", journal.listing())).index
    };
    let start = index(
        "switch to the task",
        part.iter().find(|entry| entry.is("task_schedule", &[("next", task), ("prior", outer)])),
    );
    let body = index("body", part.iter().find(|entry| entry.is("mark", &[("name", &format!("{from}_body"))])));
    let done = [("prior", task), ("status", COMPLETE), ("next", outer)];
    let end = index("completion", part.iter().find(|entry| entry.is("task_schedule", &done)));
    assert!(create.index < start && start < body && body < end, "{}", journal.listing());
    create
}

#[test]
fn tasks_are_created_switched_to_and_completed() {
    for compiler in COMPILERS {
        let journal = run("ev_tasks", compiler, 1);
        for (from, to, wanted, unwanted) in [
            ("deferred", "undeferred", EXPLICIT, UNTIED | FINAL | MERGEABLE),
            ("undeferred", "untied", EXPLICIT | UNDEFERRED, UNTIED | FINAL),
            ("untied", "final", EXPLICIT | UNTIED, FINAL),
            ("final", "mergeable", EXPLICIT | FINAL, UNTIED),
            // clang does not tell the runtime.
            (
                "mergeable",
                "dependent",
                EXPLICIT | if compiler == Compiler::Gcc { MERGEABLE } else { 0 },
                UNTIED | FINAL,
            ),
        ] {
            let create = only_task(&journal, from, to);
            let flags = create.number("flags");
            assert!(flags & wanted == wanted && flags & unwanted == 0, "{} {from}: {create:?}", compiler.name());
            assert_eq!(create.text("dependences"), "0", "{create:?}");
            assert_ne!(create.number("enter"), 0, "the encountering task is inside the runtime: {create:?}");
        }
    }
}

#[test]
fn dependent_tasks_say_so() {
    for compiler in COMPILERS {
        let journal = run("ev_tasks", compiler, 1);
        let part = journal.between("dependent", "nested");
        let creates: Vec<&Entry> = part.iter().filter(|entry| entry.event == "task_create").collect();
        assert_eq!(creates.len(), 2, "{}", journal.listing());
        assert!(creates.iter().all(|create| create.text("dependences") == "1"), "{creates:?}");
        assert_eq!(journal.marked("dependent_body"), 1, "after the task that it depends on");
    }
}

#[test]
fn task_yield_is_seen_only_as_switches_between_tasks() {
    // No other task is ready, so the yielding task continues, and no event may report a switch.
    for compiler in COMPILERS {
        let journal = run("ev_tasks", compiler, 1);
        let between = journal.between("untied_body", "untied_again");
        for entry in between.iter().filter(|entry| entry.event == "task_schedule") {
            assert_ne!(entry.text("prior"), entry.text("next"), "{entry:?}");
            assert_ne!(entry.text("status"), COMPLETE, "{}", journal.listing());
        }
    }
}

#[test]
fn wait_ends_while_a_task_runs_in_it() {
    for compiler in COMPILERS {
        for (name, threads) in [("ev_tasks", 1), ("ev_many_tasks", 1), ("ev_many_tasks", 4), ("ev_all", 4)] {
            let journal = run(name, compiler, threads);
            // The task that each thread waits for, if it is inside a wait.
            let mut waiting: BTreeMap<i32, &Entry> = BTreeMap::new();
            let mut inside = 0;
            for entry in &journal.entries {
                if entry.event == "sync_region_wait" {
                    if entry.text("at") == "begin" {
                        waiting.insert(entry.thread, entry);
                    } else {
                        waiting.remove(&entry.thread);
                    }
                } else if entry.event == "mark" || entry.is("task_schedule", &[("status", "7")]) {
                    inside += 1;
                    let wait = waiting.get(&entry.thread);
                    assert!(wait.is_none(), "{}: {entry:?} inside {wait:?}\n{}", compiler.name(), journal.listing());
                }
            }
            assert!(inside > 0, "{}", journal.listing());
        }
    }
}

#[test]
fn wait_begins_again_after_a_task() {
    for (compiler, threads) in COMPILERS.into_iter().flat_map(|compiler| [(compiler, 1), (compiler, 2)]) {
        let journal = run("ev_many_tasks", compiler, threads);
        for kind in [TASKWAIT, "6"] {
            let regions = journal.all("sync_region", &[("kind", kind), ("at", "begin")]).len();
            let waits = journal.all("sync_region_wait", &[("kind", kind), ("at", "begin")]).len();
            assert_eq!(regions, 1, "{}", journal.listing());
            let why =
                format!("20 tasks were generated in {kind}, and its wait began {waits} times\n{}", journal.listing());
            // A thread alone has executed them before.
            assert_eq!(waits > 1, threads > 1, "{why}");
        }
    }
}

#[test]
fn prior_task_is_the_one_that_the_thread_ran() {
    for compiler in COMPILERS {
        for name in ["ev_many_tasks", "ev_all", "ev_tasks"] {
            let journal = run(name, compiler, 4);
            let mut current: BTreeMap<i32, Vec<&str>> = BTreeMap::new();
            for entry in &journal.entries {
                let running = current.entry(entry.thread).or_default();
                if entry.event == "implicit_task" {
                    if entry.text("at") == "begin" {
                        running.push(entry.text("task"));
                    } else {
                        assert_eq!(running.pop(), Some(entry.text("task")), "{entry:?}\n{}", journal.listing());
                    }
                } else if entry.event == "task_schedule" {
                    assert_eq!(running.pop(), Some(entry.text("prior")), "{entry:?}\n{}", journal.listing());
                    running.push(entry.text("next"));
                }
            }
        }
    }
}

/// The mutex events between two marks, as `event kind`.
fn mutex_events(journal: &Journal, from: &str, to: &str) -> Vec<String> {
    events(journal.between(from, to))
        .filter_map(|entry| match entry.event.as_str() {
            "nest_lock" => Some(format!("nest_lock {}", entry.text("at"))),
            event if event.starts_with("mutex_") || event.starts_with("lock_") => {
                Some(format!("{event} {}", entry.text("kind")))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn locks_tell_their_kind_and_their_order() {
    for compiler in COMPILERS {
        let journal = run("ev_mutex", compiler, 1);
        for (from, to, wanted) in [
            ("start", "set", vec!["lock_init 1"]),
            ("set", "test", vec!["mutex_acquire 1", "mutex_acquired 1", "mutex_released 1"]),
            ("test", "test_in_vain", vec!["mutex_acquire 2", "mutex_acquired 2"]),
            ("test_in_vain", "unset", vec!["mutex_acquire 2"]),
            ("unset", "nest", vec!["mutex_released 1", "lock_destroy 1"]),
            (
                "nest",
                "test_nest",
                vec![
                    "lock_init 3",
                    "mutex_acquire 3",
                    "mutex_acquired 3",
                    "mutex_acquire 3",
                    "nest_lock begin",
                    "nest_lock end",
                    "mutex_released 3",
                ],
            ),
            (
                "test_nest",
                "critical",
                vec![
                    "mutex_acquire 4",
                    "mutex_acquired 4",
                    "mutex_acquire 4",
                    "nest_lock begin",
                    "nest_lock end",
                    "mutex_released 3",
                    "lock_destroy 3",
                ],
            ),
            ("critical", "ordered", vec!["mutex_acquire 5", "mutex_acquired 5", "mutex_released 5"]),
            ("ordered", "atomic", [["mutex_acquire 7", "mutex_acquired 7", "mutex_released 7"]; 2].concat()),
        ] {
            assert_eq!(
                mutex_events(&journal, from, to),
                wanted,
                "{} after {from}\n{}",
                compiler.name(),
                journal.listing()
            );
        }
    }
}

#[test]
fn atomic_that_needs_the_runtime_is_seen() {
    let journal = run("ev_mutex", Compiler::Gcc, 1);
    let wanted = ["mutex_acquire 6", "mutex_acquired 6", "mutex_released 6"];
    assert_eq!(mutex_events(&journal, "atomic", "end"), wanted, "{}", journal.listing());
}

#[test]
fn a_locks_events_carry_one_identifier() {
    for compiler in COMPILERS {
        let journal = run("ev_mutex", compiler, 1);
        for (from, to) in [("start", "nest"), ("nest", "critical"), ("critical", "ordered")] {
            let ids: BTreeSet<&str> = events(journal.between(from, to))
                .filter(|entry| entry.event.starts_with("mutex_") || entry.event.contains("lock"))
                .map(|entry| entry.text("id"))
                .collect();
            assert!(ids.len() == 1 && !ids.contains("0x0"), "{from}: {ids:?}\n{}", journal.listing());
        }
    }
}

#[test]
fn hints_reach_the_tool() {
    let journal = run("ev_mutex", Compiler::Clang, 1);
    // omp_sync_hint_contended, _speculative and _uncontended.
    assert_eq!(journal.one("lock_init", &[("kind", "1")]).number("hint"), 2);
    assert_eq!(journal.one("lock_init", &[("kind", "3")]).number("hint"), 8);
    let critical = journal.one("mutex_acquire", &[("kind", "5")]);
    assert_eq!(critical.number("hint"), 1, "{critical:?}");
    assert_ne!(critical.number("impl"), 0, "one of those that ompt_enumerate_mutex_impls lists: {critical:?}");
}

#[test]
fn who_encounters_taskyield_yields() {
    for compiler in COMPILERS {
        let journal = run("ev_elsewhere", compiler, 2);
        let between = journal.between("yields", "yielded");
        let statuses: Vec<&str> =
            between.iter().filter(|entry| entry.event == "task_schedule").map(|entry| entry.text("status")).collect();
        assert_eq!(statuses, ["2", COMPLETE], "yield, complete: {}\n{}", compiler.name(), journal.listing());
    }
}

#[test]
fn the_barrier_that_ends_a_region_names_none_at_its_end() {
    for compiler in COMPILERS {
        let journal = run("plain", compiler, 3);
        for event in ["sync_region", "sync_region_wait"] {
            let begins = journal.all(event, &[("at", "begin"), ("kind", REGION_END)]);
            assert!(begins.len() > 2 && begins.iter().all(|entry| entry.number("parallel") != 0), "{begins:?}");
            let ends = journal.all(event, &[("at", "end"), ("kind", REGION_END)]);
            assert!(ends.len() > 2 && ends.iter().all(|entry| entry.number("parallel") == 0), "{ends:?}");
        }
    }
}
