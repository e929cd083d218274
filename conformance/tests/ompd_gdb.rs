//! gdb with the plug-in, session by session: programs that it starts, that hang, and that left a core file. What the
//! commands say is pinned in `snapshots/`, for gcc and clang; the programs lie in `gdb/`.

mod gdb;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use ferromp_conformance::compile::Compiler;
use gdb::{Hung, Session, compiled};

/// Both compilers, with the names of their snapshots.
const COMPILERS: [(Compiler, &str); 2] = [(Compiler::Gcc, "gcc"), (Compiler::Clang, "clang")];

/// Compares with `snapshots/ompd_gdb__NAME-COMPILER.snap`.
fn pin(name: &str, compiler: &str, said: &str) {
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!(format!("ompd_gdb__{name}-{compiler}"), said);
    });
}

/// Pins a session of each compiler's form of a program that gdb starts and stops at `stop`.
fn pin_stopped(name: &str, program: &str, stop: &str, commands: &[&str]) {
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::new(&compiled(program, compiler));
        session.hidden(&["ompd init", &format!("break {stop}"), "continue", "info threads"]).shown(commands);
        pin(name, its_name, &session.run());
    }
}

#[test]
fn regions_within_regions() {
    let commands = ["ompd threads", "ompd parallel", "ompd states", "ompd bt", "ompd bt on", "bt", "ompd bt off"];
    pin_stopped("nested", "nested", "nested.c:stop", &[&commands[..], &["ompd bt on continued", "bt 3"]].concat());
}

#[test]
fn tasks_in_every_condition() {
    pin_stopped("tasks", "tasks", "open_gate", &["ompd tasks", "ompd tasks all", "ompd bt", "ompd parallel"]);
}

#[test]
fn regions_on_a_device() {
    let mut session = Session::new(&compiled("target", Compiler::Offload));
    session.hidden(&["ompd init", "break target.c:11", "continue", "info threads"]);
    session.shown(&["ompd threads", "ompd parallel", "ompd bt", "ompd icvs device"]);
    pin("target", "offload", &session.run());
}

#[test]
fn variables_of_each_scope() {
    pin_stopped("icvs", "nested", "nested.c:stop", &["ompd icvs levels", "ompd icvs nthreads", "ompd icvs nonsense"]);
}

#[test]
fn a_deadlock_is_explained_in_a_process_that_hangs() {
    for (compiler, its_name) in COMPILERS {
        let hung = Hung::start(&compiled("crosswise", compiler), 2);
        let mut session = Session::attached(&hung);
        session
            .hidden(&["info threads"])
            .shown(&["ompd parallel", "ompd locks"])
            .hidden(&["thread 2"])
            .shown(&["ompd bt"]);
        pin("crosswise", its_name, &session.run());
    }
}

#[test]
fn a_missed_barrier_is_explained_in_a_process_that_hangs() {
    for (compiler, its_name) in COMPILERS {
        let hung = Hung::start(&compiled("missed", compiler), 4);
        let mut session = Session::attached(&hung);
        session.hidden(&["info threads"]).shown(&["ompd parallel", "ompd threads"]);
        pin("missed", its_name, &session.run());
    }
}

#[test]
fn a_thread_that_left_barriers_out_is_told_from_those_that_wait_for_it() {
    for (compiler, its_name) in COMPILERS {
        let hung = Hung::start(&compiled("skipped", compiler), 4);
        let mut session = Session::attached(&hung);
        pin("skipped", its_name, &session.hidden(&["info threads"]).shown(&["ompd parallel"]).run());
    }
}

#[test]
fn who_waits_at_the_end_of_a_region_waits_for_those_that_have_not_come() {
    for (compiler, its_name) in COMPILERS {
        let hung = Hung::start(&compiled("kept", compiler), 3);
        pin("kept", its_name, &Session::attached(&hung).hidden(&["info threads"]).shown(&["ompd parallel"]).run());
    }
}

#[test]
fn threads_that_leave_a_region_together_do_not_miss_each_other() {
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::new(&compiled("leaving", compiler));
        session.hidden(&["handle SIGALRM stop", "ompd init", "break leaving.c:stop", "continue"]);
        session.hidden(&["set scheduler-locking on", "continue"]);
        pin("leaving", its_name, &session.hidden(&["info threads"]).shown(&["ompd parallel"]).run());
    }
}

#[test]
fn threads_of_a_cancelled_region_need_not_come_to_its_barriers() {
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::new(&compiled("cancelled", compiler));
        session.hidden(&["set environment OMP_CANCELLATION true", "ompd init", "break cancelled.c:stop", "continue"]);
        pin("cancelled", its_name, &session.hidden(&["info threads"]).shown(&["ompd parallel"]).run());
    }
}

#[test]
fn a_region_is_named_by_its_code_where_another_function_is_inlined_into_its_first_lines() {
    for (compiler, its_name) in COMPILERS {
        let hung = Hung::start(&gdb::compiled_with("inlined", compiler, &["-O2"]), 2);
        let said = Session::attached(&hung).hidden(&["info threads"]).shown(&["ompd parallel"]).run();
        assert!(
            said.contains(&format!("its code: main.{}", if its_name == "gcc" { "_omp_fn.0" } else { "omp_outlined" })),
            "{said}"
        );
    }
}

#[test]
fn mutexes_of_each_kind_are_named_with_their_owners() {
    for (program, threads) in [("held", 3), ("criticals", 2), ("turns", 4)] {
        for (compiler, its_name) in COMPILERS {
            let hung = Hung::start(&compiled(program, compiler), threads);
            let mut session = Session::attached(&hung);
            pin(program, its_name, &session.hidden(&["info threads"]).shown(&["ompd parallel", "ompd locks"]).run());
        }
    }
}

#[test]
fn a_program_that_is_run_again_is_looked_into_again() {
    let mut session = Session::new(&compiled("four", Compiler::Gcc));
    let stop = ["break four.c:stop", "continue", "info threads"];
    session.hidden(&["ompd init"]).hidden(&stop).shown(&["ompd tasks"]).hidden(&["kill", "run", "info threads"]);
    let said = session.shown(&["ompd tasks"]).run();
    let (first, second) = said.split_at(said.len() / 2);
    assert_eq!(first, second);
    assert!(first.contains("running"), "{first}");
}

#[test]
fn a_core_file_tells_what_the_process_told() {
    for (compiler, its_name) in COMPILERS {
        let program = compiled("crosswise", compiler);
        let hung = Hung::start(&program, 2);
        let core = gdb::core_of(&hung, &format!("crosswise-{its_name}"));
        let commands =
            ["ompd init", "ompd parallel", "ompd threads", "ompd tasks all", "ompd icvs dyn", "ompd bt", "ompd step"];
        let live = Session::attached(&hung).hidden(&["info threads"]).shown(&commands[..6]).run();
        drop(hung);
        let dead = Session::of_core(&program, &core).hidden(&["info threads"]).shown(&commands).run();
        let _ = std::fs::remove_file(core);
        let (same, step) = dead.split_at(dead.find("(gdb) ompd step").expect("the last command"));
        assert_eq!(same, live, "{its_name}");
        assert_eq!(step, "(gdb) ompd step\nompd: a core file cannot be stepped\n");
    }
}

#[test]
fn steps_stay_in_the_program() {
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::new(&compiled("steps", compiler));
        // clang puts functions between region and program; behind the last step lies the C library.
        let steps = if compiler == Compiler::Gcc { 7 } else { 12 };
        session.hidden(&["ompd init"]).shown(&["ompd step"; 12][..steps]);
        pin("steps", its_name, &session.run());
    }
}

#[test]
fn steps_go_through_target_regions() {
    for options in [["-O0"], ["-O1"]] {
        let mut session = Session::new(&gdb::compiled_with("host", Compiler::Gcc, &options));
        session.hidden(&["ompd init", "break host.c:8", "continue", "delete"]);
        let said = session.shown(&["ompd step"; 9]).run();
        assert!(!said.contains("libgomp"), "{options:?}: {said}");
        let lines: Vec<&str> =
            said.lines().filter_map(|line| line.split_once('\t').map(|(number, _)| number)).collect();
        let inside: Vec<&str> = lines.iter().copied().filter(|number| ["8", "9", "11"].contains(number)).collect();
        assert_eq!(inside[..5], ["9", "11", "8", "9", "11"], "{options:?}: {said}");
    }
}

#[test]
fn a_step_of_a_thread_that_waits_ends_behind_what_it_waited_for() {
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::new(&compiled("late", compiler));
        session.hidden(&["ompd init", "break late.c:stop", "continue", "delete", "thread 1"]);
        let said = session.shown(&["ompd step", "ompd bt 1"]).run();
        assert!(said.contains("at late.c:19"), "{its_name}: {said}");
        let own = ["crates/runtime", "crates/settings", "crates/ground"];
        assert!(!own.iter().any(|path| said.contains(path)), "{its_name}: {said}");
    }
}

#[test]
fn a_hundred_thousand_tasks_are_listed_within_seconds() {
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::new(&compiled("many", compiler));
        // By default a thread that has queued some executes further ones where it makes them.
        session.hidden(&["set environment KMP_ENABLE_TASK_THROTTLING 0"]);
        session.hidden(&["ompd init", "break full", "continue", "info threads"]);
        session.shown(&["ompd tasks"]).timed("ompd tasks all");
        let said = session.run();
        let (counted, timed) = said.split_at(said.find("seconds: ").expect("the time of the last command"));
        pin("many", its_name, counted);
        let seconds: f64 =
            timed["seconds: ".len()..].split_whitespace().next().and_then(|n| n.parse().ok()).expect("a number");
        eprintln!("{its_name}: {seconds} s for all tasks");
        assert!(seconds < 15.0, "{its_name}: {seconds} s; 5 on a machine with nothing else to do");
    }
}

#[test]
fn what_is_not_there_is_said_in_one_line() {
    let nothing = |session: &mut Session| session.shown(&["ompd threads"]).run();
    let program = compiled("steps", Compiler::Gcc);
    let mut said = String::new();
    said += &nothing(&mut Session::new(&program));
    said += &nothing(Session::without_runtime(&program).hidden(&["ompd init"]));
    said += &nothing(Session::without_runtime(&compiled("steps", Compiler::Clang)).hidden(&["start"]));
    said += &nothing(Session::without_runtime("/bin/true".as_ref()).hidden(&["starti"]));
    let whole = gdb::compiled_with("steps", Compiler::Gcc, &["-O0", "-static"]);
    said += &nothing(Session::without_runtime(&whole).hidden(&["start"]));
    let mut elsewhere = Session::new(&program);
    elsewhere.hidden(&["start", "python import os; os.environ['HOME'] = '/nowhere'"]);
    elsewhere.shown(&[
        "ompd init /nowhere/libompd.so",
        "ompd init ~/libompd.so",
        "ompd init /etc/passwd",
        "ompd tasks some",
    ]);
    elsewhere.shown(&["ompd threads", "ompd parallel", "ompd tasks", "ompd tasks all", "ompd locks"]);
    said += &elsewhere.run();
    let prefix = gdb::moved_prefix("other");
    gdb::make_other_version(&prefix);
    let hung = Hung::start_on(&prefix, &compiled("crosswise", Compiler::Gcc), 2);
    said += &nothing(&mut Session::attached(&hung));
    drop(hung);
    let incomplete = gdb::moved_prefix("incomplete");
    std::fs::remove_file(incomplete.join("lib/libompd.so")).expect("the library");
    let hung = Hung::start_on(&incomplete, &compiled("crosswise", Compiler::Gcc), 2);
    said += &nothing(&mut Session::automatic(&incomplete, &hung));
    for folder in [prefix, incomplete] {
        said = said.replace(&*folder.to_string_lossy(), "PREFIX");
        let _ = std::fs::remove_dir_all(folder);
    }
    pin("messages", "gcc", &said);
}

#[test]
fn a_library_that_others_can_have_written_is_not_loaded() {
    let prefix = gdb::moved_prefix("writable");
    let (lib, library) = (prefix.join("lib"), prefix.join("lib/libompd.so"));
    let hung = Hung::start_on(&prefix, &compiled("crosswise", Compiler::Gcc), 2);
    let said = |commands: &[&str]| {
        let said = Session::automatic(&prefix, &hung).hidden(&["info threads"]).shown(commands).run();
        said.replace(&*lib.to_string_lossy(), "LIB")
    };
    let mode =
        |path: &Path, mode| std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("it is ours");
    assert!(said(&["ompd threads"]).contains("deadlock"));
    mode(&library, 0o757);
    let named = format!("ompd init {}", library.display());
    let told = said(&["ompd threads", &named]);
    assert_eq!(
        told.matches("\nompd: LIB/libompd.so is not loaded: it can be written by everybody\n").count(),
        2,
        "{told}"
    );
    mode(&library, 0o755);
    mode(&lib, 0o777);
    let told = said(&["ompd threads"]);
    let line = "ompd: LIB/libompd.so is not loaded: it lies in LIB, which can be written by everybody\n";
    assert_eq!(told, format!("(gdb) ompd threads\n{line}"));
    mode(&lib, 0o755);
    // Only root can give files away.
    if std::os::unix::fs::chown(&library, Some(54321), None).is_ok() {
        let told = said(&["ompd threads"]);
        let line = "ompd: LIB/libompd.so is not loaded: it belongs to user 54321, neither to you nor to root\n";
        assert_eq!(told, format!("(gdb) ompd threads\n{line}"));
    }
    drop(hung);
    let _ = std::fs::remove_dir_all(prefix);
}

#[test]
fn programs_that_end_without_a_runtime_or_are_not_named_cannot_be_started() {
    let said = Session::without_runtime("/bin/true".as_ref()).shown(&["ompd init", "ompd init"]).run();
    let line = "ompd: the program has come to its end: it has loaded no OpenMP runtime\n";
    assert_eq!(said.matches(line).count(), 2, "{said}");
    let said = Session::without_program().shown(&["ompd init"]).run();
    let line = "ompd: there is no program to start; `file` names it, `attach` and `core-file` take what is there\n";
    assert_eq!(said, format!("(gdb) ompd init\n{line}"));
}

#[test]
fn a_program_without_symbols_is_started_up_to_its_runtime() {
    for (compiler, its_name) in COMPILERS {
        let program = gdb::stripped(&compiled("crosswise", compiler), &format!("symbolless-{its_name}"));
        let mut session = Session::new(&program);
        let said = session.shown(&["ompd init", "ompd threads", "info breakpoints"]).run();
        let _ = std::fs::remove_file(program);
        for line in [
            "in ompd_dll_locations_valid () from",
            "\n(gdb) ompd threads\nno thread has met OpenMP yet\n",
            "\n(gdb) info breakpoints\nNo breakpoints or watchpoints.\n",
        ] {
            assert!(said.contains(line), "{its_name}: {line}\n{said}");
        }
    }
}

#[test]
fn frames_without_a_symbol_have_a_word_for_it() {
    let program = gdb::stripped(&compiled("crosswise", Compiler::Gcc), "nameless");
    let hung = Hung::start(&program, 2);
    let said = Session::attached(&hung).hidden(&["info threads"]).shown(&["ompd bt"]).run();
    let _ = std::fs::remove_file(program);
    assert!(said.contains(" in ?? ()") && !said.contains(" in  ()"), "{said}");
}

#[test]
fn a_core_file_without_its_program_says_what_is_missing() {
    let program = compiled("crosswise", Compiler::Gcc);
    let hung = Hung::start(&program, 2);
    let core = gdb::core_of(&hung, "alone");
    drop(hung);
    let mut session = Session::without_program();
    let load = format!("core-file {}", core.display());
    session.hidden(&[&load]).shown(&["ompd threads"]).hidden(&["file /bin/true", &load]).shown(&["ompd threads"]);
    let said = session.hidden(&[&format!("file {}", program.display()), &load]).shown(&["ompd threads"]).run();
    let _ = std::fs::remove_file(core);
    let said: Vec<&str> = said.split("(gdb) ompd threads\n").skip(1).collect();
    let file = "gdb finds a core file's libraries by the program that left it: name that by `file`, and load the core file again";
    assert_eq!(said[0], format!("ompd: {file}\n"));
    let wrong = "ompd: there is no OpenMP runtime in this core file, as far as gdb has found its libraries by ";
    assert!(said[1].starts_with(wrong) && said[1].contains("/true (info sharedlibrary)"), "{}", said[1]);
    assert!(said[2].contains("deadlock: these threads wait for each other"), "{}", said[2]);
}

#[test]
fn a_program_that_runs_has_to_be_stopped_first() {
    let hung = Hung::start(&compiled("crosswise", Compiler::Gcc), 2);
    let commands = ["ompd threads", "ompd init", "ompd icvs dyn", "ompd bt", "ompd step"];
    let said = Session::attached(&hung).hidden(&["continue &"]).shown(&commands).run();
    assert_eq!(said.matches("ompd: the program is running; `interrupt` stops it\n").count(), commands.len(), "{said}");
}

#[test]
fn threads_that_run_are_shown_beside_one_that_stands() {
    let mut session = Session::new(&compiled("four", Compiler::Gcc));
    session.hidden(&[
        "set non-stop on",
        "set environment OMP_DEBUG enabled",
        "break four.c:stop",
        "run",
        "info threads",
    ]);
    session.shown(&["ompd threads", "ompd bt"]).hidden(&["thread 4"]).shown(&[
        "ompd threads",
        "ompd parallel",
        "ompd bt",
    ]);
    pin("nonstop", "gcc", &session.run());
}

#[test]
fn a_program_that_gdb_loses_is_told_in_a_line() {
    let mut session = Session::new(&compiled("leaving", Compiler::Gcc));
    // A signal ends the program while gdb holds one of its threads.
    session.hidden(&["ompd init", "break leaving.c:stop", "continue", "set scheduler-locking on", "continue"]);
    let said = session.shown(&["ompd threads", "ompd bt", "ompd step"]).run();
    assert!(!said.contains("Python Exception") && said.matches("\nompd: ").count() == 3, "{said}");
}

#[test]
fn a_process_that_was_let_go_is_looked_into_again() {
    let hung = Hung::start(&compiled("crosswise", Compiler::Gcc), 2);
    let mut session = Session::attached(&hung);
    session.hidden(&["info threads"]).shown(&["ompd threads"]).hidden(&["detach"]).shown(&["ompd threads"]);
    session.hidden(&[&format!("attach {}", hung.id())]).shown(&["ompd init", "ompd init", "ompd threads"]);
    let said = session.run();
    let said: Vec<&str> = said.split("(gdb) ompd ").skip(1).collect();
    assert!(said[1].starts_with("threads\nompd: the program is not running; "), "{}", said[1]);
    assert_eq!(said[2], said[3]);
    assert!(said[0].contains("deadlock") && said[0] == said[4], "{}\n{}", said[0], said[4]);
}

#[test]
fn the_child_of_a_fork_has_the_thread_that_forked() {
    let mut session = Session::new(&compiled("forks", Compiler::Gcc));
    session.hidden(&["set detach-on-fork off", "ompd init", "break forks.c:stop", "continue", "info threads"]);
    session.shown(&["ompd threads"]).hidden(&["inferior 2", "info threads"]).shown(&["ompd threads", "ompd parallel"]);
    session.hidden(&["break stop_in_child", "continue", "info threads"]).shown(&["ompd threads", "ompd bt"]);
    pin("forks", "gcc", &session.run());
}

#[test]
fn a_program_in_anothers_place_has_a_runtime_of_its_own_or_none() {
    let mut session = Session::new(&compiled("forks", Compiler::Gcc));
    session.hidden(&["ompd init", "break forks.c:stop", "continue"]).shown(&["ompd states"]);
    let said = session.hidden(&["catch exec", "continue"]).shown(&["ompd threads", "ompd init"]).run();
    assert!(said.starts_with("(gdb) ompd states\nstate  name  threads\n"), "{said}");
    let none = "ompd: there is no OpenMP runtime in this process\n";
    assert!(said.ends_with(&format!("(gdb) ompd threads\n{none}(gdb) ompd init\n{none}")), "{said}");
}

#[test]
fn neither_language_nor_radix_changes_what_is_said() {
    let commands =
        ["ompd init", "ompd parallel", "ompd tasks all", "ompd icvs dyn", "ompd step", "ompd step", "ompd bt"];
    let session = |settings: &[&str]| {
        let mut session = Session::new(&compiled("four", Compiler::Gcc));
        session.hidden(&["ompd init", "break four.c:stop", "continue", "info threads", "delete"]);
        session.hidden(settings).shown(&commands).run()
    };
    let usual = session(&[]);
    assert!(usual.contains("region 1: parallel, 4 threads at four.c:"), "{usual}");
    for language in ["modula-2", "fortran"] {
        assert_eq!(session(&["set input-radix 16", &format!("set language {language}")]), usual, "{language}");
    }
}

#[test]
fn a_command_that_is_interrupted_says_so_as_gdbs_own_do() {
    let mut session = Session::new(&compiled("four", Compiler::Gcc));
    session.hidden(&["python import ferromp_gdb.process", "python def interrupted(): raise KeyboardInterrupt()"]);
    session.hidden(&["python ferromp_gdb.process.current = interrupted"]);
    assert_eq!(session.shown(&["ompd threads"]).run(), "(gdb) ompd threads\nQuit\n");
}

#[test]
fn words_that_a_command_has_no_use_for_are_named() {
    let mut session = Session::new(&compiled("steps", Compiler::Gcc));
    for name in ["threads", "parallel", "locks", "states", "step"] {
        session.shown(&[&format!("ompd {name} all"), &format!("ompd {name} 'first of' several")]);
    }
    session.shown(&["ompd init libompd.so again", "ompd icvs dyn var", "ompd tasks some", "ompd tasks all of them"]);
    session.shown(&["ompd bt on and on", "ompd bt on continued 3", "ompd bt off 3", "info program"]);
    pin("arguments", "gcc", &session.run());
}

#[test]
fn help_texts() {
    let commands: Vec<String> = ["", "init", "threads", "parallel", "tasks", "locks", "icvs", "states", "bt", "step"]
        .iter()
        .map(|name| format!("help ompd {name}").trim_end().to_owned())
        .collect();
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    let program = compiled("steps", Compiler::Gcc);
    pin("help", "gcc", &Session::new(&program).shown(&commands).run());
    let said = Session::new(&program).shown(&["ompd", "help ompd", "ompd nonsense"]).run();
    let parts: Vec<&str> = said.split("(gdb) ").collect();
    assert_eq!(parts[1].split_once('\n'), parts[2].split_once('\n').map(|(_, help)| ("ompd", help)));
    assert_eq!(parts[3], "ompd nonsense\nUndefined ompd command: \"nonsense\".  Try \"help ompd\".\n");
}

#[test]
fn a_stripped_library_in_a_moved_prefix_loads_the_plug_in_by_itself() {
    let prefix = gdb::moved_prefix("moved");
    let program = compiled("crosswise", Compiler::Gcc);
    let hung = Hung::start_on(&prefix, &program, 2);
    let mut session = Session::automatic(&prefix, &hung);
    session.hidden(&["info threads"]).shown(&["ompd init", "ompd parallel"]);
    let said = session.run().replace(&*prefix.to_string_lossy(), "PREFIX");
    pin("moved", "gcc", &said);
    let _ = std::fs::remove_dir_all(prefix);
}

/// The self-tests of LLVM's plug-in, function by function. The last one ends the library.
const LLVMS_TESTS: [&str; 35] = [
    "ompd_get_thread_handle",
    "ompd_get_curr_parallel_handle",
    "ompd_get_thread_in_parallel",
    "ompd_thread_handle_compare",
    "ompd_get_thread_id",
    "ompd_get_enclosing_parallel_handle",
    "ompd_parallel_handle_compare",
    "ompd_get_api_version",
    "ompd_get_version_string",
    "ompd_process_initialize",
    "ompd_get_omp_version",
    "ompd_get_omp_version_string",
    "ompd_get_curr_task_handle",
    "ompd_get_task_parallel_handle",
    "ompd_get_generating_task_handle",
    "ompd_get_scheduling_task_handle",
    "ompd_get_task_in_parallel",
    "ompd_task_handle_compare",
    "ompd_get_task_function",
    "ompd_get_task_frame",
    "ompd_get_state",
    "ompd_get_display_control_vars",
    "ompd_enumerate_icvs",
    "ompd_get_icv_from_scope",
    "ompd_get_icv_string_from_scope",
    "ompd_initialize",
    // Those that the plug-in knows, and answers that it does not test.
    "ompd_device_initialize",
    "ompd_enumerate_states",
    "ompd_rel_address_space_handle",
    "ompd_rel_display_control_vars",
    "ompd_rel_parallel_handle",
    "ompd_rel_task_handle",
    "ompd_rel_thread_handle",
    "ompd_get_tool_data",
    "ompd_finalize",
];

#[test]
fn llvms_plug_in_answers_on_our_library() {
    let commands = ["ompd threads", "ompd parallel", "ompd bt on", "bt", "ompd bt on continued", "bt", "ompd bt off"];
    for (compiler, its_name) in COMPILERS {
        let mut session = Session::llvms(&compiled("four", compiler));
        session.hidden(&["ompd init", "break four.c:stop", "continue", "info threads"]);
        session.shown(&commands).shown(&["ompd taskframes", "ompd test", "ompd step", "ompd icvs"]);
        let said = session.run();
        let (pinned, icvs) = said.split_at(said.find("(gdb) ompd icvs").expect("the last command"));
        pin("llvm", its_name, pinned);
        // Values of the machine are among them, and the plug-in gives up at the first ICV that is no number and not
        // known to it.
        for line in [
            "levels-var  parallel  1",
            "team-size-var  parallel  4",
            "thread-num-var  thread  3",
            "run-sched-var  task  static",
        ] {
            assert!(icvs.lines().any(|other| other == line), "{its_name}: {line}\n{icvs}");
        }
        assert!(icvs.lines().filter(|line| line.contains("-var  ")).count() >= 40, "{its_name}: {icvs}");
    }
}

#[test]
fn llvms_tests_of_each_function_pass() {
    let mut session = Session::llvms(&compiled("four", Compiler::Clang));
    // One of the tests wants an ICV that is a list.
    session.hidden(&["set environment OMP_NUM_THREADS 4,3,2"]);
    session.hidden(&["ompd init", "break four.c:stop", "continue", "ompd threads", "info threads"]);
    let commands: Vec<String> = LLVMS_TESTS.iter().map(|name| format!("ompdtestapi {name}")).collect();
    session.shown(&commands.iter().map(String::as_str).collect::<Vec<_>>());
    let said = session.run();
    let failed = ["Failed", "Traceback", "Exception"].iter().any(|word| said.contains(word));
    assert!(!failed && said.matches("Success").count() > 90, "{said}");
}

#[test]
fn debuggers_are_told_what_tools_are_told() {
    let mut session = Session::llvms(&compiled("agrees", Compiler::Clang));
    let compares = format!("source {}/gdb/agrees.py", env!("CARGO_MANIFEST_DIR"));
    session.hidden(&["break main", "run", "delete", "ompd init"]).shown(&[&compares]);
    let said = session.run();
    let looks = said.lines().find_map(|line| line.strip_suffix(" looks, 0 differences"));
    let looks: u32 = looks.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{said}"));
    assert!(looks > 40, "{said}");
}

#[test]
fn a_busy_program_can_be_looked_at_in_any_moment() {
    let looks = format!("source {}/gdb/looks.py", env!("CARGO_MANIFEST_DIR"));
    for (compiler, its_name) in COMPILERS {
        for debug in ["enabled", "disabled"] {
            let mut session = Session::new(&compiled("busy", compiler));
            session.hidden(&[&format!("set environment OMP_DEBUG {debug}"), "ompd init"]).shown(&[&looks]);
            let said = session.run();
            let rest: Vec<&str> =
                said.lines().filter(|line| line.contains("looks") || line.starts_with("ompd ")).collect();
            assert_eq!(rest[1..], ["80 looks"], "{its_name} {debug}: {said}");
        }
    }
}

/// The sessions that a document shows, without what differs from run to run.
fn shown_in(document: &str) -> Vec<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    text.split("```")
        .skip(1)
        .step_by(2)
        .filter(|block| block.contains("(gdb) "))
        .map(|block| gdb::tidied_text(block.trim()))
        .collect()
}

#[test]
fn what_the_readme_shows_is_what_gdb_says() {
    let hung = Hung::start(&compiled("crosswise", Compiler::Gcc), 2);
    let mut session = Session::attached(&hung);
    session.hidden(&["info threads"]).shown(&["ompd parallel"]).hidden(&["thread 2"]).shown(&["ompd bt"]);
    let said = session.run();
    let shown = &shown_in("README.md")[0];
    let shown: Vec<&str> = shown.lines().filter(|line| !line.starts_with("$ ") && *line != "(gdb) thread 2").collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), shown);
}

#[test]
fn what_the_documentation_shows_is_pinned() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let pinned: String = ["nested-gcc", "tasks-gcc", "missed-gcc"]
        .iter()
        .map(|name| std::fs::read_to_string(folder.join(format!("ompd_gdb__{name}.snap"))).expect("the snapshot"))
        .collect();
    let shown = shown_in("docs/ompd.md");
    assert_eq!(shown.len(), 3);
    for line in shown.iter().flat_map(|block| block.lines()) {
        assert!(pinned.lines().any(|other| other == line), "no session says: {line}");
    }
}
