//! Device tracing (OpenMP 5.1 §4.6.2) in whole programs: what is in the records, whose buffers come back when, and what
//! is lost where. The tool and the program lie in `tools/`; rules that need no program are tested in the runtime
//! (`ompt/trace/tests.rs`).

use std::collections::BTreeMap;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::run::Outcome;
use ferromp_conformance::tools::{Run, Workshop};

/// Runs `dev_work` with these arguments under the tool that traces devices.
fn run(arguments: &[&str], prepare: impl Fn(Run<'_>) -> Run<'_>) -> Outcome {
    run_program("dev_work", arguments, prepare)
}

fn run_program(name: &str, arguments: &[&str], prepare: impl Fn(Run<'_>) -> Run<'_>) -> Outcome {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let program = workshop.program(name, Compiler::Offload, &[]);
    let run = workshop.command(&program).args(arguments).env("OMP_NUM_THREADS", "4").libraries(&[&tool]);
    let outcome = prepare(run).finish();
    assert!(outcome.stdout.contains("done 1\n"), "{}", outcome.stdout);
    for wrong in [
        "not owned",
        "no time",
        "no processors",
        "cannot be started",
        "threads of OpenMP's",
        "what is it",
        "late 1",
        "not the whole",
    ] {
        assert!(!outcome.stdout.contains(wrong), "{wrong}: {}", outcome.stdout);
    }
    outcome
}

/// The number behind a word of the tool's last line on a device.
fn counted(outcome: &Outcome, device: u32, word: &str) -> u64 {
    let start = format!("end: device {device} ");
    let line = outcome.stdout.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("no last line in {}", outcome.stdout));
    number(line, word)
}

fn number(line: &str, word: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&it| it != word);
    words.nth(1).and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The records' lines that hold a word.
fn records<'a>(outcome: &'a Outcome, word: &str) -> Vec<&'a str> {
    outcome.stdout.lines().filter(|line| line.starts_with("device ") && line.split(' ').any(|it| it == word)).collect()
}

#[test]
fn constructs_operations_and_kernels_are_recorded() {
    let outcome = run(&[], |run| run.env("TRACE_EVENTS", "0"));
    // Four constructs; the last has no end that its thread waits for.
    let targets =
        records(&outcome, "kind").into_iter().filter(|line| line.contains(" target kind ")).collect::<Vec<_>>();
    assert_eq!(targets.len(), 8, "{targets:?}");
    assert!(targets.iter().any(|line| line.contains("target kind 9")), "nowait is told: {targets:?}");
    let kernels = records(&outcome, "kernel");
    assert_eq!(kernels.len(), 4, "{kernels:?}");
    let granted: Vec<_> = kernels.iter().map(|line| (number(line, "asked"), number(line, "granted"))).collect();
    assert_eq!(granted.iter().filter(|&&it| it == (2, 2)).count(), 1, "{granted:?}");
    assert!(
        kernels
            .iter()
            .all(|line| number(line, "op") == 1 && number(line, "target") != 0 && number(line, "thread") != 0)
    );
    // Each kernel belongs to a construct of its own.
    let mut of: Vec<_> = kernels.iter().map(|line| number(line, "target")).collect();
    of.sort_unstable();
    of.dedup();
    assert_eq!(of.len(), 4);
    for kind in [1, 4] {
        let line = format!("data_op kind {kind} bytes 8000 ");
        assert_eq!(outcome.stdout.matches(&line).count(), 4, "{}", outcome.stdout);
    }
    let copies = outcome.stdout.matches("data_op kind 2 bytes 8000 from 1 to 0").count();
    let asynchronous = outcome.stdout.matches("data_op kind 18 bytes 8000 from 1 to 0").count();
    assert_eq!((copies, asynchronous), (3, 1), "{}", outcome.stdout);
    assert_eq!(outcome.stdout.matches("map 8000 flags 3").count(), 4);
}

#[test]
fn events_inside_regions_have_threads_regions_and_tasks_of_the_device() {
    let outcome = run(&[], |run| run.env("TRACE_EVENTS", "0"));
    let mut open: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let tasks = records(&outcome, "implicit_task");
    assert!(tasks.len() >= 2 * (4 + 2 + 6 + 2), "{tasks:?}");
    for line in tasks {
        let (task, thread) = (number(line, "task"), number(line, "thread"));
        assert!(task != 0 && thread != 0 && number(line, "target") != 0, "{line}");
        match number(line, "endpoint") {
            1 => {
                assert!(
                    number(line, "parallel") != 0 && open.insert((thread, task), number(line, "target")).is_none(),
                    "{line}"
                )
            }
            _ => assert_eq!(open.remove(&(thread, task)), Some(number(line, "target")), "{line}"),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert_eq!(outcome.stdout.matches("task_create").count(), 2);
    assert_eq!(outcome.stdout.matches("dependence ").count(), 2);
    assert_eq!(outcome.stdout.matches("task_schedule").count(), 4);
    // Ten chunks of a hundred iterations, and the last of ninety.
    assert_eq!(outcome.stdout.matches("dispatch 3 from ").count() - 6, 10, "{}", outcome.stdout);
    assert!(outcome.stdout.contains(" 900 90\n"), "the chunk lies in the record");
}

#[test]
fn records_of_constructs_name_the_task_that_encountered_them_though_the_tool_has_not() {
    let tasks_of = |outcome: &Outcome| -> Vec<u64> {
        let of_targets = records(outcome, "target").into_iter().filter(|line| line.contains(" target kind "));
        of_targets.map(|line| number(line, "task")).collect()
    };
    let tasks = tasks_of(&run_program("dev_tasks", &[], |run| run.env("TRACE_EVENTS", "8")));
    // Begin and end of nine constructs: two of each of four tasks, and one more of the first.
    assert_eq!(tasks.len(), 2 * 9, "{tasks:?}");
    assert!(tasks.chunks(4).all(|of_task| of_task.iter().all(|&task| task == of_task[0] && task != 0)), "{tasks:?}");
    let mut apart: Vec<_> = tasks.chunks(4).map(|of_task| of_task[0]).collect();
    assert_eq!(apart.pop(), Some(tasks[0]), "{tasks:?}");
    apart.sort_unstable();
    apart.dedup();
    assert_eq!(apart.len(), 4, "{tasks:?}");
    // A tool's own number is the one that it knows.
    let tasks = tasks_of(&run_program("dev_tasks", &[], |run| run.env("TRACE_EVENTS", "8").env("TRACE_WORD", "77")));
    assert_eq!(tasks, [77; 2 * 9]);
}

#[test]
fn one_event_alone_is_recorded_if_only_that_is_wanted() {
    let outcome = run(&["3"], |run| run.env("TRACE_EVENTS", "10"));
    assert_eq!(counted(&outcome, 0, "records"), 12);
    assert_eq!(records(&outcome, "kernel").len(), 12);
    let outcome = run(&["3"], |run| run.env("TRACE_EVENTS", "35"));
    assert_eq!(outcome.stdout.matches("type 35 ").count(), 12, "the number that was asked for");
}

#[test]
fn native_records_have_an_abstract_form() {
    let outcome = run(&["2"], |run| run.env("TRACE_NATIVE", "0"));
    for (name, count) in
        [("kernel op 1", 8), ("queued op 1", 8), ("copy to the device op 1", 8), ("copy from the device op 1", 8)]
    {
        let found = outcome.stdout.lines().filter(|line| line.contains(&format!("native class 2 {name}"))).count();
        assert!(found >= count, "{name}: {found}\n{}", outcome.stdout);
    }
    assert!(outcome.stdout.contains("native class 2 buffer request op 0"));
    assert!(!outcome.stdout.contains(" type "), "no standard record was asked for");
}

#[test]
fn buffers_of_every_size_come_back_and_nothing_is_lost() {
    for bytes in ["208", "1000", "4096", "1000000"] {
        let outcome = run(&["20"], |run| run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", bytes));
        assert_eq!((counted(&outcome, 0, "records"), counted(&outcome, 0, "dropped")), (80, 0), "{bytes}");
        assert_eq!(counted(&outcome, 0, "buffers"), counted(&outcome, 0, "completed"), "{bytes}");
    }
    let outcome = run(&["20"], |run| run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", "104"));
    assert_eq!((counted(&outcome, 0, "records"), counted(&outcome, 0, "buffers")), (80, 80));
}

#[test]
fn tool_that_gives_no_buffer_loses_records_and_nothing_else() {
    for zero in ["0", "1"] {
        for buffers in [0, 2] {
            let outcome = run(&["20"], |run| {
                let run = run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", "312").env("TRACE_ZERO", zero);
                run.env("TRACE_BUFFERS", buffers.to_string())
            });
            let (records, dropped) = (counted(&outcome, 0, "records"), counted(&outcome, 0, "dropped"));
            assert_eq!(records + dropped, 80);
            assert_eq!(counted(&outcome, 0, "completed"), counted(&outcome, 0, "buffers"));
            assert!(records <= 3 * buffers && (buffers == 0) == (records == 0), "{records}");
        }
    }
    let outcome = run(&["20"], |run| run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", "20"));
    assert_eq!((counted(&outcome, 0, "empty"), counted(&outcome, 0, "dropped")), (1, 80));
}

#[test]
fn slow_tool_and_flushes_from_callbacks_lose_nothing() {
    let outcome = run(&["10"], |run| run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", "208").env("TRACE_SLOW", "2000"));
    assert_eq!((counted(&outcome, 0, "records"), counted(&outcome, 0, "dropped")), (40, 0));
    let outcome = run(&["10"], |run| run.env("TRACE_EVENTS", "0").env("TRACE_BYTES", "1000").env("TRACE_FLUSH", "1"));
    assert_eq!(counted(&outcome, 0, "dropped"), 0);
    assert_eq!(records(&outcome, "kernel").len(), 40);
}

#[test]
fn pause_flush_stop_and_another_start() {
    let outcome = run(&["5", "1", "commands"], |run| run.env("TRACE_EVENTS", "10").env("TRACE_PAUSE", "1"));
    // Those before and after the pause are missing, that of the second trace is there.
    assert_eq!(counted(&outcome, 0, "records"), 21);
    let (before, after) = outcome.stdout.split_once("flushed\n").expect("a flush");
    assert_eq!(
        (before.matches("kernel asked").count(), after.matches("kernel asked").count()),
        (20, 1),
        "{}",
        outcome.stdout
    );
}

#[test]
fn control_tool_without_a_callback_says_so_while_a_device_is_traced() {
    let heard = run(&["1", "1", "commands"], |run| run.env("TRACE_PAUSE", "1"));
    assert!(heard.stdout.contains("control 1\n"), "{}", heard.stdout);
    // `omp_control_tool_nocallback`, and everything is recorded, because nobody pauses.
    let deaf = run(&["1", "1", "commands"], |run| run.env("TRACE_DEAF", "1").env("TRACE_EVENTS", "0"));
    assert!(deaf.stdout.contains("control -1\n"), "{}", deaf.stdout);
    assert_eq!(counted(&deaf, 0, "dropped"), 0);
}

#[test]
fn devices_have_traces_of_their_own() {
    let outcome = run(&["5", "3"], |run| run.env("TRACE_EVENTS", "10").env("FERROMP_HOST_DEVICES", "3"));
    for device in 0..3 {
        assert_eq!(counted(&outcome, device, "records"), 20);
        let start = format!("device {device} ");
        let all: Vec<_> = records(&outcome, "kernel").into_iter().filter(|line| line.starts_with(&start)).collect();
        assert_eq!(all.len(), 20);
    }
}

#[test]
fn devices_that_are_busy_at_once_keep_their_records_apart() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let program = workshop.program("dev_together", Compiler::Offload, &[]);
    for bytes in ["104", "1000", "65536"] {
        let run = workshop.command(&program).args(&["50", "2"]).env("FERROMP_HOST_DEVICES", "2").libraries(&[&tool]);
        let outcome = run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", bytes).finish();
        assert!(outcome.stdout.contains("done 1\n"), "{}", outcome.stdout);
        for device in 0..2 {
            assert_eq!(
                (counted(&outcome, device, "records"), counted(&outcome, device, "dropped")),
                (2 * 2 * 50, 0),
                "{bytes}"
            );
            assert_eq!(counted(&outcome, device, "buffers"), counted(&outcome, device, "completed"), "{bytes}");
        }
    }
}

#[test]
fn completion_callback_that_ends_the_program_ends_it() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let program = workshop.program("dev_work", Compiler::Offload, &[]);
    for which in ["1", "5"] {
        let run = workshop.command(&program).args(&["2000"]).env("OMP_NUM_THREADS", "4").libraries(&[&tool]);
        let run =
            run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", "208").env("TRACE_QUIET", "1").env("TRACE_EXIT", which);
        let outcome = run.finish_with(3);
        // The tool is ended all the same, after the device; every buffer has come back, but for those that are asked
        // for by threads that the end of the program has caught.
        assert!(outcome.stdout.contains("finalize: device 0"), "{}", outcome.stdout);
        assert!(counted(&outcome, 0, "completed") >= which.parse().expect("a number"), "{}", outcome.stdout);
        assert!(!outcome.stdout.contains("done"), "{}", outcome.stdout);
    }
}

#[test]
fn thread_that_uses_the_device_while_the_program_ends_does_not_end_it_again() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let program = workshop.program("dev_ends", Compiler::Offload, &[]);
    // The thread is nearly always inside the callback for a construct's begin when the device is closed.
    for (late, rounds) in [("5000", "3"), ("5000", "4"), ("1000", "20"), ("1", "200")] {
        let run = workshop.command(&program).args(&[rounds]).libraries(&[&tool]);
        let outcome = run.env("TRACE_EVENTS", "10").env("TRACE_QUIET", "1").env("TRACE_LATE", late).finish_with(3);
        assert!(outcome.stdout.contains("finalize: device 0"), "{}", outcome.stdout);
        assert!(counted(&outcome, 0, "buffers") > 0, "{}", outcome.stdout);
        assert!(outcome.stderr.is_empty(), "{}", outcome.stderr);
    }
}

#[test]
fn completion_callback_may_stop_its_trace() {
    let outcome = run(&["50"], |run| run.env("TRACE_EVENTS", "10").env("TRACE_BYTES", "208").env("TRACE_STOP", "2"));
    let records = counted(&outcome, 0, "records");
    assert!((4..200).contains(&records), "{records}");
    assert_eq!(counted(&outcome, 0, "buffers"), counted(&outcome, 0, "completed"));
}

#[test]
fn process_that_forks_while_a_device_is_traced_goes_on_and_so_does_its_child() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let program = workshop.program("dev_forks", Compiler::Offload, &[]);
    for bytes in ["104", "4096"] {
        let run = workshop.command(&program).args(&["8"]).libraries(&[&tool]);
        let outcome = run.env("TRACE_EVENTS", "0").env("TRACE_BYTES", bytes).env("TRACE_QUIET", "1").finish();
        assert!(outcome.stdout.contains("done 1\n"), "{}", outcome.stdout);
        assert_eq!(counted(&outcome, 0, "buffers"), counted(&outcome, 0, "completed"), "{bytes}");
        assert!(counted(&outcome, 0, "records") > 200, "{bytes}");
    }
}

#[test]
fn all_has_been_handed_over_when_the_device_is_finalised() {
    let outcome = run(&["20"], |run| run.env("TRACE_EVENTS", "0").env("TRACE_QUIET", "1").env("TRACE_SLOW", "500"));
    let finalize = outcome.stdout.lines().find(|line| line.starts_with("finalize: device 0")).expect("it is finalised");
    let end = outcome.stdout.lines().find(|line| line.starts_with("end: device 0")).expect("the tool has an end");
    assert_eq!(finalize.split_once(": ").map(|it| it.1), end.split_once(": ").map(|it| it.1));
    assert_eq!(number(end, "buffers"), number(end, "completed"));
}

#[test]
fn buffer_too_small_for_a_record_has_come_back_when_the_device_is_finalised() {
    // Slow, so that the device would be finalised before.
    let outcome = run(&["1"], |run| run.env("TRACE_EVENTS", "0").env("TRACE_BYTES", "64").env("TRACE_SLOW", "20000"));
    let finalize = outcome.stdout.lines().find(|line| line.starts_with("finalize: device 0")).expect("it is finalised");
    assert_eq!(
        (number(finalize, "buffers"), number(finalize, "records")),
        (number(finalize, "empty"), 0),
        "{finalize}"
    );
    assert_eq!(counted(&outcome, 0, "completed"), number(finalize, "completed"));
}

#[test]
fn several_tools_have_each_its_own_trace() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let again = workshop.tool("dev_trace", &["-DAGAIN"]);
    let outcome = run(&["5"], |run| run.env("TRACE_EVENTS", "10").further(&[&again]));
    assert!(tool != again);
    let ends: Vec<_> = outcome.stdout.lines().filter(|line| line.starts_with("end: device 0")).collect();
    assert_eq!(ends.len(), 2, "{}", outcome.stdout);
    assert!(ends.iter().all(|line| number(line, "records") == 20), "{ends:?}");
}

#[test]
fn ten_million_records_of_two_threads_are_all_there() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let tool = workshop.tool("dev_trace", &[]);
    let program = workshop.program("dev_flushes", Compiler::Offload, &[]);
    let run = workshop.command(&program).args(&["10000000"]).libraries(&[&tool]);
    let run = run.env("TRACE_EVENTS", "29").env("TRACE_QUIET", "1").env("TRACE_BYTES", "1048576");
    let outcome = run.finish();
    assert!(outcome.stdout.contains("done 1\n"), "{}", outcome.stdout);
    assert_eq!((counted(&outcome, 0, "records"), counted(&outcome, 0, "dropped")), (10_000_000, 0));
}
