//! The events of synchronisation and of regions, event by event (OpenMP 5.1, sections 4.5.2.3–4, 4.5.2.11–17 and
//! 4.5.2.30): reductions, barriers, flushes, mutual exclusion, error directives, parallel regions and leagues. Each
//! test runs a small program of `tools/` under the journal tool, for clang's and for gcc's entry points.

use std::collections::{BTreeMap, BTreeSet};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::{COMPILERS, Entry, Journal};
use ferromp_conformance::tools::Workshop;

const THREADS: [u32; 4] = [1, 2, 4, 33];

/// Numbers of `ompt_sync_region_t`, as the journal writes them.
const EXPLICIT: &str = "3";
const IMPLEMENTATION: &str = "4";
const REDUCTION: &str = "7";
const WORKSHARE: &str = "8";
const REGION_END: &str = "9";
const TEAMS_END: &str = "10";

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

/// The lines of an event in a part of the journal.
fn of<'a>(part: &'a [Entry], event: &str, values: &[(&str, &str)]) -> Vec<&'a Entry> {
    part.iter().filter(|entry| entry.is(event, values)).collect()
}

/// Ways to combine values that the runtime can be made to choose, and the way that it chooses itself.
const METHODS: [&[(&str, &str)]; 4] = [
    &[],
    &[("KMP_FORCE_REDUCTION", "tree")],
    &[("KMP_FORCE_REDUCTION", "critical")],
    &[("KMP_FORCE_REDUCTION", "atomic")],
];

/// Begins and ends of the reductions of each thread: they pair up, and do not nest.
fn assert_reductions_pair(part: &[Entry], why: &str) {
    let mut open: BTreeMap<i32, &Entry> = BTreeMap::new();
    for entry in part.iter().filter(|entry| entry.event == "reduction") {
        assert_eq!(entry.text("kind"), REDUCTION, "{why}");
        assert!(entry.number("parallel") != 0 && entry.number("task") != 0, "{entry:?} {why}");
        match entry.text("at") {
            "begin" => assert!(open.insert(entry.thread, entry).is_none(), "{entry:?} {why}"),
            "end" => {
                let begin = open.remove(&entry.thread).unwrap_or_else(|| panic!("{entry:?} {why}"));
                assert_eq!(begin.text("task"), entry.text("task"), "{why}");
            }
            _ => assert!(!open.contains_key(&entry.thread), "{entry:?} {why}"),
        }
    }
    assert!(open.is_empty(), "{open:?} {why}");
}

#[test]
fn reductions_are_told_whatever_their_method() {
    for method in METHODS {
        for threads in THREADS {
            let journal = run_with("ev_reduction", Compiler::Clang, threads, method);
            for name in ["region", "loop", "own", "tasks", "modifier"] {
                let part = journal.between(&format!("before_{name}"), &format!("after_{name}"));
                let why = format!("{name}, {threads} threads, {method:?}\n{}", journal.listing());
                assert_reductions_pair(part, &why);
                let told = of(part, "reduction", &[]);
                // A thread alone has no copies that its tasks could have used.
                let one_at_least = name != "tasks" || threads > 1;
                assert!(!told.is_empty() || !one_at_least, "{why}");
                for entry in told {
                    assert!(journal.in_program(entry.text("code")), "{entry:?} {why}");
                }
            }
        }
    }
    // gcc combines in the program itself.
    assert!(run("ev_reduction", Compiler::Gcc, 4).all("reduction", &[]).is_empty());
}

#[test]
fn every_thread_takes_part_in_a_reduction() {
    for method in METHODS {
        for threads in THREADS {
            let journal = run_with("ev_reduction", Compiler::Clang, threads, method);
            for name in ["region", "loop", "own"] {
                let part = journal.between(&format!("before_{name}"), &format!("after_{name}"));
                let who: BTreeSet<i32> = of(part, "reduction", &[]).iter().map(|entry| entry.thread).collect();
                let many = who.len() == threads as usize;
                // In a tree, one of two combines.
                let why = format!("{name}: {who:?}, {method:?}\n{}", journal.listing());
                assert!(many || (threads > 1 && who.len() * 4 >= threads as usize), "{why}");
            }
        }
    }
}

#[test]
fn lock_of_a_reduction_is_no_critical_region() {
    for threads in THREADS {
        let journal = run_with("ev_reduction", Compiler::Clang, threads, &[("KMP_FORCE_REDUCTION", "critical")]);
        assert!(journal.all("mutex_acquire", &[]).is_empty(), "{}", journal.listing());
    }
}

#[test]
fn reduction_is_the_threads_state_while_it_combines() {
    let journal = run_with("ev_reduction", Compiler::Clang, 4, &[("KMP_FORCE_REDUCTION", "atomic")]);
    let part = journal.between("before_own", "after_own");
    // The operator of the program's own has no instruction: the program enters a critical region.
    let inside = of(part, "mutex_acquired", &[("kind", "5")]);
    assert_eq!(inside.len(), 4, "{}", journal.listing());
    assert!(inside.iter().all(|entry| entry.text("state") == "0x2"), "{inside:?}");
}

#[test]
fn flush_is_told_with_its_thread_and_its_place() {
    for threads in THREADS {
        let journal = run("ev_flush", Compiler::Clang, threads);
        let flushes = journal.all("flush", &[]);
        assert_eq!(flushes.len(), 1 + threads as usize, "{}", journal.listing());
        let lines: Vec<usize> = flushes.iter().map(|entry| journal.source_line(entry.text("code"))).collect();
        assert_eq!(lines[0], journal.tagged_line("first"), "the first thing that the program does with OpenMP");
        assert!(lines[1..].iter().all(|&line| line == journal.tagged_line("inside")), "{lines:?}");
        assert!(flushes.iter().all(|entry| entry.text("same") == "1" && entry.number("data") != 0), "{flushes:?}");
        assert!(run("ev_flush", Compiler::Gcc, threads).all("flush", &[]).is_empty(), "gcc makes it an instruction");
    }
}

#[test]
fn error_directive_is_told_before_it_is_obeyed() {
    for compiler in COMPILERS {
        let journal = Journal::ending(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), "ev_error", compiler, 2, &[], 1);
        let errors = journal.all("error", &[]);
        let said: Vec<_> = errors
            .iter()
            .map(|error| {
                (
                    error.text("severity"),
                    error.number("length"),
                    error.text("message"),
                    journal.source_line(error.text("code")),
                )
            })
            .collect();
        let line = |tag| journal.tagged_line(tag);
        assert_eq!(said[0], ("1", 11, "low_on_luck", line("warning")), "{}", journal.listing());
        assert_eq!(said[1], ("1", 0, "", line("silent")), "{}", journal.listing());
        assert_eq!(said[2], ("2", 7, "no_luck", line("fatal")), "{}", journal.listing());
        assert_eq!(said.len(), 3);
        let (warned, again) =
            (journal.one("mark", &[("name", "warned")]), journal.one("mark", &[("name", "warned_again")]));
        assert!(errors[0].index < warned.index && errors[1].index < again.index && again.index < errors[2].index);
        assert!(journal.all("mark", &[("name", "survived")]).is_empty());
        assert!(journal.all("late", &[]).is_empty(), "the tool hears of the end: {}", journal.listing());
    }
}

/// The kinds of the barriers that the threads of the region in `ev_barriers` come to, in order.
fn barriers(journal: &Journal, thread: i32, event: &str) -> Vec<(String, String)> {
    let end = journal.marked("league");
    assert_eq!(end, 0);
    let end = journal.one("mark", &[("name", "league")]).index;
    let found =
        journal.entries.iter().filter(|entry| entry.event == event && entry.thread == thread && entry.index < end);
    let own = found.filter(|entry| entry.text("at") == "begin");
    own.map(|entry| (entry.text("kind").to_owned(), entry.text("code").to_owned())).collect()
}

#[test]
fn barriers_tell_their_kind() {
    each(|compiler, threads| {
        let journal = run("ev_barriers", compiler, threads);
        for event in ["sync_region", "sync_region_wait"] {
            for thread in 0..threads as i32 {
                let seen = barriers(&journal, thread, event);
                let kinds: Vec<&str> = seen.iter().map(|(kind, _)| kind.as_str()).collect();
                // The last but one of the copyprivate construct is the runtime's own, for handing over the values. gcc
                // does not say that a barrier is that of a single construct.
                let single = if compiler == Compiler::Gcc { EXPLICIT } else { WORKSHARE };
                let wanted = [EXPLICIT, WORKSHARE, WORKSHARE, single, IMPLEMENTATION, single, REGION_END];
                assert_eq!(
                    kinds,
                    wanted,
                    "{event}, {}, thread {thread} of {threads}\n{}",
                    compiler.name(),
                    journal.listing()
                );
                for (_, code) in &seen[..6] {
                    assert!(journal.in_program(code), "{code}");
                }
            }
        }
        let league = journal.all("sync_region", &[("kind", TEAMS_END), ("at", "begin")]);
        assert!(!league.is_empty() && journal.all("sync_region", &[("kind", "1")]).is_empty(), "{}", journal.listing());
    });
}

#[test]
fn no_thread_is_behind_a_barrier_before_all_are_at_it() {
    each(|compiler, threads| {
        let journal = run("ev_barriers", compiler, threads);
        for name in ["explicit", "loop", "sections", "single", "copyprivate"] {
            assert_eq!(journal.all("mark", &[("name", name)]).len(), threads as usize);
        }
        let mut ends: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
        let mut begun: BTreeMap<(i32, &str), usize> = BTreeMap::new();
        for entry in journal.all("sync_region", &[("kind", EXPLICIT)]) {
            if entry.text("at") == "begin" {
                begun.insert((entry.thread, entry.text("code")), entry.index);
            } else {
                let begin = begun[&(entry.thread, entry.text("code"))];
                ends.entry(entry.text("code")).or_default().push((begin, entry.index));
            }
        }
        for (code, spans) in ends {
            assert_eq!(spans.len(), threads as usize, "{code} {}", journal.listing());
            let last_begin = spans.iter().map(|(begin, _)| begin).max();
            let first_end = spans.iter().map(|(_, end)| end).min();
            assert!(last_begin < first_end, "{code} {}", journal.listing());
        }
    });
}

#[test]
fn masked_is_told_by_the_thread_that_the_filter_chooses() {
    for threads in THREADS {
        let journal = run("ev_masked", Compiler::Clang, threads);
        for at in ["begin", "end"] {
            let told = journal.all("masked", &[("at", at)]);
            let why = format!("{at}, {threads} threads\n{}", journal.listing());
            assert_eq!(told.len(), 2, "{why}");
            for (name, chosen) in [("plain", 0), ("filter", threads - 1)] {
                let mark = journal.one("mark", &[("name", name)]);
                assert_eq!(mark.number("value"), u64::from(chosen), "{why}");
                let by: Vec<&&Entry> = told.iter().filter(|entry| entry.thread == mark.thread).collect();
                let lines: Vec<usize> = by.iter().map(|entry| journal.source_line(entry.text("code"))).collect();
                let line = journal.tagged_line(name);
                let found = lines
                    .iter()
                    .position(|found| (line..=line + 1).contains(found))
                    .unwrap_or_else(|| panic!("{lines:?} {why}"));
                let before = by[found].index < mark.index;
                assert_eq!(before, at == "begin", "{why}");
            }
        }
        assert!(
            run("ev_masked", Compiler::Gcc, threads).all("masked", &[]).is_empty(),
            "gcc compares thread numbers itself"
        );
    }
}

#[test]
fn atomic_operations_of_the_runtime_are_mutual_exclusion() {
    each(|compiler, threads| {
        let journal = run("ev_atomics", compiler, threads);
        for (from, to, first, last) in [
            ("kmpc_region", "kmpc_operation", "kmpc_start", "kmpc_end"),
            ("kmpc_operation", "gomp_region", "operation", "operation"),
            ("gomp_region", "add", "gomp_start", "gomp_end"),
            ("add", "read", "add", "add"),
            ("read", "capture", "read", "read"),
            ("capture", "swap", "capture", "capture"),
            ("swap", "compare", "swap", "swap"),
            ("compare", "function", "compare", "compare"),
            ("function", "in_place", "function", "function"),
            ("in_place", "unaligned", "in_place", "in_place"),
            ("unaligned", "over", "unaligned", "unaligned"),
        ] {
            let part = journal.between(from, to);
            let why = format!("{from}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            for (event, tag) in [("mutex_acquire", first), ("mutex_acquired", first), ("mutex_released", last)] {
                let told = of(part, event, &[]);
                assert_eq!(told.len(), threads as usize, "{event} {why}");
                for entry in told {
                    assert_eq!((entry.text("kind"), entry.number("id") == 0), ("6", false), "{entry:?} {why}");
                    assert_eq!(journal.source_line(entry.text("code")), journal.tagged_line(tag), "{entry:?} {why}");
                }
            }
            assert_held_by_one(part, &why);
        }
        // An operation that waits for no lock is known by its variable.
        let count = format!("0x{:x}", journal.marked("count_at"));
        for (from, to) in [("add", "read"), ("function", "in_place")] {
            let part = journal.between(from, to);
            assert_eq!(of(part, "mutex_acquire", &[("id", &count)]).len(), threads as usize, "{}", journal.listing());
        }
    });
}

/// Acquired and released take turns for each object.
fn assert_held_by_one(part: &[Entry], why: &str) {
    let mut asked: BTreeSet<(i32, &str)> = BTreeSet::new();
    let mut held: BTreeMap<&str, i32> = BTreeMap::new();
    for entry in part.iter().filter(|entry| entry.event.starts_with("mutex_")) {
        let id = entry.text("id");
        match entry.event.as_str() {
            "mutex_acquire" => assert!(asked.insert((entry.thread, id)), "{entry:?} {why}"),
            // The release may be reported after the next thread has acquired the mutex.
            "mutex_acquired" => {
                assert!(asked.remove(&(entry.thread, id)), "{entry:?} {why}");
                held.insert(id, entry.thread);
            }
            _ => assert!(held.contains_key(id), "{entry:?} {why}"),
        }
    }
    assert!(asked.is_empty(), "{asked:?} {why}");
}

#[test]
fn regions_tell_what_was_asked_for_and_who_calls_them() {
    each(|compiler, threads| {
        let journal = run("ev_regions", compiler, threads);
        let all = u64::from(threads);
        let one = if compiler == Compiler::Gcc { "0x80000002" } else { "0x80000001" };
        let team = "0x80000002";
        let league = "0x40000002";
        for (name, next, requested, flags, size) in [
            ("plain", "threads", all, team, all),
            ("threads", "one", 3, team, 3),
            ("one", "if_false", 1, team, 1),
            ("if_false", "for_dynamic", 1, one, 1),
            ("for_dynamic", "for_static", all, team, all),
            ("for_static", "sections", all, team, all),
            ("sections", "nested", all, team, all),
            ("nested", "league", 2, team, 2),
            ("league", "league_of_one", 2, league, 2),
            ("league_of_one", "league_unasked", 1, league, 1),
            ("league_unasked", "distribute", 1, league, 1),
            ("distribute", "over", 2, league, 2),
        ] {
            let part = journal.between(name, next);
            let why = format!("{name}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            let begin = of(part, "parallel_begin", &[])[0];
            let end = *of(part, "parallel_end", &[]).last().unwrap_or_else(|| panic!("{why}"));
            assert_eq!((begin.number("requested"), begin.text("flags")), (requested, flags), "{why}");
            for key in ["parallel", "task", "flags", "code"] {
                assert_eq!(begin.text(key), end.text(key), "{why}");
            }
            let line = journal.tagged_line(&format!("at {name}"));
            let found = journal.source_line(begin.text("code"));
            // gcc counts some of these calls to the statement before.
            assert!((line - 1..=line + 1).contains(&found), "line {found}, not {line}: {why}");
            let tasks = of(part, "implicit_task", &[("at", "begin"), ("parallel", begin.text("parallel"))]);
            let indices: BTreeSet<u64> = tasks.iter().map(|task| task.number("index")).collect();
            assert_eq!(indices, (0..size).collect(), "{why}");
            let kind = if flags == league { "0x1" } else { "0x2" };
            assert!(tasks.iter().all(|task| task.number("size") == size && task.text("flags") == kind), "{why}");
        }
    });
}

#[test]
fn region_inside_a_region_of_one_level_has_one_thread() {
    each(|compiler, threads| {
        let journal = run("ev_regions", compiler, threads);
        let part = journal.between("nested", "league");
        let why = journal.listing();
        let outer = of(part, "parallel_begin", &[])[0];
        let inner: Vec<&Entry> = of(part, "parallel_begin", &[])
            .into_iter()
            .filter(|begin| begin.text("parallel") != outer.text("parallel"))
            .collect();
        assert_eq!(inner.len(), 2, "{why}");
        for begin in inner {
            assert_eq!(begin.number("requested"), 2, "{why}");
            let line = journal.tagged_line("at inner");
            assert!((line - 1..=line + 1).contains(&journal.source_line(begin.text("code"))), "{why}");
            let tasks = of(part, "implicit_task", &[("at", "begin"), ("parallel", begin.text("parallel"))]);
            assert_eq!(tasks.len(), 1, "{why}");
            assert_eq!(
                (tasks[0].number("size"), tasks[0].number("index"), tasks[0].thread),
                (1, 0, begin.thread),
                "{why}"
            );
        }
    });
}

#[test]
fn league_of_one_team_has_the_leagues_data() {
    each(|compiler, threads| {
        let journal = run("ev_regions", compiler, threads);
        for (name, next) in [("league_of_one", "league_unasked"), ("league_unasked", "distribute")] {
            let part = journal.between(name, next);
            let why = format!("{name}, {}\n{}", compiler.name(), journal.listing());
            let begin = of(part, "parallel_begin", &[])[0];
            assert_eq!(begin.text("empty"), "1", "{why}");
            let task = of(part, "implicit_task", &[("at", "begin")])[0];
            assert_eq!(task.text("parallel"), begin.text("parallel"), "{why}");
            assert_eq!((task.text("flags"), task.number("size"), task.number("index")), ("0x1", 1, 0), "{why}");
            let over = journal.one("implicit_task", &[("at", "end"), ("task", task.text("task"))]);
            assert_eq!((over.thread, over.text("parallel")), (task.thread, "null"), "{why}");
            for wait in of(part, "sync_region", &[("at", "begin")]) {
                assert_eq!((wait.text("kind"), wait.text("parallel")), (TEAMS_END, begin.text("parallel")), "{why}");
            }
        }
    });
}

#[test]
fn single_in_a_team_of_a_league_ends_in_the_task_that_began_it() {
    each(|compiler, threads| {
        let journal = run("ev_team_tasks", compiler, threads);
        let why = format!("{}, {threads} threads\n{}", compiler.name(), journal.listing());
        let mut open: BTreeMap<i32, Vec<&Entry>> = BTreeMap::new();
        for entry in journal.all("work", &[]) {
            assert!(["3", "4"].contains(&entry.text("kind")) && entry.number("count") == 1, "{entry:?} {why}");
            match entry.text("at") {
                "begin" => open.entry(entry.thread).or_default().push(entry),
                _ => {
                    let begin =
                        open.get_mut(&entry.thread).and_then(Vec::pop).unwrap_or_else(|| panic!("{entry:?} {why}"));
                    for key in ["kind", "task", "parallel"] {
                        assert_eq!(begin.text(key), entry.text(key), "{why}");
                    }
                }
            }
        }
        assert!(open.values().all(Vec::is_empty), "{open:?} {why}");
        let executors = journal.all("work", &[("kind", "3")]);
        // gcc makes no call at the end of a single region, so the end is reported together with the begin.
        assert_eq!(executors.len(), 4, "{why}");
    });
}

#[test]
fn mutual_exclusion_is_told_in_order_whoever_waits() {
    each(|compiler, threads| {
        let journal = run("ev_locks", compiler, threads);
        for (name, next, asked, released) in [
            ("lock", "test", "1", "1"),
            ("test", "nest", "2", "1"),
            ("nest", "test_nest", "3", "3"),
            ("test_nest", "critical", "4", "3"),
            ("critical", "unnamed", "5", "5"),
            ("unnamed", "ordered", "5", "5"),
            ("ordered", "over", "7", "7"),
        ] {
            let part = journal.between(name, next);
            let why = format!("{name}, {}, {threads} threads\n{}", compiler.name(), journal.listing());
            let ids: BTreeSet<&str> =
                part.iter().filter(|entry| entry.has("id")).map(|entry| entry.text("id")).collect();
            assert_eq!(ids.len(), 1, "{why}");
            // What each thread is in: nothing, waiting, inside.
            let mut stage: BTreeMap<i32, u32> = BTreeMap::new();
            for entry in part {
                let stage = stage.entry(entry.thread).or_default();
                let wanted = match (entry.event.as_str(), *stage) {
                    // A lock that is set once more, or tested in vain.
                    ("mutex_acquire", 0) => (asked, 1),
                    ("mutex_acquire", 2) if asked == "3" => (asked, 2),
                    ("mutex_acquired", 1) => (asked, 2),
                    ("mutex_released", 2) => (released, 0),
                    ("nest_lock", 2) => continue,
                    ("mark", 2) if entry.is("mark", &[("name", "inside")]) => continue,
                    ("mark", 1) if entry.is("mark", &[("name", "in_vain")]) => {
                        *stage = 0;
                        continue;
                    }
                    ("mark", 0) => continue,
                    (event, _) if !event.starts_with("mutex") && event != "nest_lock" && event != "mark" => continue,
                    _ => panic!("{entry:?} at stage {stage}: {why}"),
                };
                assert_eq!(entry.text("kind"), wanted.0, "{entry:?} {why}");
                *stage = wanted.1;
            }
            assert!(stage.values().all(|&stage| stage == 0), "{stage:?} {why}");
        }
    });
}

#[test]
fn ordered_regions_are_acquired_in_the_order_of_the_iterations() {
    each(|compiler, threads| {
        let journal = run("ev_locks", compiler, threads);
        let part = journal.between("ordered", "over");
        let why = format!("{}, {threads} threads\n{}", compiler.name(), journal.listing());
        let inside: Vec<u64> =
            of(part, "mark", &[("name", "inside")]).iter().map(|mark| mark.number("value")).collect();
        assert_eq!(inside, (0..40).collect::<Vec<_>>(), "{why}");
        let acquired = of(part, "mutex_acquired", &[("kind", "7")]);
        assert_eq!((acquired.len(), of(part, "mutex_released", &[("kind", "7")]).len()), (40, 40), "{why}");
        // The order of the acquisitions is that of the regions.
        let by: Vec<i32> = acquired.iter().map(|entry| entry.thread).collect();
        let ran: Vec<i32> = of(part, "mark", &[("name", "inside")]).iter().map(|mark| mark.thread).collect();
        assert_eq!(by, ran, "{why}");
    });
}

#[test]
fn reduction_ends_though_its_combiner_has_regions_of_its_own() {
    for method in METHODS {
        for threads in THREADS {
            let journal = run_with("ev_combiner", Compiler::Clang, threads, method);
            let why = format!("{threads} threads, {method:?}\n{}", journal.listing());
            assert_reductions_pair(&journal.entries, &why);
            assert!(!journal.all("reduction", &[]).is_empty(), "{why}");
        }
    }
}
