//! Several tools at once (`FERROMP_TOOLS`): each has its own data words, answers and end, and none stands in another's
//! way. The tools and programs lie in `tools/`.

use std::path::{Path, PathBuf};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::COMPILERS;
use ferromp_conformance::run::Outcome;
use ferromp_conformance::tools::{Run, Workshop};

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The tool `one_of_several.c` with this name and this mark in its data words.
fn one(name: &str, mark: u32, further: &[&str]) -> PathBuf {
    let (name, mark) = (format!("-DNAME={name}"), format!("-DMARK={mark}"));
    workshop().tool("one_of_several", &[&[name.as_str(), mark.as_str()], further].concat())
}

/// The tool `candidate.c`, which says what happens to it.
fn candidate(name: &str, behaviour: &[&str]) -> PathBuf {
    let name = format!("-DNAME={name}");
    workshop().tool("candidate", &[&[name.as_str()], behaviour].concat())
}

/// Runs the program with every construct on four threads.
fn run(compiler: Compiler, prepare: impl Fn(Run<'_>) -> Run<'_>) -> Outcome {
    let workshop = workshop();
    let program = workshop.program("ev_several", compiler, &[]);
    let outcome = prepare(workshop.command(&program).env("OMP_NUM_THREADS", "4")).finish();
    assert!(outcome.stdout.ends_with("done 1\n"), "{}", outcome.stdout);
    outcome
}

/// The lines in which a tool spoke.
fn said<'a>(outcome: &'a Outcome, tool: &str) -> Vec<&'a str> {
    let prefix = format!("{tool}: ");
    outcome.stderr.lines().filter_map(|line| line.strip_prefix(prefix.as_str())).collect()
}

/// What a tool counted, of which nothing is wrong.
fn counts<'a>(outcome: &'a Outcome, tool: &str) -> &'a str {
    let counts = said(outcome, tool).last().copied().and_then(|line| line.strip_prefix("finalize: wrong 0, "));
    counts.unwrap_or_else(|| panic!("{tool} has no good end: {}", outcome.stderr))
}

/// The number behind a word.
fn number(counts: &str, word: &str) -> u32 {
    let found = counts.split(", ").find_map(|pair| pair.strip_prefix(word)?.trim().parse().ok());
    found.unwrap_or_else(|| panic!("no {word} in {counts}"))
}

/// The lines in which the runtime spoke.
fn complaints(outcome: &Outcome) -> Vec<&str> {
    outcome.stderr.lines().filter(|line| line.starts_with("ferromp: ")).collect()
}

#[test]
fn every_tool_has_its_own_words_and_answers() {
    let names = ["t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"];
    let tools: Vec<PathBuf> = names.iter().zip(1..).map(|(name, mark)| one(name, mark, &[])).collect();
    for compiler in COMPILERS {
        for count in [2, 3, 8] {
            let tools: Vec<&Path> = tools[..count].iter().map(PathBuf::as_path).collect();
            let outcome = run(compiler, |run| run.further(&tools));
            let first = counts(&outcome, names[0]);
            for name in &names[..count] {
                assert_eq!(counts(&outcome, name), first, "all hear the same");
            }
            assert_eq!(number(first, "threads"), number(first, "ends"), "{first}");
            assert_eq!(number(first, "tasks"), number(first, "finished"), "{first}");
            assert!(number(first, "regions") == 15 && number(first, "tasks") > 100, "{first}");
        }
    }
}

#[test]
fn words_of_what_has_ended_serve_again() {
    let (first, second) = (one("t1", 1, &[]), one("t2", 2, &[]));
    for compiler in COMPILERS {
        let workshop = workshop();
        let program = workshop.program("ev_several", compiler, &[]);
        let run = workshop.command(&program).args(&["600"]).env("OMP_NUM_THREADS", "3").env("GROWTH", "1");
        let outcome = run.further(&[&first, &second]).finish();
        assert!(number(counts(&outcome, "t2"), "tasks") > 30_000, "{}", outcome.stderr);
        let grown: i64 =
            outcome.stdout.lines().find_map(|line| line.strip_prefix("grown ")?.parse().ok()).expect("a number");
        // Words for 15 000 tasks that were never freed would be 1 MiB.
        assert!(grown < 512, "{} KiB", grown);
    }
}

#[test]
fn begins_come_in_order_and_ends_in_reverse() {
    let (first, second) = (one("t1", 1, &["-DORDER"]), one("t2", 2, &["-DORDER"]));
    let workshop = workshop();
    let program = workshop.program("plain", Compiler::Clang, &[]);
    let outcome = workshop.command(&program).further(&[&first, &second]).finish();
    let lines: Vec<&str> = outcome.stderr.lines().map(|line| line.split(": wrong").next().unwrap_or(line)).collect();
    let region = ["t1: parallel_begin", "t2: parallel_begin", "t2: parallel_end", "t1: parallel_end"];
    assert_eq!(lines, [&region[..], &region, &region, &["t2: finalize", "t1: finalize"]].concat());
}

#[test]
fn one_further_tool_alone_is_used() {
    let tool = candidate("only", &[]);
    let outcome = run(Compiler::Clang, |run| run.further(&[&tool]));
    assert_eq!(said(&outcome, "only").last(), Some(&"finalize after 15 regions, data its own"));
    assert!(complaints(&outcome).is_empty(), "{}", outcome.stderr);
}

#[test]
fn further_tools_run_beside_the_one_that_the_specification_finds() {
    let (found, named, further) =
        (one("found", 1, &["-DORDER"]), one("named", 2, &[]), one("further", 3, &["-DORDER"]));
    let begin = |outcome: &Outcome| outcome.stderr.lines().take(2).map(str::to_owned).collect::<Vec<_>>();
    let outcome = run(Compiler::Clang, |run| run.preload(&found).libraries(&[&named]).further(&[&further]));
    assert_eq!(counts(&outcome, "found"), counts(&outcome, "further"));
    assert_eq!(said(&outcome, "named"), [""; 0], "OMP_TOOL_LIBRARIES is not looked at");
    assert_eq!(begin(&outcome), ["found: parallel_begin", "further: parallel_begin"]);
    let outcome = run(Compiler::Clang, |run| run.libraries(&[&named]).further(&[&further]));
    assert_eq!(counts(&outcome, "named"), counts(&outcome, "further"));
}

#[test]
fn tool_of_the_program_and_further_tools_run_beside_each_other() {
    let workshop = workshop();
    let program = workshop.program("plain", Compiler::Clang, &["-DLINKED", "-DNAME=linked"]);
    let outcome = workshop.command(&program).further(&[&one("t1", 1, &[]), &one("t2", 2, &[])]).finish();
    assert_eq!(said(&outcome, "linked").last(), Some(&"finalize after 3 regions, data its own"));
    assert_eq!(counts(&outcome, "t1"), counts(&outcome, "t2"));
}

#[test]
fn disabled_means_that_no_further_tool_is_asked() {
    let (first, second) = (candidate("first", &[]), candidate("second", &[]));
    let outcome = run(Compiler::Clang, |run| run.env("OMP_TOOL", "disabled").further(&[&first, &second]));
    assert_eq!(outcome.stderr, "");
}

#[test]
fn tool_that_does_not_start_leaves_the_others() {
    let (first, last) = (one("t1", 1, &[]), one("t2", 2, &[]));
    let alone = number(counts(&run(Compiler::Clang, |run| run.further(&[&first, &last])), "t1"), "tasks");
    for behaviour in
        ["-DDECLINE", "-DREFUSE", "-DNO_INITIALIZER", "-DNO_START", "-DEND_IN_INITIALIZER", "-DEND_IN_CALLBACK"]
    {
        let odd = candidate("odd", &[behaviour]);
        for tools in [[&odd, &first, &last], [&first, &odd, &last], [&first, &last, &odd]] {
            let tools = tools.map(PathBuf::as_path);
            let outcome = run(Compiler::Clang, |run| run.further(&tools));
            assert_eq!(counts(&outcome, "t1"), counts(&outcome, "t2"), "{behaviour}");
            assert_eq!(number(counts(&outcome, "t1"), "tasks"), alone, "{behaviour}");
            let lines = usize::from(["-DNO_INITIALIZER", "-DNO_START"].contains(&behaviour));
            assert_eq!(complaints(&outcome).len(), lines, "{behaviour}: {}", outcome.stderr);
            let finalized = said(&outcome, "odd").iter().filter(|line| line.starts_with("finalize")).count();
            assert_eq!(finalized, usize::from(behaviour.starts_with("-DEND")), "{}", outcome.stderr);
            assert!(!said(&outcome, "odd").contains(&"an event after its end"), "{}", outcome.stderr);
        }
    }
}

#[test]
fn tool_that_ends_itself_leaves_the_others() {
    let (first, last) = (one("t1", 1, &[]), one("t2", 2, &["-DANSWER=9"]));
    for compiler in COMPILERS {
        let outcome =
            run(compiler, |run| run.env("CONTROL", "7").further(&[&one("ends", 3, &[]), &candidate("deaf", &[])]));
        assert_eq!(number(counts(&outcome, "ends"), "regions"), 10, "inside its callback: after two of three rounds");
        assert!(!outcome.stderr.contains("after the finaliser"), "what it registered late is told: {}", outcome.stderr);
        assert_eq!(said(&outcome, "deaf").last(), Some(&"finalize after 15 regions, data its own"));
        let outcome = run(compiler, |run| run.env("CONTROL", "8").further(&[&first, &last]));
        assert!(outcome.stdout.contains("control 9\n"), "the first has ignored the command: {}", outcome.stdout);
    }
}

#[test]
fn signal_handler_of_one_of_several_tools_sees_its_own_words() {
    let (sampler, other) = (workshop().tool("sampler", &[]), one("t1", 1, &[]));
    for compiler in COMPILERS {
        for tools in [[&sampler, &other], [&other, &sampler]] {
            let workshop = workshop();
            let program = workshop.program("ev_several", compiler, &[]);
            let file = workshop.scratch.join(format!("samples-{}-{}", compiler.name(), std::process::id()));
            let run = workshop.command(&program).args(&["40"]).env("OMP_NUM_THREADS", "4");
            let run = run.env("SAMPLING_HZ", "10000").env("SAMPLING_OUT", &file);
            let outcome = run.further(&tools.map(PathBuf::as_path)).finish();
            let samples = std::fs::read_to_string(&file).unwrap_or_default();
            std::fs::remove_file(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
            let count = samples.split_whitespace().find_map(|word| word.parse::<u32>().ok());
            assert!(count.is_some_and(|count| count > 10) && !samples.contains("fault"), "{samples}");
            counts(&outcome, "t1");
        }
    }
}

#[test]
fn tool_that_ends_itself_outside_of_regions_hears_the_ends_first() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let program = workshop.program("end_outside", compiler, &[]);
        let journal = workshop.scratch.join(format!("several-{}-{}", compiler.name(), std::process::id()));
        let run = workshop.command(&program).env("OMP_NUM_THREADS", "3").env("JOURNAL", &journal);
        let outcome = run.preload(&workshop.tool("journal", &[])).further(&[&one("other", 2, &[])]).finish();
        let text = std::fs::read_to_string(&journal).expect("a journal");
        std::fs::remove_file(&journal).expect("it can be removed");
        let count = |word: &str| text.lines().filter(|line| line.contains(word)).count();
        assert_eq!((count("thread_begin"), count("thread_end"), count("late")), (3, 3, 0), "{text}");
        assert!(text.lines().last().is_some_and(|line| line.contains("finalize")), "{text}");
        let other = counts(&outcome, "other");
        assert_eq!(number(other, "threads"), number(other, "ends"), "{other}");
    }
}

#[test]
fn control_command_without_a_callback_says_so() {
    let deaf = [one("t1", 1, &["-DDEAF"]), one("t2", 2, &["-DDEAF"])];
    let outcome = run(Compiler::Clang, |run| run.env("CONTROL", "3").further(&[&deaf[0], &deaf[1]]));
    assert!(outcome.stdout.contains("control -1\n"), "{}", outcome.stdout);
    let ignoring = [one("t3", 3, &[]), one("t4", 4, &[])];
    let outcome = run(Compiler::Clang, |run| run.env("CONTROL", "3").further(&[&ignoring[0], &ignoring[1]]));
    assert!(outcome.stdout.contains("control 1\n"), "{}", outcome.stdout);
}

#[test]
fn library_that_is_named_twice_is_one_tool() {
    let (first, second) = (one("t1", 1, &[]), one("t2", 2, &[]));
    let outcome = run(Compiler::Clang, |run| run.further(&[&first, &second, &first]));
    assert_eq!(said(&outcome, "t1").len(), 1, "{}", outcome.stderr);
    assert_eq!(counts(&outcome, "t1"), counts(&outcome, "t2"));
    let lines = complaints(&outcome);
    assert!(
        lines.len() == 1 && lines[0].contains(&first.display().to_string()) && lines[0].contains("active already"),
        "{lines:?}"
    );
    let workshop = workshop();
    let program = workshop.program("plain", Compiler::Clang, &[]);
    let run = || workshop.command(&program).further(&[&first]);
    for run in [run().preload(&first), run().libraries(&[&first])] {
        let outcome = run.finish();
        assert_eq!((said(&outcome, "t1").len(), complaints(&outcome).len()), (1, 1), "{}", outcome.stderr);
    }
}

#[test]
fn copy_of_a_library_is_a_tool_of_its_own() {
    let tool = one("t1", 1, &[]);
    let copy = workshop().scratch.join(format!("copy-{}.so", std::process::id()));
    std::fs::copy(&tool, &copy).expect("scratch can be written");
    let outcome = run(Compiler::Clang, |run| run.further(&[&tool, &copy]));
    std::fs::remove_file(&copy).expect("the copy can be removed");
    assert_eq!(said(&outcome, "t1").len(), 2, "{}", outcome.stderr);
    counts(&outcome, "t1");
}

#[test]
fn more_than_eight_tools_cost_one_line_each() {
    let tools: Vec<PathBuf> = (0..10).map(|number| candidate(&format!("n{number}"), &[])).collect();
    let tools: Vec<&Path> = tools.iter().map(PathBuf::as_path).collect();
    let outcome = run(Compiler::Clang, |run| run.further(&tools));
    for number in 0..10 {
        let ends =
            said(&outcome, &format!("n{number}")).iter().filter(|line| line.starts_with("finalize after 15")).count();
        assert_eq!(ends, usize::from(number < 8), "{}", outcome.stderr);
    }
    let lines = complaints(&outcome);
    assert!(lines.len() == 2 && lines.iter().all(|line| line.contains("8 tools at most")), "{lines:?}");
}

#[test]
fn search_for_further_tools_is_narrated() {
    let tool = candidate("good", &[]);
    let outcome = run(Compiler::Clang, |run| {
        run.env("OMP_TOOL_VERBOSE_INIT", "stdout").further(&[
            Path::new("/nowhere/libtool.so"),
            &candidate("no", &["-DREFUSE"]),
            &tool,
        ])
    });
    for words in [
        "FERROMP_TOOLS = /nowhere/libtool.so:",
        "Opening /nowhere/libtool.so... Failed: ",
        "Tool was started, but declined to be active.",
        &format!("{}: Tool was started and is using the OMPT interface.", tool.display()),
    ] {
        assert!(outcome.stdout.contains(words), "`{words}` is not in the narration:\n{}", outcome.stdout);
    }
}
