//! Tools that do what a tool should not do, alone and beside a good one: none hangs the program or changes what it
//! computes, and what ends it says which tool that was. The tools and programs lie in `tools/`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::journal::COMPILERS;
use ferromp_conformance::run::{Ending, Outcome};
use ferromp_conformance::tools::{Run, Workshop};

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

fn hostile() -> PathBuf {
    workshop().tool("hostile.cpp", &["-fopenmp"])
}

/// A tool that counts errors.
fn good() -> PathBuf {
    workshop().tool("one_of_several", &["-DNAME=good", "-DMARK=5"])
}

/// The ways in which the hostile tool comes into a process.
fn ways() -> [Vec<PathBuf>; 3] {
    [vec![hostile()], vec![good(), hostile()], vec![hostile(), good()]]
}

/// Prepares a run of the program with every construct under these tools.
fn prepare<'a>(workshop: &'a Workshop, compiler: Compiler, tools: &[PathBuf], what: &str, place: &str) -> Run<'a> {
    prepare_program(workshop, "ev_several", compiler, tools, what, place).args(&["2"])
}

/// Prepares a run of a program under these tools.
fn prepare_program<'a>(
    workshop: &'a Workshop,
    name: &str,
    compiler: Compiler,
    tools: &[PathBuf],
    what: &str,
    place: &str,
) -> Run<'a> {
    let program = workshop.program(name, compiler, &[]);
    let tools: Vec<&Path> = tools.iter().map(PathBuf::as_path).collect();
    let run = workshop.command(&program).env("OMP_NUM_THREADS", "4");
    run.env("HOSTILE", what).env("HOSTILE_AT", place).further(&tools)
}

fn lines<'a>(outcome: &'a Outcome, of: &str) -> Vec<&'a str> {
    outcome.stderr.lines().filter(|line| line.starts_with(of)).collect()
}

/// The program's result is right, the tool received nothing after its end, and the good tool saw no error.
fn assert_contained(outcome: &Outcome, tools: &[PathBuf], what: &str) {
    assert!(outcome.stdout.ends_with("done 1\n"), "{what}: {}", outcome.stdout);
    let finalized = lines(outcome, "hostile: finalized");
    assert!(finalized.len() == 1 && finalized[0].ends_with("late 0"), "{what}: {}", outcome.stderr);
    assert!(lines(outcome, "ferromp: ").is_empty(), "{what}: {}", outcome.stderr);
    if tools.len() > 1 {
        let good = lines(outcome, "good: finalize: wrong 0, threads ");
        assert_eq!(good.len(), 1, "{what}: {}", outcome.stderr);
    }
}

/// Runs it in every way, at these places, with both compilers; the tool has nothing to complain of.
fn assert_harmless(what: &str, places: &[&str]) {
    let workshop = workshop();
    for tools in ways() {
        for compiler in COMPILERS {
            for place in places {
                let outcome = prepare(&workshop, compiler, &tools, what, place).finish();
                let what = format!("{what} at {place}, {} tools, {}", tools.len(), compiler.name());
                assert_contained(&outcome, &tools, &what);
                assert_eq!(lines(&outcome, "hostile: ").len(), 1, "{what}: {}", outcome.stderr);
            }
        }
    }
}

/// Every event, and the functions around them.
const EVERYWHERE: [&str; 3] = ["0", "initialize", "finalize"];

#[test]
fn tool_that_calls_every_routine_and_locks_in_its_callbacks() {
    assert_harmless("omp", &EVERYWHERE);
}

#[test]
fn parallel_regions_in_callbacks_are_no_events() {
    assert_harmless("region", &EVERYWHERE);
}

#[test]
fn tasks_in_callbacks_are_executed_at_once() {
    assert_harmless("task", &EVERYWHERE);
}

/// The callback may be what holds up the task that they would wait for: that of `task_dependence` (19) comes before the
/// source can complete.
#[test]
fn tasks_in_callbacks_wait_for_no_task_of_the_program() {
    let workshop = workshop();
    for tools in ways() {
        for compiler in COMPILERS {
            for (what, place) in [("depend", "19"), ("depend", "0"), ("task", "19")] {
                let outcome = prepare_program(&workshop, "task_chain", compiler, &tools, what, place).finish();
                let said = lines(&outcome, "hostile: ");
                let tools = tools.len();
                let what = format!(
                    "{what} at {place}, {tools} tools, {}: {:?}, {}",
                    compiler.name(),
                    outcome.ending,
                    outcome.stderr
                );
                assert!(said.len() == 1 && said[0].starts_with("hostile: finalized"), "{what}");
                assert!(matches!(outcome.ending, Ending::Exited(0)), "{what}");
            }
        }
    }
}

#[test]
fn leagues_in_callbacks_are_no_events() {
    assert_harmless("teams", &EVERYWHERE);
}

#[test]
fn tool_that_sleeps_in_its_callbacks() {
    assert_harmless("sleep", &["7", "6", "23", "2", "initialize", "finalize"]);
}

#[test]
fn tool_that_unregisters_its_callbacks_inside_one() {
    assert_harmless("unregister", &["1:1", "1:3", "3:2", "7:3", "5:4", "6:9", "2:1"]);
}

#[test]
fn tool_that_ends_itself_inside_a_callback() {
    assert_harmless(
        "finalize",
        &["1:1", "1:3", "3:2", "4:1", "7:3", "5:4", "6:9", "16:3", "20:2", "2:1", "0", "initialize"],
    );
}

#[test]
fn callbacks_for_events_that_do_not_exist() {
    assert_harmless("garbage", &["none"]);
}

#[test]
fn thread_of_the_tools_own_asks_everything() {
    assert_harmless("thread", &["none"]);
}

#[test]
fn tool_that_closes_its_own_library_stays_loaded() {
    assert_harmless("close", &["1:1", "3:2", "7:3", "5:1", "initialize"]);
}

#[test]
fn tool_that_forks_in_a_callback() {
    assert_harmless(
        "fork",
        &["1:1", "1:2", "3:1", "4:1", "7:2", "7:4", "5:1", "6:3", "23:2", "16:1", "20:1", "2:1", "initialize"],
    );
}

#[test]
fn child_that_a_tool_forks_in_a_callback_can_end_as_others_do() {
    let workshop = workshop();
    for tools in ways() {
        for compiler in COMPILERS {
            for place in ["1:1", "1:2", "3:1", "7:2", "7:4", "5:1", "6:3", "23:2", "20:1"] {
                let outcome = prepare(&workshop, compiler, &tools, "fork_and_exit", place).finish();
                assert!(outcome.stdout.ends_with("done 1\n"), "{place}: {}", outcome.stdout);
                assert!(!outcome.stderr.contains("bad child"), "{place}: {}", outcome.stderr);
            }
        }
    }
}

#[test]
fn control_commands_from_callbacks_are_ignored() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let outcome = prepare(&workshop, compiler, &[hostile()], "control", "0").finish();
        assert_contained(&outcome, &[hostile()], "control");
        let (all, ignored) = (lines(&outcome, "hostile: control"), lines(&outcome, "hostile: control 1"));
        assert!(!all.is_empty() && all.len() == ignored.len(), "{}", outcome.stderr);
    }
}

#[test]
fn null_in_the_place_of_the_initialiser_the_finaliser_or_both() {
    let workshop = workshop();
    for tools in ways() {
        for (what, complaints) in [("null_initialize", 1), ("null_finalize", 0), ("null_result", 0), ("decline", 0)] {
            let outcome = prepare(&workshop, Compiler::Clang, &tools, what, "none").finish();
            assert!(outcome.stdout.ends_with("done 1\n"), "{what}: {}", outcome.stdout);
            assert_eq!(lines(&outcome, "hostile: "), [""; 0], "{what}");
            let said = lines(&outcome, "ferromp: ");
            assert!(
                said.len() == complaints && said.iter().all(|line| line.contains("has no initialiser")),
                "{what}: {said:?}"
            );
            let good = lines(&outcome, "good: finalize: wrong 0");
            assert_eq!(good.len(), tools.len() - 1, "{what}: {}", outcome.stderr);
        }
    }
}

#[test]
fn tool_that_exits_ends_the_process() {
    let workshop = workshop();
    for tools in ways() {
        for compiler in COMPILERS {
            for place in ["start", "initialize", "finalize", "1:2", "3:2", "7:3", "6:5", "2:1"] {
                let begun = Instant::now();
                let outcome = prepare(&workshop, compiler, &tools, "exit", place).finish_with(17);
                assert!(begun.elapsed() < Duration::from_secs(20), "{place} took {:?}", begun.elapsed());
                assert!(lines(&outcome, "hostile: finalized").len() <= 1, "{place}: {}", outcome.stderr);
            }
        }
    }
}

/// Functions and events on the primary thread and on workers.
const PLACES: [&str; 12] =
    ["start", "initialize", "finalize", "1:1", "1:2", "3:1", "7:2", "7:4", "5:1", "6:2", "23:2", "2:1"];

fn is_abort(ending: &Ending) -> bool {
    matches!(ending, Ending::Signalled(libc::SIGABRT))
}

#[test]
fn thread_that_a_tool_ends_ends_the_process_with_one_line() {
    let workshop = workshop();
    for tools in ways() {
        for compiler in COMPILERS {
            for place in PLACES {
                let outcome = prepare(&workshop, compiler, &tools, "pthread_exit", place).finish_as(is_abort);
                assert_names_the_tool(&outcome, place);
            }
        }
    }
}

/// One line says which tool it was.
fn assert_names_the_tool(outcome: &Outcome, place: &str) {
    let said = lines(outcome, "ferromp: ");
    let name = hostile().display().to_string();
    assert!(
        said.len() == 1 && said[0].contains(&name) && said[0].contains("by an exception"),
        "{place}: {}",
        outcome.stderr
    );
}

#[test]
fn exception_of_a_tool_ends_the_process() {
    let workshop = workshop();
    for tools in ways() {
        for place in PLACES {
            // Nobody catches it: the language's runtime says what it is.
            let outcome = prepare(&workshop, Compiler::Clang, &tools, "throw", place).finish_as(is_abort);
            assert!(outcome.stderr.contains("what():  hostile"), "{place}: {}", outcome.stderr);
        }
    }
}

#[test]
fn exception_of_a_tool_does_not_come_to_the_program() {
    let workshop = workshop();
    for tools in ways() {
        let tools: Vec<&Path> = tools.iter().map(PathBuf::as_path).collect();
        // Its compiler knows that gcc's routines throw nothing, and that regions do not.
        let program = workshop.program("catches.cpp", Compiler::Clang, &[]);
        for place in ["start", "initialize", "1:1", "24:1", "26:1", "27:1", "17:1"] {
            let run = workshop.command(&program).env("HOSTILE", "throw").env("HOSTILE_AT", place);
            let outcome = run.further(&tools).finish_as(is_abort);
            assert_eq!(outcome.stdout, "", "{place}");
            // Either runtime may be the one that ends it.
            let said = ["what():  hostile", "by an exception"].iter().any(|words| outcome.stderr.contains(words));
            assert!(said, "{place}: {}", outcome.stderr);
        }
    }
}

/// A library that cannot be used costs one line that names it, in either variable, and the good tool is used.
fn assert_passed_over(bad: &Path, why: &str) {
    let (workshop, good) = (workshop(), good());
    let program = workshop.program("plain", Compiler::Clang, &[]);
    let named = || workshop.command(&program).libraries(&[bad, &good]);
    let further = || workshop.command(&program).further(&[bad, &good]);
    for (run, variable) in [(named(), "OMP_TOOL_LIBRARIES"), (further(), "FERROMP_TOOLS")] {
        let outcome = run.finish();
        assert_eq!(lines(&outcome, "good: finalize: wrong 0").len(), 1, "{}", outcome.stderr);
        let said = lines(&outcome, "ferromp: ");
        let wanted = format!("ferromp: {variable}: {} is not a tool: ", bad.display());
        assert!(
            said.len() == 1 && said[0].starts_with(&wanted) && said[0].contains(why),
            "{bad:?}: {}",
            outcome.stderr
        );
    }
}

/// A file in the scratch folder that is made by `make` and removed at the end.
fn with_file(name: &str, make: impl Fn(&Path), test: impl Fn(&Path)) {
    let folder = workshop().scratch;
    std::fs::create_dir_all(&folder).expect("scratch can be written");
    let file = folder.join(format!("{name}-{}", std::process::id()));
    make(&file);
    test(&file);
    std::fs::remove_file(&file).expect("it can be removed");
}

#[test]
fn library_of_another_architecture_is_passed_over() {
    let foreign = |file: &Path| {
        let mut bytes = std::fs::read(good()).expect("a library");
        // e_machine: EM_AARCH64.
        bytes[18..20].copy_from_slice(&183_u16.to_le_bytes());
        std::fs::write(file, bytes).expect("scratch can be written");
    };
    with_file("aarch64.so", foreign, |file| assert_passed_over(file, ""));
    let narrow = |file: &Path| {
        let mut bytes = std::fs::read(good()).expect("a library");
        // ELFCLASS32.
        bytes[4] = 1;
        std::fs::write(file, bytes).expect("scratch can be written");
    };
    with_file("i386.so", narrow, |file| assert_passed_over(file, "ELFCLASS32"));
}

#[test]
fn library_that_breaks_off_is_passed_over() {
    for length in [0, 10, 64, 1000] {
        let half = |file: &Path| {
            let bytes = std::fs::read(good()).expect("a library");
            std::fs::write(file, &bytes[..length]).expect("scratch can be written");
        };
        with_file(&format!("half-{length}.so"), half, |file| assert_passed_over(file, ""));
    }
}

#[test]
fn pipe_is_passed_over_without_waiting_for_a_writer() {
    use std::os::unix::ffi::OsStrExt;
    let pipe = |file: &Path| {
        let name = std::ffi::CString::new(file.as_os_str().as_bytes()).expect("a name");
        // SAFETY: the name is a C string.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    };
    with_file("pipe.so", pipe, |file| assert_passed_over(file, "not a regular file"));
}

#[test]
fn what_is_no_file_is_passed_over() {
    assert_passed_over(Path::new("/dev/null"), "not a regular file");
    assert_passed_over(Path::new("/tmp"), "a folder");
    assert_passed_over(Path::new("libno-such-tool-anywhere.so"), "cannot open shared object file");
    assert_passed_over(Path::new("/nowhere/tool.so"), "cannot open shared object file");
    assert_passed_over(Path::new("/bin/true"), "");
}

#[test]
fn unreadable_library_is_passed_over() {
    use std::os::unix::fs::PermissionsExt;
    // SAFETY: takes no arguments.
    if unsafe { libc::geteuid() } == 0 {
        // Nothing is unreadable for root.
        return;
    }
    let closed = |file: &Path| {
        std::fs::copy(good(), file).expect("scratch can be written");
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o0)).expect("it is ours");
    };
    with_file("closed.so", closed, |file| assert_passed_over(file, "ermission denied"));
}

#[test]
fn relative_path_and_bare_name_are_found_as_the_loader_finds_them() {
    let (workshop, good) = (workshop(), good());
    let program = workshop.program("plain", Compiler::Clang, &[]);
    let (folder, name) = (good.parent().expect("a folder"), good.file_name().expect("a name"));
    let relative = Path::new(".").join(name);
    let path = format!("{}:{}", workshop.lib.display(), folder.display());
    let bare = workshop.command(&program).env("LD_LIBRARY_PATH", path).further(&[Path::new(name)]);
    for run in [workshop.command(&program).within(folder).further(&[&relative]), bare] {
        assert_eq!(lines(&run.finish(), "good: finalize: wrong 0").len(), 1);
    }
}

#[test]
fn empty_elements_of_the_list_are_no_tools() {
    let (workshop, good) = (workshop(), good());
    let program = workshop.program("plain", Compiler::Clang, &[]);
    for list in ["", ":", "::::"] {
        assert_eq!(workshop.command(&program).env("FERROMP_TOOLS", list).finish().stderr, "");
    }
    let outcome = workshop.command(&program).env("FERROMP_TOOLS", format!("::{}::", good.display())).finish();
    assert_eq!(outcome.stderr.lines().count(), 1, "{}", outcome.stderr);
}

#[test]
fn second_ompt_start_tool_of_the_process_is_not_asked() {
    // One in the program, one in a library that is preloaded, one in a library that is named.
    let workshop = workshop();
    let program = workshop.program("plain", Compiler::Clang, &["-DLINKED", "-DNAME=linked"]);
    let run = workshop.command(&program).preload(&hostile()).libraries(&[&good()]);
    let outcome = run.finish();
    assert_eq!(lines(&outcome, "linked: finalize after 3 regions").len(), 1, "{}", outcome.stderr);
    assert!(lines(&outcome, "hostile: ").is_empty() && lines(&outcome, "good: ").is_empty(), "{}", outcome.stderr);
}

#[test]
fn nothing_is_loaded_that_nobody_asked_for() {
    let workshop = workshop();
    for compiler in COMPILERS {
        let program = workshop.program("maps", compiler, &[]);
        let outcome = workshop.command(&program).finish();
        assert_eq!(outcome.stderr, "");
        let mut libraries: Vec<&str> = outcome.stdout.lines().filter_map(|path| path.rsplit('/').next()).collect();
        libraries.retain(|name| {
            !["maps-", "libferromp", "ld-linux", "libc.so", "libm.so", "libgcc_s.so"]
                .iter()
                .any(|known| name.starts_with(known))
        });
        // What a compiler adds to any OpenMP program, which the C library contains nowadays.
        libraries.retain(|name| !["libpthread.so", "libdl.so", "librt.so"].iter().any(|known| name.starts_with(known)));
        assert_eq!(libraries, [""; 0]);
    }
}
