//! What the runtime answers when a tool asks (OpenMP 5.1, section 4.6.1): states, tasks and regions with their
//! ancestors and frames, in callbacks, in the program and in signal handlers. Programs and the journal tool lie in
//! `tools/`.

use std::collections::BTreeSet;

use ferromp_conformance::compile::{Compiler, Job};
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

#[test]
fn states_are_right_when_a_signal_asks() {
    for (compiler, wait) in COMPILERS.into_iter().flat_map(|compiler| WAITS.map(|wait| (compiler, wait))) {
        let journal = run_with("ev_states", compiler, 2, wait);
        for (name, wanted) in [
            ("serial", 0x0),
            ("working", 0x1),
            ("explicit_barrier", 0x14),
            ("workshare_barrier", 0x12),
            ("region_end", 0x11),
            ("critical", 0x42),
            ("lock", 0x41),
            ("nest_lock", 0x41),
            ("atomic", 0x43),
            ("doacross", 0x44),
            ("ordered", 0x44),
            ("taskwait", 0x20),
            ("taskgroup", 0x21),
            ("serial_again", 0x0),
        ] {
            assert_eq!(journal.marked(name), wanted, "{name}, {} {wait:?}", compiler.name());
        }
        // Iterations that wait for others acquire nothing, but wait for something.
        assert_ne!(journal.marked("doacross_wait"), 0);
        // What it waits for is what its acquisition named.
        for (mark, kind) in [
            ("critical_wait", "5"),
            ("lock_wait", "1"),
            ("nest_lock_wait", "3"),
            ("atomic_wait", "6"),
            ("ordered_wait", "7"),
        ] {
            let id = format!("0x{:x}", journal.marked(mark));
            assert!(
                !journal.all("mutex_acquire", &[("kind", kind), ("id", &id)]).is_empty(),
                "{mark} {id}\n{}",
                journal.listing()
            );
        }
    }
}

#[test]
fn sampling_profiler_may_ask_anything_at_any_time() {
    for compiler in COMPILERS {
        for threads in [2, 5] {
            let journal = run("ev_profile", compiler, threads);
            assert!(journal.marked("samples") >= 10, "{:?}", journal.one("mark", &[("name", "samples")]));
            assert_eq!(journal.marked("nonsense"), 0, "{} with {threads} threads", compiler.name());
        }
    }
}

#[test]
fn states_in_callbacks_fit_the_events() {
    for compiler in COMPILERS {
        let journal = run("ev_all", compiler, 3);
        for begin in journal.all("parallel_begin", &[]) {
            assert_eq!(begin.number("state"), 0x0, "work_serial when a region is met: {begin:?}");
        }
        for (kind, state) in [("3", "0x14"), (TASKWAIT, "0x20"), ("6", "0x21"), (REGION_END, "0x11")] {
            for begin in journal.all("sync_region_wait", &[("kind", kind), ("at", "begin")]) {
                assert_eq!(begin.text("state"), state, "{begin:?}");
            }
        }
        for kind in ["8", "2"] {
            for begin in journal.all("sync_region_wait", &[("kind", kind), ("at", "begin")]) {
                assert_eq!(begin.text("state"), "0x12", "{begin:?}");
            }
        }
        for work in journal.all("work", &[("at", "begin")]) {
            assert!(["0x0", "0x1", "0x101"].contains(&work.text("state")), "{work:?}");
        }
    }
}

/// The tasks that were listed under a name, from level 0 on.
fn tasks<'a>(journal: &'a Journal, name: &str) -> Vec<&'a Entry> {
    let found = journal.all("task", &[("name", name)]);
    for (level, entry) in found.iter().enumerate() {
        assert_eq!(entry.number("level"), level as u64, "{}", journal.listing());
    }
    let end = journal.one("task_end_of_levels", &[("name", name)]);
    assert_eq!(end.text("answer"), "0", "{end:?}");
    found
}

/// Frame flags: how the address is to be read must be said.
fn assert_frame(entry: &Entry, which: &str) {
    assert_ne!(entry.number(which), 0, "{which} frame: {entry:?}");
    let flags = entry.number(&format!("{which}_flags"));
    assert!([0x10, 0x20, 0x30].contains(&(flags & 0xf0)) && flags & 0xf <= 1, "{which} flags: {entry:?}");
}

#[test]
fn task_info_tells_every_level() {
    for compiler in COMPILERS {
        let journal = run("ev_nested", compiler, 2);
        for (name, levels) in
            [("outside", 1), ("first", 2), ("second", 3), ("third", 4), ("second_again", 3), ("outside_again", 1)]
        {
            let tasks = tasks(&journal, name);
            assert_eq!(tasks.len(), levels, "{} {name}\n{}", compiler.name(), journal.listing());
            let (initial, implicit) = tasks.split_last().expect("at least the initial task");
            assert_eq!(initial.number("flags") & 0xf, 1, "the initial task: {initial:?}");
            assert_eq!(initial.number("exit"), 0, "nothing of the runtime called the initial task: {initial:?}");
            assert_eq!(tasks[0].number("enter"), 0, "the current task is not inside the runtime: {:?}", tasks[0]);
            let words: BTreeSet<&str> = tasks.iter().map(|task| task.text("task")).collect();
            assert_eq!(words.len(), levels, "each task has its own word\n{}", journal.listing());
            for (level, task) in implicit.iter().enumerate() {
                assert_eq!(task.number("flags") & 0xf, 2, "an implicit task: {task:?}");
                assert_eq!(task.number("number"), 0, "{task:?}");
                assert_frame(task, "exit");
                let outer = tasks[level + 1];
                assert_frame(outer, "enter");
                assert!(task.number("exit") <= outer.number("enter"), "{task:?} {outer:?}");
                let begin = journal.one("implicit_task", &[("at", "begin"), ("task", task.text("task"))]);
                assert_eq!(begin.text("parallel"), task.text("parallel"), "{task:?}");
            }
        }
    }
}

#[test]
fn parallel_info_tells_every_level() {
    for compiler in COMPILERS {
        let journal = run("ev_nested", compiler, 2);
        for (name, sizes) in
            [("outside", vec![1]), ("first", vec![2, 1]), ("second", vec![2, 2, 1]), ("third", vec![1, 2, 2, 1])]
        {
            let regions = journal.all("region", &[("name", name)]);
            let found: Vec<u64> = regions.iter().map(|region| region.number("size")).collect();
            assert_eq!(found, sizes, "{} {name}\n{}", compiler.name(), journal.listing());
            assert_eq!(journal.one("region_end_of_levels", &[("name", name)]).text("answer"), "0");
            let listed = tasks(&journal, name);
            for (region, task) in regions.iter().zip(listed) {
                assert_eq!(region.text("parallel"), task.text("parallel"), "{}", journal.listing());
            }
        }
    }
}

#[test]
fn serialised_regions_are_regions() {
    for compiler in COMPILERS {
        let journal = run("ev_nested", compiler, 2);
        let listed = tasks(&journal, "serialised");
        assert_eq!(listed.len(), 2, "{}", journal.listing());
        assert_frame(listed[0], "exit");
        assert_frame(listed[1], "enter");
        let region = journal.one("parallel_begin", &[("parallel", listed[0].text("parallel"))]);
        let begins = journal.all("implicit_task", &[("at", "begin"), ("parallel", region.text("parallel"))]);
        assert_eq!(begins.len(), 1, "{}", journal.listing());
        assert_eq!(begins[0].number("size"), 1);
    }
}

#[test]
fn region_of_one_thread_is_no_serial_work() {
    for compiler in COMPILERS {
        let journal = run("ev_nested", compiler, 2);
        assert_eq!(tasks(&journal, "serialised_twice").len(), 3);
        assert_eq!(journal.one("mark", &[("name", "serialised_again")]).text("state"), "0x1", "{}", journal.listing());
        let journal = run("ev_tasks", compiler, 1);
        for mark in journal.all("mark", &[]) {
            assert_eq!(mark.text("state"), "0x1", "{mark:?}\n{}", journal.listing());
        }
    }
}

#[test]
fn nested_regions_know_their_encountering_task() {
    for compiler in COMPILERS {
        let journal = run("ev_nested", compiler, 2);
        // One outer region, two inside it, four inside those, and two by `if(0)`.
        assert_eq!(journal.all("parallel_begin", &[]).len(), 9, "{}\n{}", compiler.name(), journal.listing());
        for region in journal.all("parallel_begin", &[]) {
            assert_frame(region, "enter");
            let task = region.text("task");
            let begin = journal.one("implicit_task", &[("at", "begin"), ("task", task)]);
            assert_eq!(begin.thread, region.thread, "{}", journal.listing());
            assert_eq!(
                region.number("exit") == 0,
                begin.text("flags") == "0x1",
                "only the initial task has none: {region:?}"
            );
        }
    }
}

#[test]
fn nested_tasks_are_levels_too() {
    for compiler in COMPILERS {
        let journal = run("ev_tasks", compiler, 1);
        let in_place = tasks(&journal, "in_place");
        let kinds: Vec<u64> = in_place.iter().map(|task| task.number("flags") & 0xf).collect();
        assert_eq!(kinds, [4, 2, 1], "{}\n{}", compiler.name(), journal.listing());
        assert_frame(in_place[0], "exit");
        assert_frame(in_place[1], "enter");
        assert!(in_place[0].number("exit") <= in_place[1].number("enter"), "{in_place:?}");
        let kinds: Vec<u64> = tasks(&journal, "inner").iter().map(|task| task.number("flags") & 0xf).collect();
        assert_eq!(kinds, [4, 4, 2, 1], "{}\n{}", compiler.name(), journal.listing());
        for task in &tasks(&journal, "inner")[..2] {
            assert_frame(task, "exit");
        }
    }
}

#[test]
fn ancestors_are_the_tasks_on_the_stack() {
    for compiler in COMPILERS {
        let journal = run("ev_elsewhere", compiler, 2);
        let found = tasks(&journal, "elsewhere");
        let kinds: Vec<u64> = found.iter().map(|task| task.number("flags") & 0xf).collect();
        assert_eq!(kinds, [4, 2, 1], "{}\n{}", compiler.name(), journal.listing());
        let (task, below) = (found[0], found[1]);
        assert_eq!(task.number("number"), 1, "{task:?}");
        assert_eq!(below.number("number"), 1, "the implicit task of the thread that executes: {below:?}");
        let begin = journal.one("implicit_task", &[("at", "begin"), ("task", below.text("task"))]);
        assert_eq!(begin.thread, task.thread, "{}", journal.listing());
        assert_frame(task, "exit");
        assert_frame(below, "enter");
        assert!(task.number("exit") <= below.number("enter"), "{found:?}");
    }
}

/// Runs a program that asks by itself, and complains by its status, with the tool `asker.c`. Returns what it printed.
fn asks(name: &str, compiler: Compiler, arguments: &[&str], settings: &[(&str, &str)]) -> String {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let program = workshop.program(name, compiler, &[]);
    let tool = workshop.tool("asker", &[]);
    let run = workshop.command(&program).args(arguments).preload(&tool);
    settings.iter().fold(run, |run, (name, value)| run.env(name, value)).finish().stdout
}

#[test]
fn enumerations_and_refused_callbacks_know_nothing_that_is_not_there() {
    for compiler in COMPILERS {
        asks("ans_enumerate", compiler, &[], &[]);
    }
}

#[test]
fn functions_of_constructs_are_told_at_their_begins_alone() {
    for compiler in COMPILERS {
        asks("ans_functions", compiler, &[], &[("OMP_NUM_THREADS", "2")]);
    }
}

#[test]
fn place_arrays_are_never_written_beyond_their_size() {
    for compiler in COMPILERS {
        asks("ans_places", compiler, &["0"], &[]);
        for bind in ["close", "spread", "primary"] {
            asks("ans_places", compiler, &["4"], &[("OMP_PLACES", "{0},{0},{0},{0}"), ("OMP_PROC_BIND", bind)]);
        }
    }
}

#[test]
fn places_are_known_in_the_initialiser_already() {
    for compiler in COMPILERS {
        asks("ans_places", compiler, &["2"], &[("OMP_PLACES", "{0},{0}"), ("OMP_PROC_BIND", "true")]);
    }
}

#[test]
fn levels_have_their_kinds_numbers_and_sizes_in_regions_tasks_leagues_and_target_regions() {
    for compiler in COMPILERS {
        for _ in 0..3 {
            asks("ans_levels", compiler, &[], &[]);
        }
    }
}

#[test]
fn foreign_threads_are_told_that_there_is_nothing_until_they_call_openmp() {
    for compiler in COMPILERS {
        asks("ans_foreign", compiler, &[], &[]);
    }
}

#[test]
fn memory_of_tasks_is_told_block_by_block() {
    for compiler in COMPILERS {
        asks("ans_memory", compiler, &[], &[]);
    }
}

#[test]
fn worker_that_leaves_a_region_knows_it_and_not_what_is_around_it_now() {
    for (compiler, wait) in COMPILERS.into_iter().flat_map(|compiler| WAITS.map(|wait| (compiler, wait))) {
        asks("ans_leaving", compiler, &[], wait);
    }
}

#[test]
fn tool_may_be_ended_from_anywhere_and_is_finalised_once() {
    for compiler in COMPILERS {
        for place in [
            "outside",
            "region",
            "worker",
            "everywhere",
            "nested",
            "task",
            "critical",
            "foreign",
            "foreign_meanwhile",
            "twice",
            "callback",
        ] {
            let printed = asks("ans_end", compiler, &[place], &[]);
            assert_eq!(printed, "initialised 1 finalised 1\n", "{} {place}", compiler.name());
        }
    }
}

#[test]
fn control_tool_knows_its_caller_everywhere_and_that_the_tool_has_ended() {
    for compiler in COMPILERS {
        asks("ans_control", compiler, &[], &[]);
    }
}

#[test]
fn control_tool_works_as_the_first_call_of_a_fortran_program() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = sources();
    let source = folder.join("control_first.f90");
    for compiler in [Compiler::Gfortran, Compiler::Flang].into_iter().filter(|compiler| compiler.present()) {
        // gfortran's own library has no such routine.
        let flags = [format!("-L{}", workshop.lib.display())];
        let libs = ["ferromp".to_owned()];
        let cache = workshop.scratch.join("fortran");
        let job = Job {
            compiler,
            source: &source,
            shared: false,
            flags: &flags,
            libs: &libs,
            include: &folder,
            cache: &cache,
        };
        let program = job.build().unwrap_or_else(|why| panic!("{why}"));
        let journal = workshop.tool("journal", &[]);
        let outcome = workshop.command(&program).env("JOURNAL", "/dev/null").preload(&journal).finish();
        assert_eq!(outcome.stdout, "first 17\ninside 18\n", "{}", compiler.name());
        assert_eq!(workshop.command(&program).finish().stdout, "first -2\ninside -2\n", "{}", compiler.name());
    }
}
