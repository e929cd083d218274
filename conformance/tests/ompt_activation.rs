//! How a tool starts and ends (OpenMP 5.1, sections 4.2 and 4.6.1): where it is looked for, which tools may decline,
//! what the runtime tells of it, and what its entry points answer. The tools lie in `tools/`.

use std::path::{Path, PathBuf};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::{COMPILERS, Journal};
use ferromp_conformance::run::Outcome;
use ferromp_conformance::runtime::workspace;
use ferromp_conformance::tools::{Run, Workshop};

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

/// A candidate of this name that behaves in this way.
fn candidate(workshop: &Workshop, name: &str, behaviour: &[&str]) -> PathBuf {
    let name = format!("-DNAME={name}");
    let behaviour: Vec<String> = behaviour.iter().map(|word| format!("-D{word}")).collect();
    let options: Vec<&str> = std::iter::once(name.as_str()).chain(behaviour.iter().map(String::as_str)).collect();
    workshop.tool("candidate", &options)
}

/// Runs the plain program, whose result a tool must not change.
fn run_plain(prepare: impl Fn(Run<'_>) -> Run<'_>) -> Outcome {
    let workshop = workshop();
    let program = workshop.program("plain", Compiler::Clang, &[]);
    let outcome = prepare(workshop.command(&program).env("OMP_NUM_THREADS", "2")).finish();
    assert!(outcome.stdout.ends_with("sum 300\n"), "stdout: {}", outcome.stdout);
    outcome
}

/// The lines in which a tool spoke.
fn said<'a>(outcome: &'a Outcome, tool: &str) -> Vec<&'a str> {
    let prefix = format!("{tool}: ");
    outcome.stderr.lines().filter_map(|line| line.strip_prefix(prefix.as_str())).collect()
}

/// The lines in which the runtime spoke.
fn complaints(outcome: &Outcome) -> Vec<&str> {
    outcome.stderr.lines().filter(|line| line.starts_with("ferromp: ")).collect()
}

/// A tool was asked, initialised, saw the program's three regions, and was finalised once.
fn assert_worked(outcome: &Outcome, tool: &str) {
    let lines = said(outcome, tool);
    assert!(lines.len() == 3 && lines[0].starts_with("start "), "{}", outcome.stderr);
    assert_eq!(lines[1..], ["initialize, device 0, data its own", "finalize after 3 regions, data its own"]);
}

/// A tool was asked, and nothing more.
fn assert_only_asked(outcome: &Outcome, tool: &str) {
    let lines = said(outcome, tool);
    assert!(lines.len() == 1 && lines[0].starts_with("start "), "{}", outcome.stderr);
}

#[test]
fn preloaded_tool_is_used() {
    let outcome = run_plain(|run| run.preload(&candidate(&workshop(), "preloaded", &[])));
    assert_worked(&outcome, "preloaded");
    assert!(complaints(&outcome).is_empty(), "{}", outcome.stderr);
}

#[test]
fn named_tool_is_used() {
    let outcome = run_plain(|run| run.libraries(&[&candidate(&workshop(), "named", &[])]));
    assert_worked(&outcome, "named");
    assert!(complaints(&outcome).is_empty(), "{}", outcome.stderr);
}

#[test]
fn tool_in_a_clang_program_is_used() {
    let workshop = workshop();
    let program = workshop.program("plain", Compiler::Clang, &["-DLINKED", "-DNAME=linked"]);
    assert_worked(&workshop.command(&program).finish(), "linked");
}

#[test]
fn tool_in_a_gcc_program_linked_with_ferromp_is_used() {
    let workshop = workshop();
    let library = workshop.lib.join("libferromp.so").display().to_string();
    let program =
        workshop.program("plain", Compiler::Gcc, &["-DLINKED", "-DNAME=linked", "-Wl,--no-as-needed", &library]);
    assert_worked(&workshop.command(&program).finish(), "linked");
}

#[test]
fn version_and_name_of_the_runtime_are_true() {
    let outcome = run_plain(|run| run.preload(&candidate(&workshop(), "asked", &[])));
    let start = said(&outcome, "asked")[0];
    assert!(start.starts_with("start 202011 on <ferromp "), "{start}");
}

#[test]
fn tool_in_the_address_space_comes_before_named_ones() {
    let outcome = run_plain(|run| {
        let workshop = workshop();
        run.preload(&candidate(&workshop, "preloaded", &[])).libraries(&[&candidate(&workshop, "named", &[])])
    });
    assert_worked(&outcome, "preloaded");
    assert_eq!(said(&outcome, "named"), [""; 0]);
}

#[test]
fn named_tool_follows_one_in_the_address_space_that_declines() {
    let outcome = run_plain(|run| {
        let workshop = workshop();
        run.preload(&candidate(&workshop, "preloaded", &["DECLINE"])).libraries(&[&candidate(&workshop, "named", &[])])
    });
    assert_only_asked(&outcome, "preloaded");
    assert_worked(&outcome, "named");
}

#[test]
fn candidates_are_asked_in_order_until_one_accepts() {
    let outcome = run_plain(|run| {
        let workshop = workshop();
        run.libraries(&[
            &candidate(&workshop, "first", &["DECLINE"]),
            &candidate(&workshop, "second", &[]),
            &candidate(&workshop, "third", &[]),
        ])
    });
    assert_only_asked(&outcome, "first");
    assert_worked(&outcome, "second");
    assert_eq!(said(&outcome, "third"), [""; 0]);
}

/// An unusable candidate costs one line that names it, and the next one is used.
fn assert_passed_over(bad: &Path) {
    let outcome = run_plain(|run| run.libraries(&[bad, &candidate(&workshop(), "good", &[])]));
    assert_worked(&outcome, "good");
    let complaints = complaints(&outcome);
    let name = bad.display().to_string();
    assert!(complaints.len() == 1 && complaints[0].contains(&name), "one line that names {name}: {}", outcome.stderr);
}

#[test]
fn missing_library_is_passed_over() {
    assert_passed_over(Path::new("/nowhere/libtool.so"));
}

#[test]
fn file_that_is_no_library_is_passed_over() {
    let file = workshop().scratch.join("no-library.so");
    std::fs::create_dir_all(&workshop().scratch).expect("scratch can be written");
    std::fs::write(&file, "not a library\n").expect("scratch can be written");
    assert_passed_over(&file);
}

#[test]
fn folder_is_passed_over() {
    assert_passed_over(Path::new("/tmp"));
}

#[test]
fn library_without_ompt_start_tool_is_passed_over() {
    assert_passed_over(&candidate(&workshop(), "startless", &["NO_START"]));
}

#[test]
fn initializer_that_answers_zero_leaves_the_program_without_a_tool() {
    let outcome = run_plain(|run| {
        let workshop = workshop();
        run.libraries(&[&candidate(&workshop, "refusing", &["REFUSE"]), &candidate(&workshop, "next", &[])])
    });
    assert_eq!(said(&outcome, "refusing")[1..], ["initialize, device 0, data its own"], "no events and no finaliser");
    assert_eq!(said(&outcome, "next"), [""; 0], "the search ends at the first structure that is returned");
}

#[test]
fn null_initializer_does_not_crash() {
    let outcome = run_plain(|run| run.libraries(&[&candidate(&workshop(), "empty", &["NO_INITIALIZER"])]));
    assert_only_asked(&outcome, "empty");
    assert_eq!(complaints(&outcome).len(), 1, "{}", outcome.stderr);
}

#[test]
fn disabled_means_that_nobody_is_asked() {
    let outcome = run_plain(|run| {
        let workshop = workshop();
        run.env("OMP_TOOL", "disabled").preload(&candidate(&workshop, "preloaded", &[])).libraries(&[&candidate(
            &workshop,
            "named",
            &[],
        )])
    });
    assert_eq!(outcome.stderr, "");
}

#[test]
fn without_a_tool_nothing_is_printed() {
    let outcome = run_plain(|run| run);
    assert_eq!(outcome.stdout, "sum 300\n");
    assert_eq!(outcome.stderr, "");
}

/// What `OMP_TOOL_VERBOSE_INIT` has to say of a search over a missing, a declining and an accepting candidate.
fn assert_narrated(text: &str) {
    for words in [
        "START LOGGING OF TOOL REGISTRATION",
        "Search for OMP tool in current address space",
        "/nowhere/libtool.so",
        "Found but not using the OMPT interface",
        "Tool was started and is using the OMPT interface",
        "END LOGGING OF TOOL REGISTRATION",
    ] {
        assert!(text.contains(words), "`{words}` is not in the narration:\n{text}");
    }
}

fn run_narrated(to: &str) -> Outcome {
    run_plain(|run| {
        let workshop = workshop();
        run.env("OMP_TOOL_VERBOSE_INIT", to).libraries(&[
            Path::new("/nowhere/libtool.so"),
            &candidate(&workshop, "first", &["DECLINE"]),
            &candidate(&workshop, "second", &[]),
        ])
    })
}

#[test]
fn search_is_narrated_on_stdout() {
    assert_narrated(&run_narrated("stdout").stdout);
}

#[test]
fn search_is_narrated_on_stderr() {
    assert_narrated(&run_narrated("STDERR").stderr);
}

#[test]
fn search_is_narrated_in_a_file() {
    let file = workshop().scratch.join(format!("narration-{}", std::process::id()));
    let outcome = run_narrated(&file.display().to_string());
    assert_eq!(outcome.stdout, "sum 300\n");
    assert_narrated(&std::fs::read_to_string(&file).expect("the narration is there"));
    std::fs::remove_file(&file).expect("the narration can be removed");
}

#[test]
fn file_that_cannot_be_written_costs_one_line() {
    let outcome = run_narrated("/nowhere/narration");
    assert_narrated(&outcome.stderr);
    let named = complaints(&outcome).iter().filter(|line| line.contains("/nowhere/narration")).count();
    assert_eq!(named, 1, "{}", outcome.stderr);
}

#[test]
fn disabled_narration_is_silent() {
    let outcome = run_plain(|run| run.env("OMP_TOOL_VERBOSE_INIT", "disabled"));
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("sum 300\n", ""));
}

#[test]
fn bad_value_of_omp_tool_costs_one_line_and_means_enabled() {
    let outcome = run_plain(|run| run.env("OMP_TOOL", "maybe").preload(&candidate(&workshop(), "preloaded", &[])));
    assert_worked(&outcome, "preloaded");
    let complaints = complaints(&outcome);
    assert!(
        complaints.len() == 1 && complaints[0].contains("OMP_TOOL") && complaints[0].contains("maybe"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn tool_may_call_openmp_routines_at_any_time() {
    let outcome = run_plain(|run| run.preload(&candidate(&workshop(), "caller", &["CALLS_OMP"])));
    let lines = said(&outcome, "caller");
    assert_eq!(lines[2], "max_threads 2, num_procs positive, in_parallel 0");
    let inside = lines.iter().filter(|line| line.starts_with("in a callback: level 0, threads 1")).count();
    assert_eq!((lines.len(), inside), (8, 3), "{}", outcome.stderr);
}

#[test]
fn tool_whose_constructor_calls_openmp_does_not_hang() {
    let workshop = workshop();
    let tool = candidate(&workshop, "eager", &["CONSTRUCTOR"]);
    for outcome in [run_plain(|run| run.preload(&tool)), run_plain(|run| run.libraries(&[&tool]))] {
        let lines = said(&outcome, "eager");
        assert!(lines.contains(&"constructor: threads 1"), "{}", outcome.stderr);
        assert!(lines.contains(&"finalize after 3 regions, data its own"), "{}", outcome.stderr);
        let started = lines.iter().filter(|line| line.starts_with("start ")).count();
        assert_eq!((started, lines.len()), (1, 4), "{}", outcome.stderr);
    }
}

#[test]
fn tool_that_waits_in_its_initializer_for_its_own_thread_does_not_hang() {
    let outcome = run_plain(|run| run.preload(&candidate(&workshop(), "helped", &["HELPER"])));
    let lines = said(&outcome, "helped");
    assert_eq!(lines[2..], ["helper: threads 1", "finalize after 3 regions, data its own"]);
}

#[test]
fn empty_names_among_the_libraries_are_no_tools() {
    let outcome = run_plain(|run| {
        let tool = candidate(&workshop(), "named", &[]);
        run.env("OMP_TOOL_LIBRARIES", format!("::{}:", tool.display()))
    });
    assert_worked(&outcome, "named");
    assert!(complaints(&outcome).is_empty(), "{}", outcome.stderr);
}

#[test]
fn tool_may_end_itself_in_a_callback() {
    let outcome = run_plain(|run| run.preload(&candidate(&workshop(), "ending", &["END_IN_CALLBACK"])));
    assert_eq!(said(&outcome, "ending")[2..], ["finalize after 1 regions, data its own", "ended itself"]);
}

#[test]
fn tool_may_end_itself_in_its_initializer() {
    let outcome = run_plain(|run| run.preload(&candidate(&workshop(), "ending", &["END_IN_INITIALIZER"])));
    assert_eq!(said(&outcome, "ending")[2..], ["finalize after 0 regions, data its own"]);
}

/// Names of drafts of the interface: the first means what `ompt_get_proc_id` does, what the others did is done
/// otherwise now.
const DRAFT: [&str; 4] = ["ompt_get_procid", "ompt_get_idle_frame", "ompt_enumerate_state", "ompt_get_parallel_id"];

/// The output of the tool `inquiry`.
fn inquire() -> Outcome {
    let names = [ompt::HOST_ENTRY_POINTS, &DRAFT, &["ompt_no_such_thing", "omp_get_level", "ompt_set_callbac"]]
        .concat()
        .join(" ");
    run_plain(|run| run.env("INQUIRY_NAMES", &names).preload(&workshop().tool("inquiry", &[])))
}

#[test]
fn lookup_knows_every_entry_point_and_no_other_name() {
    let outcome = inquire();
    let answers: Vec<_> =
        outcome.stdout.lines().filter_map(|line| line.strip_prefix("lookup ")?.split_once(' ')).collect();
    assert_eq!(answers.len(), ompt::HOST_ENTRY_POINTS.len() + DRAFT.len() + 3);
    for (name, answer) in answers {
        let wanted = if ompt::HOST_ENTRY_POINTS.contains(&name) || name == DRAFT[0] { "found" } else { "null" };
        assert_eq!(answer, wanted, "{name}");
    }
}

#[test]
fn registration_answers_are_consistent() {
    let outcome = inquire();
    let (error, never) = (ompt::SetResult::ERROR.0, ompt::SetResult::NEVER.0);
    let mut events = 0;
    for line in outcome.stdout.lines().filter_map(|line| line.strip_prefix("callback ")) {
        let (event, answers) = line.split_once(' ').expect("an event and its answers");
        let event: i32 = event.parse().expect("a number");
        let value = |key: &str| -> i32 {
            let found = answers.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            found.and_then(|text| text.parse().ok()).unwrap_or_else(|| panic!("no {key} in {line}"))
        };
        assert_eq!(value("before"), 0, "nothing was registered: {line}");
        assert_eq!(value("none"), 0, "it was removed: {line}");
        if !(1..=37).contains(&event) {
            assert_eq!((value("set"), value("after")), (error, 0), "no such event: {line}");
            continue;
        }
        events += 1;
        match value("set") {
            answer if answer == never => assert_eq!(value("after"), 0, "refused, so not there: {line}"),
            answer => {
                assert!(answer > never, "{line}");
                assert_eq!((value("after"), value("same")), (1, 1), "{line}");
            }
        }
    }
    assert_eq!(events, 37);
}

/// Table 4.2 of OpenMP 5.1. Tools that exist end the program at a lesser answer.
#[test]
fn events_that_must_be_answered_always_are() {
    let outcome = inquire();
    use ompt::Event;
    for event in [
        Event::ThreadBegin,
        Event::ThreadEnd,
        Event::ParallelBegin,
        Event::ParallelEnd,
        Event::TaskCreate,
        Event::TaskSchedule,
        Event::ImplicitTask,
        Event::Target,
        Event::TargetEmi,
        Event::TargetDataOp,
        Event::TargetDataOpEmi,
        Event::TargetSubmit,
        Event::TargetSubmitEmi,
        Event::ControlTool,
        Event::DeviceInitialize,
        Event::DeviceFinalize,
        Event::DeviceLoad,
        Event::DeviceUnload,
    ] {
        let wanted = format!("callback {} before=0 set={} ", event.0, ompt::SetResult::ALWAYS.0);
        assert!(outcome.stdout.lines().any(|line| line.starts_with(&wanted)), "{event:?}: {}", outcome.stdout);
    }
}

#[test]
fn answers_are_those_of_the_documentation() {
    let outcome = inquire();
    let path = workspace().join("docs/ompt-events.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut rows = 0;
    for row in text.lines().filter_map(|line| line.strip_prefix("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (number, answer) = (cells[0], cells[2].trim_matches('`'));
        let Some((answer, _)) = ompt::SetResult::ALL.iter().find(|(_, name)| *name == answer) else { continue };
        let wanted = format!("callback {number} before=0 set={} ", answer.0);
        assert!(outcome.stdout.lines().any(|line| line.starts_with(&wanted)), "{row}: {}", outcome.stdout);
        rows += 1;
    }
    assert_eq!(rows, ompt::Event::COUNT);
}

#[test]
fn states_and_mutex_implementations_can_be_enumerated() {
    let outcome = inquire();
    for (state, name) in ompt::State::ALL.iter().filter(|(state, _)| *state != ompt::State::UNDEFINED) {
        let line = format!("state 0x{:x} {name}", state.0);
        assert_eq!(outcome.stdout.lines().filter(|found| *found == line).count(), 1, "{line} in {}", outcome.stdout);
    }
    for walk in ["state end after ", "mutex end after "] {
        let steps = outcome.stdout.lines().find_map(|line| line.strip_prefix(walk)?.parse::<u32>().ok());
        assert!(steps.is_some_and(|steps| (1..100).contains(&steps)), "{walk}{steps:?}");
    }
    assert!(outcome.stdout.lines().any(|line| line == "unique differ"));
    let procs = outcome.stdout.lines().find_map(|line| line.strip_prefix("procs ")?.parse::<u32>().ok());
    assert!(procs.is_some_and(|procs| procs > 0), "{procs:?}");
}

#[test]
fn control_tool_works_as_the_first_call() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let program = workshop.program("control_first", compiler, &[]);
        let journal = workshop.tool("journal", &[]);
        let outcome = workshop.command(&program).env("JOURNAL", "/dev/null").preload(&journal).finish();
        assert_eq!(outcome.stdout, "first 17\ninside 18\nlast 19\n", "{}", compiler.name());
    }
}

#[test]
fn control_tool_without_a_tool_says_so() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let program = workshop.program("control_first", compiler, &[]);
        assert_eq!(workshop.command(&program).finish().stdout, "first -2\ninside -2\nlast -2\n", "{}", compiler.name());
    }
}

#[test]
fn control_tool_without_a_callback_says_so() {
    let workshop = workshop();
    let program = workshop.program("control_first", Compiler::Clang, &[]);
    let outcome = workshop.command(&program).preload(&candidate(&workshop, "deaf", &[])).finish();
    assert_eq!(outcome.stdout, "first -1\ninside -1\nlast -1\n");
}

#[test]
fn finaliser_comes_once_and_nothing_after_it() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let journal = Journal::of(&workshop, "plain", compiler, 4, &[]);
        let end = journal.one("finalize", &[("same", "1")]);
        assert_eq!(end.index, journal.entries.len() - 1, "{}", journal.listing());
    }
}

#[test]
fn tool_ended_by_a_command_hears_nothing_more() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let journal = Journal::of(&workshop, "control_end", compiler, 4, &[]);
        assert!(journal.all("late", &[]).is_empty(), "{}", journal.listing());
        assert_eq!(journal.one("finalize", &[]).index, journal.entries.len() - 1, "{}", journal.listing());
    }
}

#[test]
fn tool_that_ends_itself_hears_the_ends_first() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let journal = Journal::of(&workshop, "end_outside", compiler, 3, &[]);
        assert!(journal.all("late", &[]).is_empty(), "{}", journal.listing());
        assert_eq!(journal.one("finalize", &[]).index, journal.entries.len() - 1, "{}", journal.listing());
        for (event, begins) in [("thread_begin", 3), ("thread_end", 3)] {
            assert_eq!(journal.all(event, &[]).len(), begins, "{}", journal.listing());
        }
        let tasks = |at| journal.all("implicit_task", &[("at", at)]).len();
        assert_eq!((tasks("begin"), tasks("end")), (4, 4), "{}", journal.listing());
    }
}
