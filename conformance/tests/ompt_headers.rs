//! Tools that were compiled with the headers of OpenMP 5.0, 5.1, 5.2 and 6.0, and with a draft's names, on one runtime:
//! each registers the events of its version, and receives them in that version's form. The tools declare their types
//! themselves (`tools/header_*.c`).

use std::collections::BTreeMap;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::COMPILERS;
use ferromp_conformance::tools::{Workshop, sources};

/// What a tool has seen, by name, in the program of that compiler. It must have found nothing wrong.
fn seen(tool: &str, version: &str, compiler: Compiler) -> BTreeMap<String, u64> {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let program = workshop.program("header_program", compiler, &[]);
    let library = workshop.tool(tool, &[]);
    let run = workshop.command(&program).env("OMP_NUM_THREADS", "2").env("FERROMP_HOST_DEVICES", "1");
    let outcome = run.libraries(&[&library]).finish();
    let mine: Vec<&str> =
        outcome.stderr.lines().filter_map(|line| line.strip_prefix(version)?.strip_prefix(": ")).collect();
    assert_eq!(mine.last(), Some(&"faults 0"), "{tool}, {}: {}", compiler.name(), outcome.stderr);
    let counts = mine.iter().filter_map(|line| line.strip_prefix("seen ")?.rsplit_once(' '));
    counts.map(|(name, count)| (name.to_owned(), count.parse().expect("a number"))).collect()
}

/// Each of these was seen.
fn has(seen: &BTreeMap<String, u64>, names: &[&str]) {
    for name in names {
        assert!(seen.contains_key(*name), "no {name} in {seen:?}");
    }
}

const ALL: [Compiler; 3] = [COMPILERS[0], COMPILERS[1], Compiler::Offload];

#[test]
fn tool_of_5_0_is_told_in_its_own_form() {
    for compiler in ALL {
        let seen = seen("header_50", "5.0", compiler);
        has(&seen, &["parallel_begin", "explicit task", "dependences", "taskwait"]);
        if compiler != Compiler::Clang {
            // Without device code clang makes the region a part of the program.
            has(&seen, &["target", "target task"]);
        }
        assert_eq!(seen["explicit task"], 1, "{seen:?}");
        // Loops have kinds of 5.2; what a compiler expands is not seen.
        has(&seen, &["later work"]);
        assert_eq!(seen.contains_key("master"), compiler != Compiler::Gcc, "{seen:?}");
        assert_eq!(seen.contains_key("submit"), compiler == Compiler::Offload, "{seen:?}");
    }
}

#[test]
fn tool_of_5_1_is_told_in_its_own_form() {
    for compiler in ALL {
        let seen = seen("header_51", "5.1", compiler);
        has(&seen, &["taskwait", "barrier of parallel", "error"]);
        assert_eq!(seen.contains_key("target"), compiler != Compiler::Clang, "{seen:?}");
        assert_eq!(seen["error"], 1, "{seen:?}");
        if compiler == Compiler::Offload {
            has(&seen, &["target data", "data_op", "submit", "map", "map with later flags"]);
            assert_eq!(seen["submit"], 2, "{seen:?}");
        }
    }
}

#[test]
fn tool_of_5_2_is_told_schedules_chunks_and_modifiers() {
    for compiler in ALL {
        let seen = seen("header_52", "5.2", compiler);
        has(&seen, &["dynamic loop", "chunk"]);
        assert_eq!(seen["dynamic loop"], 2, "{seen:?}");
        assert_eq!(seen.get("static loop").copied(), (compiler != Compiler::Gcc).then_some(2), "{seen:?}");
        assert_eq!(seen.get("map with modifiers").copied(), (compiler == Compiler::Offload).then_some(1), "{seen:?}");
        assert!(!seen.contains_key("map with some"), "{seen:?}");
    }
}

#[test]
fn tool_of_6_0_reads_records_by_their_new_names() {
    for compiler in ALL {
        let seen = seen("header_60", "6.0", compiler);
        has(&seen, &["ompt_state_work_free_agent", "ompt_state_work_induction", "task"]);
        if compiler == Compiler::Offload {
            has(&seen, &["device", "data_op", "record of target_emi", "record of target_data_op_emi"]);
            assert_eq!(seen["record of target_submit_emi"], 1, "{seen:?}");
        }
    }
}

#[test]
fn tool_with_a_drafts_names_works() {
    for compiler in ALL {
        let seen = seen("header_draft", "draft", compiler);
        has(&seen, &["thread_begin", "parallel_begin", "task_dependences", "complete", "work", "taskwait", "barrier"]);
    }
}

/// Several of them at once: none receives another one's form.
#[test]
fn tools_of_all_versions_look_at_one_run() {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let program = workshop.program("header_program", Compiler::Offload, &[]);
    let tools = ["header_50", "header_51", "header_52", "header_60"].map(|name| workshop.tool(name, &[]));
    let run = workshop.command(&program).env("OMP_NUM_THREADS", "2").env("FERROMP_HOST_DEVICES", "1");
    let outcome = run.further(&tools.each_ref().map(|path| path.as_path())).finish();
    for version in ["5.0", "5.1", "5.2", "6.0"] {
        assert!(
            outcome.stderr.lines().any(|line| line == format!("{version}: faults 0")),
            "{version}: {}",
            outcome.stderr
        );
    }
}

#[test]
fn every_name_of_the_draft_header_stands_for_one_of_the_header() {
    let folder = sources().join("../../crates/ompt/include");
    let text = std::fs::read_to_string(folder.join("omp-tools-draft.h")).expect("it lies there");
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("#define ")?.split(' ').next()).collect();
    let states = names.iter().filter(|name| name.starts_with("omp_state_")).count();
    // The states that the draft and OpenMP 5.1 both have: those of 5.1 without two barriers.
    assert_eq!(states, 21, "{names:?}");
    let mut program = String::from("#include <omp-tools-draft.h>\nlong values[] = {\n");
    for name in names.iter().filter(|name| name.starts_with("omp")) {
        program += &format!("  (long)({name}),\n");
    }
    program += "};\nint main(void) { return sizeof values == 0; }\n";
    for (compiler, language) in [("clang-19", "c"), ("clang-19", "c++"), ("gcc", "c"), ("gcc", "c++")] {
        let source = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("draft_names.c");
        std::fs::write(&source, &program).expect("the test's folder is writable");
        let output = std::process::Command::new(compiler)
            .args(["-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
            .args([&folder, &source])
            .output()
            .expect("the compiler is there");
        assert!(output.status.success(), "{compiler} as {language}:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}
