//! The events of work-sharing, event by event (OpenMP 5.1, sections 4.5.2.5, 4.5.2.6 and 4.5.2.8): constructs, and the
//! pieces of them that are dispatched. Each test runs a small program of `tools/` under the journal tool, for clang's
//! and for gcc's entry points.

use std::collections::{BTreeMap, BTreeSet};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::{COMPILERS, Entry, Journal};
use ferromp_conformance::tools::Workshop;

const THREADS: [u32; 4] = [1, 2, 4, 33];

/// Numbers of `ompt_dispatch_t`, as the journal writes them.
const ITERATION: &str = "1";
const SECTION: &str = "2";
const LOOP_CHUNK: &str = "3";
const DISTRIBUTE_CHUNK: &str = "5";

/// Numbers of `ompt_work_t`.
const STATIC: &str = "10";
const DYNAMIC: &str = "11";
const GUIDED: &str = "12";
const OTHER: &str = "13";

/// The loops of `ev_dispatch` whose chunks the runtime hands out, with their iterations.
const HANDED_OUT: [(&str, u64, &str); 9] = [
    ("dynamic", 20, DYNAMIC),
    ("monotonic", 20, DYNAMIC),
    ("down", 17, DYNAMIC),
    ("guided", 40, GUIDED),
    ("large", 30, DYNAMIC),
    ("runtime", 30, GUIDED),
    ("collapsed", 20, DYNAMIC),
    ("ordered", 16, DYNAMIC),
    ("ordered_static", 17, STATIC),
];

fn run(name: &str, compiler: Compiler, threads: u32) -> Journal {
    run_with(name, compiler, threads, &[])
}

fn run_with(name: &str, compiler: Compiler, threads: u32, settings: &[(&str, &str)]) -> Journal {
    Journal::of(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), name, compiler, threads, settings)
}

fn each(mut check: impl FnMut(Compiler, u32)) {
    for compiler in COMPILERS {
        for threads in THREADS {
            check(compiler, threads);
        }
    }
}

/// The part of the journal between the marks around a construct.
fn part<'a>(journal: &'a Journal, name: &str) -> &'a [Entry] {
    journal.between(&format!("before_{name}"), &format!("after_{name}"))
}

/// The chunks of this kind, as first iteration and number of iterations.
fn chunks(part: &[Entry], kind: &str) -> Vec<(u64, u64)> {
    let found = part.iter().filter(|entry| entry.is("dispatch", &[("kind", kind)]));
    found.map(|entry| (entry.number("start"), entry.number("iterations"))).collect()
}

/// Checks that chunks cover a loop of this many iterations.
fn assert_whole(mut chunks: Vec<(u64, u64)>, iterations: u64, why: &str) {
    chunks.sort_unstable();
    let mut next = 0;
    for (start, count) in chunks {
        assert!(start == next && count > 0, "a chunk of {count} at {start}, not {next}: {why}");
        next += count;
    }
    assert_eq!(next, iterations, "{why}");
}

/// Checks that each marked iteration lies in the chunk that was dispatched to its thread last.
fn assert_executed_as_dispatched(part: &[Entry], name: &str, kind: &str, why: &str) {
    let mut current: BTreeMap<i32, (u64, u64)> = BTreeMap::new();
    for entry in part {
        if entry.is("dispatch", &[("kind", kind)]) {
            current.insert(entry.thread, (entry.number("start"), entry.number("iterations")));
        } else if entry.is("mark", &[("name", name)]) {
            let iteration = entry.number("value");
            let inside =
                current.get(&entry.thread).is_some_and(|(start, count)| (*start..start + count).contains(&iteration));
            assert!(inside, "iteration {iteration} in {:?}: {why}", current.get(&entry.thread));
        }
    }
}

/// Checks that everything dispatched lies between the begin and the end of its thread's construct, and names its task
/// and region.
fn assert_inside_work(part: &[Entry], why: &str) {
    let mut open: BTreeMap<i32, Vec<&Entry>> = BTreeMap::new();
    for entry in part {
        let stack = open.entry(entry.thread).or_default();
        match (entry.event.as_str(), entry.has("at").then(|| entry.text("at"))) {
            ("work", Some("begin")) => stack.push(entry),
            ("work", Some("end")) => {
                let begin = stack.pop().unwrap_or_else(|| panic!("{entry:?} without a begin: {why}"));
                for key in ["kind", "task", "parallel", "count"] {
                    assert_eq!(begin.text(key), entry.text(key), "{why}");
                }
            }
            ("dispatch", _) => {
                let around = stack.last().unwrap_or_else(|| panic!("{entry:?} outside work: {why}"));
                for key in ["task", "parallel"] {
                    assert_eq!(around.text(key), entry.text(key), "{why}");
                }
            }
            _ => {}
        }
    }
    assert!(open.values().all(Vec::is_empty), "begun and not ended: {open:?}: {why}");
}

#[test]
fn each_chunk_is_dispatched_to_the_thread_that_executes_it() {
    each(|compiler, threads| {
        let journal = run("ev_dispatch", compiler, threads);
        for (name, iterations, _) in HANDED_OUT {
            let why = format!("{name}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            let part = part(&journal, name);
            assert_whole(chunks(part, LOOP_CHUNK), iterations, &why);
            assert_executed_as_dispatched(part, name, LOOP_CHUNK, &why);
            assert_inside_work(part, &why);
        }
    });
}

#[test]
fn loops_tell_their_schedule_and_how_many_iterations_they_have() {
    each(|compiler, threads| {
        let journal = run("ev_dispatch", compiler, threads);
        for (name, iterations, kind) in HANDED_OUT {
            let of = |at| {
                let found = part(&journal, name).iter().filter(|entry| entry.is("work", &[("at", at), ("kind", kind)]));
                found.map(|entry| entry.number("count")).collect::<Vec<_>>()
            };
            let wanted = vec![iterations; threads as usize];
            assert_eq!((of("begin"), of("end")), (wanted.clone(), wanted), "{name}, {}", compiler.name());
        }
    });
}

#[test]
fn loop_without_iterations_dispatches_nothing() {
    each(|compiler, threads| {
        let journal = run("ev_dispatch", compiler, threads);
        let part = part(&journal, "empty");
        assert!(!part.iter().any(|entry| entry.event == "dispatch"), "{}", journal.listing());
        let work: Vec<&Entry> = part.iter().filter(|entry| entry.event == "work").collect();
        // clang calls the runtime only if there are iterations.
        let wanted = if compiler == Compiler::Gcc { 2 * threads as usize } else { 0 };
        assert_eq!(work.len(), wanted, "{}", journal.listing());
        assert!(work.iter().all(|entry| entry.number("count") == 0), "{work:?}");
    });
}

#[test]
fn iterations_of_ordered_loops_are_dispatched_where_the_program_tells() {
    each(|compiler, threads| {
        let journal = run("ev_dispatch", compiler, threads);
        for (name, iterations) in [("ordered", 16), ("ordered_static", 17)] {
            let part = part(&journal, name);
            let why = format!("{name}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            let seen: Vec<u64> = part
                .iter()
                .filter(|entry| entry.is("dispatch", &[("kind", ITERATION)]))
                .map(|entry| entry.number("instance"))
                .collect();
            let distinct: BTreeSet<u64> = seen.iter().copied().collect();
            assert_eq!(distinct.len(), seen.len(), "{why}");
            if compiler == Compiler::Gcc {
                // The first of each chunk; gcc's programs do not say when they go on to the next one.
                let firsts: BTreeSet<u64> = chunks(part, LOOP_CHUNK).into_iter().map(|(start, _)| start).collect();
                assert_eq!(distinct, firsts, "{why}");
                continue;
            }
            assert_eq!(distinct, (0..iterations).collect(), "{why}");
            let mut current = BTreeMap::new();
            for entry in part {
                if entry.is("dispatch", &[("kind", ITERATION)]) {
                    current.insert(entry.thread, entry.number("instance"));
                } else if entry.is("mark", &[("name", name)]) {
                    assert_eq!(current.get(&entry.thread), Some(&entry.number("value")), "{why}");
                }
            }
        }
    });
}

#[test]
fn static_loop_dispatches_what_the_program_asks_for() {
    each(|compiler, threads| {
        let journal = run("ev_dispatch", compiler, threads);
        for name in ["static", "chunked", "auto"] {
            let part = part(&journal, name);
            let found = chunks(part, LOOP_CHUNK);
            let why = format!("{name}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            if compiler == Compiler::Gcc {
                // gcc divides such loops in the program.
                assert!(!part.iter().any(|entry| entry.event == "dispatch" || entry.event == "work"), "{why}");
                continue;
            }
            assert_inside_work(part, &why);
            match name {
                "static" => {
                    assert_whole(found, 33, &why);
                    assert_executed_as_dispatched(part, name, LOOP_CHUNK, &why);
                }
                "auto" => assert_whole(found, 25, &why),
                // A thread alone has all of it.
                _ if threads == 1 => assert_whole(found, 60, &why),
                // clang's program calls once and computes the rest itself, so only the first chunk of each thread, of 3
                // iterations, is seen.
                _ => assert_whole(found, u64::from(threads.min(20)) * 3, &why),
            }
        }
    });
}

#[test]
fn distribute_dispatches_the_part_of_each_team() {
    for threads in THREADS {
        let journal = run("ev_dispatch", Compiler::Clang, threads);
        let part = part(&journal, "distribute");
        assert_eq!(
            chunks(part, DISTRIBUTE_CHUNK).iter().map(|(_, count)| count).sum::<u64>(),
            12,
            "{}",
            journal.listing()
        );
        assert_whole(chunks(part, DISTRIBUTE_CHUNK), 12, &journal.listing());
        assert_executed_as_dispatched(part, "distribute", DISTRIBUTE_CHUNK, &journal.listing());
        assert_inside_work(part, &journal.listing());
        // gcc divides such loops in the program.
        let journal = run("ev_dispatch", Compiler::Gcc, threads);
        assert!(
            !self::part(&journal, "distribute")
                .iter()
                .any(|entry| ["dispatch", "work"].contains(&entry.event.as_str()))
        );
    }
}

#[test]
fn chunks_of_a_composite_loop_count_from_the_start_of_the_teams_part() {
    each(|compiler, threads| {
        let journal = run("ev_dispatch", compiler, threads);
        let part = part(&journal, "composite");
        let why = format!("{}, {threads} threads\n{}", compiler.name(), journal.listing());
        assert_inside_work(part, &why);
        if compiler == Compiler::Clang {
            assert_whole(chunks(part, DISTRIBUTE_CHUNK), 24, &why);
        }
        let begins = part.iter().filter(|entry| entry.is("work", &[("at", "begin"), ("kind", DYNAMIC)]));
        let regions: BTreeMap<&str, u64> =
            begins.map(|begin| (begin.text("parallel"), begin.number("count"))).collect();
        assert_eq!(regions.values().collect::<Vec<_>>(), [&12, &12], "each team has half: {why}");
        for (region, count) in regions {
            let own: Vec<Entry> =
                part.iter().filter(|entry| entry.is("dispatch", &[("parallel", region)])).cloned().collect();
            assert_whole(chunks(&own, LOOP_CHUNK), count, &why);
        }
    });
}

#[test]
fn sections_are_dispatched_each_before_it_is_executed() {
    each(|compiler, threads| {
        let journal = run("ev_sections", compiler, threads);
        for (name, count) in [("combined", 3), ("alone", 3)] {
            let part = part(&journal, name);
            let why = format!("{name}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            assert_inside_work(part, &why);
            let begins = part.iter().filter(|entry| entry.is("work", &[("at", "begin")]));
            assert!(
                begins.clone().count() > 0 && begins.clone().all(|entry| entry.text("kind") == "2"),
                "never a loop: {why}"
            );
            let counts: BTreeSet<u64> = begins.map(|entry| entry.number("count")).collect();
            assert_eq!(counts, if name == "combined" { BTreeSet::from([3]) } else { BTreeSet::from([1, 2]) }, "{why}");
            let dispatched: Vec<&Entry> = part.iter().filter(|entry| entry.event == "dispatch").collect();
            for entry in &dispatched {
                assert_eq!(entry.text("kind"), SECTION, "{why}");
                assert!(journal.in_program(entry.text("instance")), "{why}");
            }
            // The sections that were dispatched to each thread, and that it has not executed yet.
            let mut told: BTreeMap<i32, i32> = BTreeMap::new();
            for entry in part.iter().filter(|entry| entry.event == "dispatch" || entry.is("mark", &[("name", name)])) {
                let told = told.entry(entry.thread).or_default();
                *told += if entry.event == "dispatch" { 1 } else { -1 };
                // clang divides sections in the program, so only the first section of each thread is reported.
                assert!(*told == 0 || *told == 1 || compiler == Compiler::Clang, "{why}");
            }
            match compiler {
                Compiler::Gcc => assert_eq!(dispatched.len(), count, "{why}"),
                _ => assert!((1..=count).contains(&dispatched.len()), "{why}"),
            }
        }
    });
}

#[test]
fn scope_is_told_where_the_program_calls_the_runtime_for_it() {
    // clang 19 does not compile scope.
    for threads in THREADS {
        let journal = run("ev_scope", Compiler::Gcc, threads);
        let why = format!("{threads} threads\n{}", journal.listing());
        let scopes = journal.all("work", &[("kind", "8")]);
        // gcc calls only where tasks take part in a reduction, and only at the begin: the end follows at once.
        assert_eq!(scopes.len(), 2 * threads as usize, "{why}");
        let ends = scopes.iter().filter(|scope| scope.text("at") == "end").count();
        assert_eq!(ends, threads as usize, "{why}");
        let end = journal.one("mark", &[("name", "before_plain")]).index;
        for scope in scopes {
            assert_eq!(scope.number("count"), 1, "{why}");
            assert!(scope.index < end && journal.in_program(scope.text("code")), "{why}");
        }
    }
}

#[test]
fn schedule_that_is_none_of_openmps_is_another() {
    for compiler in COMPILERS {
        for threads in THREADS {
            let journal = run_with("ev_runtime", compiler, threads, &[("OMP_SCHEDULE", "trapezoidal,2")]);
            let why = format!("{}, {threads} threads\n{}", compiler.name(), journal.listing());
            let begun = journal.all("work", &[("at", "begin")]);
            assert_eq!(begun.len(), threads as usize, "{why}");
            assert!(begun.iter().all(|work| work.text("kind") == OTHER && work.number("count") == 40), "{why}");
            let part = part(&journal, "runtime");
            assert_whole(chunks(part, LOOP_CHUNK), 40, &why);
            assert_executed_as_dispatched(part, "runtime", LOOP_CHUNK, &why);
            assert_inside_work(part, &why);
        }
    }
}

/// What kinds of work there are, for all threads together.
fn kinds(journal: &Journal) -> BTreeSet<(String, String)> {
    let events = journal.entries.iter().filter(|entry| ["dispatch", "work"].contains(&entry.event.as_str()));
    events.map(|entry| (entry.event.clone(), entry.text("kind").to_owned())).collect()
}

#[test]
fn region_of_one_thread_dispatches_what_many_do() {
    for compiler in COMPILERS {
        for name in ["ev_dispatch", "ev_sections", "ev_doacross"] {
            let one = kinds(&run(name, compiler, 1));
            assert!(one.iter().any(|(event, _)| event == "dispatch"), "{name}: {one:?}");
            for threads in [2, 4, 33] {
                assert_eq!(
                    one,
                    kinds(&run(name, compiler, threads)),
                    "{name}, {}: one against {threads}",
                    compiler.name()
                );
            }
        }
    }
}

#[test]
fn cancelled_construct_keeps_its_end() {
    each(|compiler, threads| {
        let journal = run_with("ev_cancelled", compiler, threads, &[("OMP_CANCELLATION", "true")]);
        let why = format!("{}, {threads} threads\n{}", compiler.name(), journal.listing());
        assert_inside_work(&journal.entries, &why);
        let wanted: &[&str] = if compiler == Compiler::Gcc { &[DYNAMIC, "2"] } else { &[DYNAMIC, STATIC, STATIC, "2"] };
        for thread in 0..threads as i32 {
            let begun = journal.all("work", &[("at", "begin")]);
            let begun: Vec<&str> =
                begun.iter().filter(|entry| entry.thread == thread).map(|entry| entry.text("kind")).collect();
            assert_eq!(begun, wanted, "thread {thread}, {why}");
        }
    });
}

/// Numbers of `ompt_dependence_type_t`: `depend(source)` and `depend(sink: …)`.
const SOURCE: &str = "5";
const SINK: &str = "6";

#[test]
fn iterations_of_a_doacross_nest_tell_what_they_depend_on() {
    each(|compiler, threads| {
        let journal = run("ev_doacross", compiler, threads);
        let why = format!("{}, {threads} threads\n{}", compiler.name(), journal.listing());
        let mut expected = BTreeSet::new();
        // Both compilers number the iterations of each loop from 0.
        for (i, j) in (0..4i64).flat_map(|i| (0..3i64).map(move |j| (i, j))) {
            expected.insert(format!("{SOURCE}:{i},{SOURCE}:{j}"));
            // Both leave out a sink outside the nest.
            if i > 0 {
                expected.insert(format!("{SINK}:{},{SINK}:{j}", i - 1));
            }
        }
        let mut seen = BTreeSet::new();
        for entry in journal.all("dependences", &[]) {
            assert_eq!(entry.text("count"), "2", "{why}");
            assert!(expected.contains(entry.text("list")), "{entry:?} {why}");
            seen.insert(entry.text("list").to_owned());
        }
        assert_eq!(seen, expected, "{why}");
        // A sink is reported after the wait for it.
        for begin in
            journal.all("mark", &[("name", "begin")]).into_iter().filter(|begin| begin.number("value") >= 2 * 8)
        {
            let mine = |entry: &&&Entry| entry.thread == begin.thread && entry.index > begin.index;
            let (value, next) = (begin.text("value"), journal.all("dependences", &[]));
            let sink = next.iter().find(mine).unwrap_or_else(|| panic!("{why}"));
            let work = journal.one("mark", &[("name", "work"), ("value", value)]);
            assert!(sink.text("list").starts_with(SINK) && sink.index < work.index, "{why}");
        }
    });
}
