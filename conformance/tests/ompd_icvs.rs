//! OMPD's ICVs against what the program's own routines say of them: of the process, of devices, of tasks in regions, of
//! a task that is queued; lists as far as they are used up, and text in the form of the environment's variables (OpenMP
//! 5.1, sections 2.4, 5.5.8, 5.5.9).

use std::collections::BTreeMap;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{COMPILERS, Record, Stopped, Workshop, named, possible, the};
use ferromp_debugger::callbacks::held;
use ferromp_debugger::handles::{Icv, Parallel, Scoped, Space, Thread};
use ompd::{DEVICE_KIND_HOST, Rc, Scope, Word};

/// What the program is run with, apart from what a test adds.
const SETTINGS: [(&str, &str); 16] = [
    ("OMP_NUM_THREADS", "4,3,2"),
    ("OMP_PROC_BIND", "spread,close"),
    ("OMP_PLACES", "{0},{0}"),
    ("OMP_SCHEDULE", "dynamic,4"),
    ("OMP_STACKSIZE", "3M"),
    ("OMP_WAIT_POLICY", "passive"),
    ("OMP_THREAD_LIMIT", "50"),
    ("OMP_MAX_ACTIVE_LEVELS", "3"),
    ("OMP_CANCELLATION", "true"),
    ("OMP_MAX_TASK_PRIORITY", "7"),
    ("OMP_AFFINITY_FORMAT", "before"),
    ("OMP_TOOL_LIBRARIES", "/nowhere/one.so:/nowhere/the other.so"),
    ("OMP_TEAMS_THREAD_LIMIT", "6"),
    ("OMP_DEFAULT_DEVICE", "3"),
    ("OMP_TARGET_OFFLOAD", "disabled"),
    ("OMP_DEBUG", "enabled"),
];

fn stop(compiler: Compiler) -> Stopped {
    Workshop::new(env!("CARGO_TARGET_TMPDIR")).stop("icvs", compiler, &SETTINGS)
}

/// All ICVs by their names.
fn icvs(space: &Space) -> BTreeMap<String, Icv> {
    let list = space.icvs().expect("they can be listed");
    let count = list.len();
    let icvs: BTreeMap<_, _> = list.into_iter().map(|icv| (icv.name.clone(), icv)).collect();
    assert_eq!(icvs.len(), count, "each name is there once");
    icvs
}

/// An ICV as a number, and how the library answers.
fn number(space: &Space, of: &dyn Scoped, scope: Scope, name: &str) -> (Rc, Word) {
    let id = icvs(space).get(name).unwrap_or_else(|| panic!("no {name}")).id;
    let mut value = Word::MIN;
    // SAFETY: the handle is of the library.
    let rc = unsafe { (space.ompd().functions.ompd_get_icv_from_scope)(of.handle(), scope, id, &mut value) };
    (rc, value)
}

/// As text, in the handle's own scope.
fn text(space: &Space, of: &dyn Scoped, name: &str) -> String {
    let id = icvs(space).get(name).unwrap_or_else(|| panic!("no {name}")).id;
    of.icv_string(id).unwrap_or_else(|rc| panic!("{name}: {rc:?}"))
}

/// A schedule as `OMP_SCHEDULE` has it, from what `omp_get_schedule` says.
fn schedule(record: &Record) -> String {
    let kind = record.get("schedule");
    let name = ["", "static", "dynamic", "guided", "auto"][(kind & 0x7fff_ffff) as usize];
    let ordering = if kind & 0x8000_0000 != 0 { "monotonic:" } else { "" };
    match record.get("chunk") {
        chunk if chunk > 0 && !(name == "static" && chunk == 0) => format!("{ordering}{name},{chunk}"),
        _ => format!("{ordering}{name}"),
    }
}

/// Compares the ICVs of a task, found by a handle with this scope, with what was said in it.
fn check_task(space: &Space, of: &dyn Scoped, scope: Scope, record: &Record) {
    let what = format!("{} by {scope:?}", record.name);
    for (name, fact) in [
        ("dyn-var", "dynamic"),
        ("thread-limit-var", "thread_limit"),
        ("max-active-levels-var", "max_active"),
        ("default-device-var", "device"),
        ("def-allocator-var", "allocator"),
        ("final-task-var", "in_final"),
    ] {
        assert_eq!(number(space, of, scope, name), (Rc::OK, record.get(fact)), "{name} of {what}");
    }
    for (name, fact) in [("nthreads-var", "max_threads"), ("bind-var", "bind")] {
        let (rc, value) = number(space, of, scope, name);
        assert_eq!(value, record.get(fact), "{name} of {what}");
        let list = if scope == of.scope() { text(space, of, name) } else { String::new() };
        let expected = if list.contains(',') { Rc::INCOMPLETE } else { Rc::OK };
        assert!(rc == expected || list.is_empty(), "{name} of {what}: {rc:?} for {list}");
    }
    assert_eq!(number(space, of, scope, "run-sched-var").0, Rc::INCOMPATIBLE, "{what}");
    if scope == of.scope() {
        assert_eq!(text(space, of, "run-sched-var"), schedule(record), "{what}");
        assert_eq!(text(space, of, "dyn-var"), ["false", "true"][record.get("dynamic") as usize], "{what}");
        assert_eq!(
            text(space, of, "place-partition-var").matches('{').count() as i64,
            record.get("partition"),
            "{what}"
        );
    }
}

/// Compares what a thread's handles say with what the thread says.
fn check(space: &Space, record: &Record) -> Thread {
    let thread = space.thread(record.lwp()).unwrap_or_else(|rc| panic!("{}: {rc:?}", record.name));
    let (task, parallel) = (thread.task().expect("it executes a task"), thread.parallel().expect("it is in a region"));
    check_task(space, &task, Scope::TASK, record);
    check_task(space, &task, Scope::IMPLICIT_TASK, record);
    check_task(space, &thread, Scope::THREAD, record);
    assert_eq!(number(space, &task, Scope::TASK, "implicit-task-var"), (Rc::OK, 1));
    for name in ["thread-num-var", "ompd-thread-num-var"] {
        assert_eq!(number(space, &thread, Scope::THREAD, name), (Rc::OK, record.get("tid")), "{name}");
    }
    assert_eq!(number(space, &task, Scope::TASK, "thread-num-var"), (Rc::OK, record.get("tid")));
    for (name, fact) in [
        ("team-size-var", "threads"),
        ("levels-var", "level"),
        ("active-levels-var", "active"),
        ("team-num-var", "team"),
        ("league-size-var", "teams"),
    ] {
        let all: [(&dyn Scoped, Scope); 3] =
            [(&parallel, Scope::PARALLEL), (&thread, Scope::THREAD), (&task, Scope::TASK)];
        for (of, scope) in all {
            assert_eq!(
                number(space, of, scope, name),
                (Rc::OK, record.get(fact)),
                "{name} of {} by {scope:?}",
                record.name
            );
        }
    }
    thread
}

#[test]
fn tasks_have_the_icvs_that_their_routines_tell() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = stop(compiler);
        let space = &stopped.space;
        for name in ["other", "inner"] {
            let speakers = named(&stopped.records, name);
            assert_eq!(speakers.len(), if name == "inner" { 2 } else { 1 });
            for record in speakers {
                check(space, record);
            }
        }
        // Around the inner region: the implicit task whose thread forked it, and the initial task.
        let inner = named(&stopped.records, "inner")
            .into_iter()
            .find(|record| record.get("tid") == 0)
            .expect("a primary thread");
        let inner = space.thread(inner.lwp()).and_then(|thread| thread.task()).expect("a task");
        let outer = inner.generating().expect("it encountered the region");
        let record = the(&stopped.records, "outer");
        check_task(space, &outer, Scope::TASK, record);
        let initial = outer.generating().expect("the initial task");
        check_task(space, &initial, Scope::TASK, the(&stopped.records, "initial"));
        assert_eq!(number(space, &initial, Scope::TASK, "implicit-task-var"), (Rc::OK, 1));

        let lists = |task: &dyn Scoped| (text(space, task, "nthreads-var"), text(space, task, "bind-var"));
        let pair = |one: &str, other: &str| (one.to_owned(), other.to_owned());
        assert_eq!(lists(&initial), pair("4,3,2", "spread,close"));
        assert_eq!(lists(&outer), pair("5,2", "close"));
        assert_eq!(lists(&inner), pair("2", "close"));
        assert_eq!(text(space, &outer, "run-sched-var"), "static,3");
        assert_eq!(text(space, &initial, "place-partition-var"), "{0},{0}");
        assert_eq!(text(space, &initial, "def-allocator-var"), "omp_default_mem_space:alignment=64");
    }
    // The library keeps the table of its handles until it ends; whoever needs it first has it made.
    assert!(held() <= 2, "{} pieces of memory are left behind", held());
}

#[test]
fn a_queued_task_has_the_icvs_that_it_was_generated_with() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = stop(compiler);
        let space = &stopped.space;
        let tasks = space.tasks().expect("they can be listed");
        let queued: Vec<_> = tasks.iter().filter(|task| task.state == ompd::QUEUED).collect();
        let [queued] = queued[..] else { panic!("{} queued tasks", queued.len()) };
        let task = space.task_at(queued.task).expect("it is a task");
        check_task(space, &task, Scope::TASK, the(&stopped.records, "queued"));
        assert_eq!(text(space, &task, "nthreads-var"), "9,2");
        assert_eq!(text(space, &task, "run-sched-var"), "static");
        assert_eq!(text(space, &task, "implicit-task-var"), "false");
        assert_eq!(number(space, &task, Scope::TASK, "team-size-var"), (Rc::OK, 2));
        assert_eq!(number(space, &task, Scope::TASK, "thread-num-var").0, Rc::UNAVAILABLE, "nobody executes it");
        assert_eq!(number(space, &task, Scope::IMPLICIT_TASK, "dyn-var").0, Rc::BAD_INPUT);
    }
}

/// OpenMP 6.0, sections 39.11 and 39.13: what made a team, and the scopes that go with it.
#[test]
fn a_team_tells_which_construct_made_it() {
    if !possible() {
        return;
    }
    let generator = |space: &Space, of: &Parallel, name: &str| {
        assert_eq!(text(space, of, "team-generator-var"), name);
        let number = number(space, of, Scope::PARALLEL, "team-generator-var");
        // By the scope of its construct it has the same ICVs, by that of another one none.
        for (scope, made) in [(Scope::TEAMS, "teams"), (Scope::TARGET, "target")] {
            let (rc, value) = self::number(space, of, scope, "team-size-var");
            if made == name {
                assert_eq!((rc, value), self::number(space, of, Scope::PARALLEL, "team-size-var"), "{name}");
                assert_eq!(self::number(space, of, scope, "dyn-var").0, Rc::BAD_INPUT, "of a task");
            } else {
                assert_eq!(rc, Rc::INCOMPATIBLE_HANDLE, "{name} by {scope:?}");
            }
        }
        assert_eq!(number.0, Rc::OK);
        number.1
    };
    for compiler in COMPILERS {
        let stopped = stop(compiler);
        let space = &stopped.space;
        let record = the(&stopped.records, "outer");
        let thread = space.thread(record.lwp()).expect("a thread");
        let region = thread.parallel().expect("its region");
        assert_eq!(generator(space, &region, "parallel"), 1);
        let mut outermost = region;
        while let Ok(outer) = outermost.enclosing() {
            outermost = outer;
        }
        assert_eq!(generator(space, &outermost, "program"), 0);
        let task = thread.task().expect("its task");
        assert_eq!(text(space, &task, "explicit-task-var"), "false");
        let league = Workshop::new(env!("CARGO_TARGET_TMPDIR")).stop("league", compiler, &[]);
        let space = &league.space;
        let thread =
            league.records.iter().find_map(|record| space.thread(record.lwp()).ok()).expect("a thread of the league");
        let mut region = thread.parallel().expect("its region");
        while text(space, &region, "team-generator-var") == "parallel" {
            region = region.enclosing().expect("a league's team is around it");
        }
        assert_eq!(generator(space, &region, "teams"), 2);
    }
    let stopped = Workshop::new(env!("CARGO_TARGET_TMPDIR")).stop("device", Compiler::Offload, &[]);
    let device = stopped.space.device(DEVICE_KIND_HOST, 0).expect("it is there");
    let threads = device.threads().expect("they can be listed");
    let inside = threads.iter().find(|thread| thread.level == 1).expect("a thread in the region on the device");
    let region = device.task_at(inside.task).and_then(|task| task.parallel()).expect("its region");
    assert_eq!(generator(&device, &region, "parallel"), 1);
    let around = region.enclosing().expect("the target region is around it");
    assert_eq!(generator(&device, &around, "target"), 3);
}

#[test]
fn the_process_has_the_icvs_that_its_routines_and_its_environment_tell() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = stop(compiler);
        let space = &stopped.space;
        let (process, any) = (the(&stopped.records, "process"), the(&stopped.records, "initial"));
        let numbers = [
            ("num-procs-var", any.get("procs")),
            ("ompd-num-procs-var", any.get("procs")),
            ("cancel-var", any.get("cancellation")),
            ("max-task-priority-var", any.get("priority")),
            ("nteams-var", process.get("num_teams")),
            ("teams-thread-limit-var", process.get("teams_limit")),
            ("num-devices-var", any.get("devices")),
            ("stacksize-var", 3 << 20),
            ("wait-policy-var", 0),
            ("debug-var", 1),
            ("tool-var", 1),
            ("display-affinity-var", 0),
            ("target-offload-var", 0),
            ("def-sched-var", 1),
        ];
        for (name, expected) in numbers {
            assert_eq!(number(space, space, Scope::ADDRESS_SPACE, name), (Rc::OK, expected), "{name}");
        }
        for (name, expected) in [
            ("stacksize-var", "3145728B"),
            ("cancel-var", "true"),
            ("max-task-priority-var", "7"),
            ("debug-var", "enabled"),
            ("display-affinity-var", "false"),
            ("affinity-format-var", "now %n"),
            ("tool-var", "enabled"),
            ("tool-libraries-var", "/nowhere/one.so:/nowhere/the other.so"),
            ("tool-verbose-init-var", "disabled"),
            ("def-sched-var", "static"),
            ("wait-policy-var", "passive"),
            ("target-offload-var", "disabled"),
            ("nteams-var", "9"),
            ("teams-thread-limit-var", "6"),
        ] {
            assert_eq!(text(space, space, name), expected, "{name}");
        }
        for name in ["tool-libraries-var", "affinity-format-var", "tool-verbose-init-var"] {
            assert_eq!(number(space, space, Scope::ADDRESS_SPACE, name).0, Rc::INCOMPATIBLE, "{name}");
        }
        assert_eq!(
            number(space, space, Scope::GLOBAL, "cancel-var"),
            (Rc::OK, 1),
            "of global scope in the specification"
        );
        assert_eq!(number(space, space, Scope::GLOBAL, "num-procs-var").0, Rc::BAD_INPUT, "of a device");
        assert_eq!(number(space, space, Scope::ADDRESS_SPACE, "dyn-var").0, Rc::BAD_INPUT, "of a task");
        assert_eq!(number(space, space, Scope(0), "cancel-var").0, Rc::BAD_INPUT);
    }
}

#[test]
fn the_variables_that_control_the_runtime_are_listed() {
    if !possible() {
        return;
    }
    let stopped = stop(Compiler::Clang);
    let variables = stopped.space.control_vars().expect("they can be listed");
    let variables: BTreeMap<&str, &str> =
        variables.iter().map(|line| line.split_once('=').expect("NAME=value")).collect();
    for (name, value) in [
        ("OMP_NUM_THREADS", "4,3,2"),
        ("OMP_AFFINITY_FORMAT", "now %n"),
        ("OMP_NUM_TEAMS", "9"),
        ("OMP_PLACES", "{0},{0}"),
        ("OMP_STACKSIZE", "3145728B"),
        ("OMP_PROC_BIND", "SPREAD,CLOSE"),
        ("OMP_SCHEDULE", "DYNAMIC,4"),
        ("OMP_TOOL_LIBRARIES", "/nowhere/one.so:/nowhere/the other.so"),
        ("KMP_BLOCKTIME", ""),
    ] {
        assert_eq!(variables.get(name), Some(&value), "{name} in {variables:?}");
    }
    // All of chapter 6 (5.5.8.1).
    let all = "AFFINITY_FORMAT ALLOCATOR CANCELLATION DEBUG DEFAULT_DEVICE DISPLAY_AFFINITY DISPLAY_ENV DYNAMIC MAX_ACTIVE_LEVELS \
               MAX_TASK_PRIORITY NESTED NUM_TEAMS NUM_THREADS PLACES PROC_BIND SCHEDULE STACKSIZE TARGET_OFFLOAD TEAMS_THREAD_LIMIT \
               THREAD_LIMIT TOOL TOOL_LIBRARIES TOOL_VERBOSE_INIT WAIT_POLICY";
    for name in all.split_whitespace() {
        assert!(variables.contains_key(format!("OMP_{name}").as_str()), "OMP_{name}");
    }
    for name in ["GOMP_SPINCOUNT", "FERROMP_HOST_DEVICES"] {
        assert!(variables.contains_key(name), "{name}");
    }
}

#[test]
fn a_device_has_icvs_of_its_own() {
    if !possible() {
        return;
    }
    let settings = [
        ("OMP_NUM_TEAMS", "3"),
        ("OMP_NUM_TEAMS_DEV_0", "8"),
        ("OMP_NUM_THREADS_DEV", "6,2"),
        ("OMP_SCHEDULE_DEV_0", "guided,2"),
        ("OMP_THREAD_LIMIT_DEV", "17"),
    ];
    let stopped = Workshop::new(env!("CARGO_TARGET_TMPDIR")).stop("device", Compiler::Offload, &settings);
    let host = &stopped.space;
    assert_eq!(number(host, host, Scope::ADDRESS_SPACE, "num-devices-var"), (Rc::OK, 1));
    assert_eq!(
        number(host, host, Scope::ADDRESS_SPACE, "device-num-var"),
        (Rc::OK, 1),
        "the host is behind its devices"
    );
    assert_eq!(text(host, host, "nteams-var"), "3");
    let device = host.device(DEVICE_KIND_HOST, 0).expect("it is there");
    assert_eq!(number(&device, &device, Scope::ADDRESS_SPACE, "device-num-var"), (Rc::OK, 0));
    assert_eq!(number(&device, &device, Scope::ADDRESS_SPACE, "nteams-var"), (Rc::OK, 8));
    assert_eq!(number(&device, &device, Scope::GLOBAL, "cancel-var").0, Rc::BAD_INPUT, "what is global is the host's");
    assert_eq!(host.device(DEVICE_KIND_HOST, 1).err(), Some(Rc::UNSUPPORTED), "there is no other one");
    let threads = device.threads().expect("they can be listed");
    let inside = threads.iter().find(|thread| thread.level == 1).expect("a thread in the region on the device");
    let task = device.task_at(inside.task).expect("its task");
    assert_eq!(text(&device, &task, "nthreads-var"), "2", "one element is used up");
    assert_eq!(text(&device, &task, "run-sched-var"), "guided,2");
}
