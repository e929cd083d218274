//! OMPD for processes as a whole: versions, what the library says without a program, several processes at once, a
//! forked child, devices of the host, a stripped runtime, a prefix that was moved, and core files (OpenMP 5.1, sections
//! 5.5.1 to 5.5.4).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{self, COMPILERS, Record, Running, Workshop, named, possible, the};
use ferromp_debugger::callbacks;
use ferromp_debugger::corefile::CoreFile;
use ferromp_debugger::handles::{Scoped, Space};
use ferromp_debugger::live::{Event, Live};
use ferromp_debugger::make_core;
use ferromp_debugger::ompd::{API_VERSION, Ompd};
use ferromp_debugger::target::Target;
use ompd::{Rc, Scope};

/// `OMPD_DEVICE_KIND_HOST`.
const HOST_DEVICE: u64 = 1;

/// `ompt_task_target`.
const TARGET: i32 = 0x8;

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Compares every thread that spoke and lives with what the library says of it: enough to see that all of it works.
fn check(space: &Space, records: &[Record]) {
    let living: BTreeSet<i32> = space.target().threads().iter().map(|thread| thread.lwp).collect();
    let icvs = space.icvs().expect("they can be listed");
    let id =
        |name: &str| icvs.iter().find(|icv| icv.name == name && icv.scope == Scope::PARALLEL).expect("it is one").id;
    let mut seen = BTreeSet::new();
    for record in records
        .iter()
        .rev()
        .filter(|record| record.says("level") && living.contains(&record.lwp()) && seen.insert(record.lwp()))
    {
        let thread = space.thread(record.lwp()).unwrap_or_else(|rc| panic!("{rc:?}: {record:?}"));
        assert!(thread.is(&space.thread_by_pthread(record.pthread()).expect("the same")));
        let region = thread.parallel().expect("a region");
        assert_eq!(region.icv(id("team-size-var")), Ok(record.get("threads")), "{record:?}");
        assert_eq!(region.icv(id("levels-var")), Ok(record.get("level")), "{record:?}");
        let number = i32::try_from(record.get("tid")).expect("small");
        assert!(region.task(number).expect("a task").is(&thread.task().expect("a task")));
    }
    assert!(!seen.is_empty());
}

/// A file that only this test has.
fn own(name: &str) -> PathBuf {
    let folder = workshop().scratch.join(format!("{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    folder
}

/// The library under another name, so that it is loaded a second time, for this test only.
fn own_library(folder: &Path) -> Arc<Ompd> {
    let copy = folder.join("libompd.so");
    fs::copy(workshop().lib.join("libompd.so"), &copy).expect("libompd.so lies beside the runtime");
    Ompd::load(&copy).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn versions_are_told_and_the_library_starts_once() {
    let folder = own("versions");
    let ompd = own_library(&folder);
    let functions = &ompd.functions;
    let (mut version, mut string) = (0, std::ptr::null());
    let table = callbacks::table();
    // SAFETY: each pointer is null or good.
    unsafe {
        assert_eq!((functions.ompd_get_api_version)(&mut version), Rc::OK);
        assert_eq!(version, API_VERSION);
        assert_eq!((functions.ompd_get_version_string)(&mut string), Rc::OK);
        assert!(!string.is_null());
        assert_eq!((functions.ompd_get_api_version)(std::ptr::null_mut()), Rc::BAD_INPUT);
        assert_eq!((functions.ompd_get_version_string)(std::ptr::null_mut()), Rc::BAD_INPUT);
        assert_eq!((functions.ompd_finalize)(), Rc::UNSUPPORTED, "it has not started");
        let mut handle = std::ptr::null_mut();
        let rc = (functions.ompd_process_initialize)(std::ptr::null_mut(), &mut handle);
        assert!(rc != Rc::OK && handle.is_null(), "it has not started: {rc:?}");
        assert_eq!((functions.ompd_initialize)(199_901, &table), Rc::UNSUPPORTED);
        assert_eq!((functions.ompd_initialize)(API_VERSION, std::ptr::null()), Rc::BAD_INPUT);
        let incomplete = ompd::Callbacks { read_memory: None, ..table };
        assert_eq!((functions.ompd_initialize)(API_VERSION, &incomplete), Rc::BAD_INPUT);
        assert_eq!((functions.ompd_initialize)(API_VERSION, &table), Rc::OK);
        assert_eq!((functions.ompd_initialize)(API_VERSION, &table), Rc::OK, "nothing changes");
        let another = ompd::Callbacks { write_memory: None, ..table };
        assert_eq!(
            (functions.ompd_initialize)(API_VERSION, &another),
            Rc::ERROR,
            "it has started with other functions"
        );
        assert_eq!((functions.ompd_finalize)(), Rc::OK);
        assert_eq!((functions.ompd_finalize)(), Rc::UNSUPPORTED);
        assert_eq!((functions.ompd_initialize)(API_VERSION, &table), Rc::OK, "it may start anew");
        assert_eq!((functions.ompd_finalize)(), Rc::OK);
    }
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[test]
fn all_memory_is_given_back_in_the_end() {
    if !possible() {
        return;
    }
    let folder = own("memory");
    let ompd = own_library(&folder);
    let stopped = workshop().stop("regions", Compiler::Clang, &[]);
    let before = callbacks::held();
    // SAFETY: the table is a complete one.
    unsafe { assert_eq!((ompd.functions.ompd_initialize)(API_VERSION, &callbacks::table()), Rc::OK) };
    {
        let space = Space::process(&ompd, stopped.live.target()).expect("it takes the process");
        for _ in 0..100 {
            check(&space, &stopped.records);
        }
        let icvs = space.icvs().expect("they can be listed");
        for icv in icvs.iter().filter(|icv| icv.scope == Scope::ADDRESS_SPACE) {
            assert!(space.icv_string(icv.id).is_ok(), "{icv:?}");
        }
        assert!(
            space.states().is_ok() && space.control_vars().is_ok() && space.threads().is_ok() && space.tasks().is_ok()
        );
        assert!(callbacks::held() - before < 20, "{} pieces are kept", callbacks::held() - before);
    }
    // SAFETY: no pointers.
    unsafe { assert_eq!((ompd.functions.ompd_finalize)(), Rc::OK) };
    assert_eq!(callbacks::held(), before);
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[test]
fn handles_do_not_outlive_the_library() {
    if !possible() {
        return;
    }
    let folder = own("finalized");
    let ompd = own_library(&folder);
    let stopped = workshop().stop("regions", Compiler::Gcc, &[]);
    // SAFETY: the table is a complete one.
    unsafe { assert_eq!((ompd.functions.ompd_initialize)(API_VERSION, &callbacks::table()), Rc::OK) };
    let space = Space::process(&ompd, stopped.live.target()).expect("it takes the process");
    let thread = space.thread(stopped.stopper).expect("a thread");
    assert!(thread.parallel().is_ok());
    // SAFETY: no pointers.
    unsafe { assert_eq!((ompd.functions.ompd_finalize)(), Rc::OK) };
    assert!(thread.parallel().is_err(), "the library has ended");
    assert!(space.thread(stopped.stopper).is_err());
    assert_ne!(thread.release(), Rc::OK);
    assert_ne!(space.release(), Rc::OK);
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[test]
fn a_process_says_its_version_of_openmp() {
    if !possible() {
        return;
    }
    let stopped = workshop().stop("regions", Compiler::Clang, &[]);
    assert_eq!(stopped.space.omp_version(), Ok(202_011));
    let string = stopped.space.omp_version_string().expect("a string");
    assert!(string.contains("5.1") || string.contains("202011"), "{string}");
    let vars = stopped.space.control_vars().expect("a list");
    assert!(vars.iter().any(|var| var.starts_with("OMP_NUM_THREADS")), "{vars:?}");
    assert!(vars.iter().all(|var| var.contains('=')), "{vars:?}");
}

#[test]
fn two_processes_at_once_do_not_mix() {
    if !possible() {
        return;
    }
    let one = workshop().stop("regions", Compiler::Clang, &[]);
    let other = workshop().stop("foreign", Compiler::Gcc, &[]);
    check(&one.space, &one.records);
    check(&other.space, &other.records);
    assert!(one.space.thread(the(&other.records, "main").lwp()).is_err(), "the other's threads are not this one's");
    let (first, second) = (
        one.space.thread(one.stopper).expect("a thread"),
        other.space.thread(the(&other.records, "main").lwp()).expect("a thread"),
    );
    assert_eq!(first.compare(&second), Err(Rc::BAD_INPUT), "threads of two processes do not compare");
    let (first, second) = (first.parallel().expect("a region"), second.parallel().expect("a region"));
    assert_eq!(first.compare(&second), Err(Rc::BAD_INPUT));
    // One ends, the other stays.
    drop((one.space, first));
    one.live.kill();
    check(&other.space, &other.records);
}

#[test]
fn a_process_that_is_no_more_answers_with_errors() {
    if !possible() {
        return;
    }
    let stopped = workshop().stop("regions", Compiler::Clang, &[]);
    let thread = stopped.space.thread(stopped.stopper).expect("a thread");
    let region = thread.parallel().expect("a region");
    let task = thread.task().expect("a task");
    let (space, target) = (stopped.space, stopped.live.target());
    stopped.live.kill();
    assert!(thread.parallel().is_err() && thread.task().is_err() && thread.state().is_err());
    assert!(region.enclosing().is_err() && region.thread(0).is_err() && region.task(0).is_err());
    assert!(task.generating().is_err() && task.parallel().is_err() && task.frames().is_err());
    assert!(space.threads().is_err() && space.tasks().is_err());
    assert!(space.thread(stopped.stopper).is_err());
    let ompd = Arc::clone(space.ompd());
    assert!(Space::process(&ompd, target).is_err());
}

#[test]
fn a_program_without_openmp_is_refused() {
    if !possible() {
        return;
    }
    let ompd = Ompd::shared(&workshop().lib.join("libompd.so")).unwrap_or_else(|why| panic!("{why}"));
    let live = Live::start(&mut Command::new("/bin/true")).expect("it starts");
    assert_eq!(Space::process(&ompd, live.target()).err(), Some(Rc::INCOMPATIBLE));
}

#[test]
fn a_forked_child_has_regions_of_its_own() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut parent = Running::start(&mut workshop().command("forked", compiler));
        stopped::until_parked(parent.id());
        let (one, records) = attach(parent.id());
        let child = u32::try_from(the(&records, "process").get("child")).expect("a number");
        assert_eq!(named(&records, "parent").len(), 2);
        check(&one.1, &records);
        stopped::until_parked(child);
        let (other, records) = attach(child);
        assert_eq!(named(&records, "child").len(), 3);
        check(&other.1, &records);
        // The child's list has its own threads alone: those of its parent did not come with it.
        let listed = other.1.threads().expect("they can be listed");
        let living = other.1.target().threads();
        let all_live =
            listed.iter().all(|record| living.iter().any(|thread| thread.lwp.cast_unsigned() as u64 == record.lwp));
        assert!(all_live, "{listed:#?} {living:?}");
        for (live, space) in [other, one] {
            let let_go = live.target().symbol("let_go", None).expect("the program has it");
            assert!(live.target().write(let_go, &1_i32.to_ne_bytes()));
            drop(space);
            live.detach();
        }
        assert!(parent.succeeds());
    }
}

fn attach(pid: u32) -> ((Live, Space), Vec<Record>) {
    let live = Live::attach(pid).expect("it can be attached");
    let space = stopped::space(live.target());
    let records = stopped::records(&*live.target());
    ((live, space), records)
}

#[test]
fn a_stripped_runtime_and_a_moved_prefix_work() {
    if !possible() {
        return;
    }
    let folder = own("moved prefix");
    let lib = folder.join("somewhere else");
    fs::create_dir_all(&lib).expect("a folder can be made");
    for entry in fs::read_dir(&workshop().lib).expect("it is a folder").flatten() {
        let to = lib.join(entry.file_name());
        match fs::read_link(entry.path()) {
            Ok(link) => std::os::unix::fs::symlink(link, to).expect("a link can be made"),
            Err(_) if entry.path().is_file() => drop(fs::copy(entry.path(), to).expect("it can be copied")),
            Err(_) => {}
        }
    }
    for library in ["libferromp.so", "libompd.so"] {
        let status = Command::new("strip").arg("--strip-all").arg(lib.join(library)).status();
        assert!(status.is_ok_and(|status| status.success()), "{library} cannot be stripped");
    }
    for compiler in COMPILERS {
        let stopped = stopped::stop(&mut workshop().command_with("regions", compiler, &lib));
        let library = stopped::library(&*stopped.live.target()).expect("the runtime names one");
        assert_eq!(library.canonicalize().ok(), lib.join("libompd.so").canonicalize().ok());
        check(&stopped.space, &stopped.records);
    }
    fs::remove_dir_all(folder).expect("it can be removed");
}

#[test]
fn core_files_by_gcore_show_the_same() {
    if !possible() {
        return;
    }
    for (name, compiler) in [("regions", Compiler::Gcc), ("tasks", Compiler::Clang)] {
        let folder = own(&format!("gcore-{name}-{}", compiler.name()));
        let child = Running::start(workshop().command(name, compiler).arg("park"));
        stopped::until_parked(child.id());
        let core = make_core::by_gcore(child.id(), &folder);
        drop(child);
        match core {
            Ok(core) => check_core(&core, name),
            Err(why) => eprintln!("skipped: {why}"),
        }
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}

#[test]
fn core_files_by_the_kernel_show_the_same() {
    for (name, compiler) in [
        ("regions", Compiler::Clang),
        ("regions", Compiler::Gcc),
        ("foreign", Compiler::Clang),
        ("tasks", Compiler::Gcc),
    ] {
        let folder = own(&format!("core-{name}-{}", compiler.name()));
        match make_core::by_kernel(workshop().command(name, compiler).arg("die"), &folder) {
            Ok(core) => check_core(&core, name),
            Err(why) => eprintln!("skipped: {why}"),
        }
        fs::remove_dir_all(folder).expect("it can be removed");
    }
}

fn check_core(core: &Path, name: &str) {
    let target: Arc<dyn Target> = Arc::new(CoreFile::open(core).expect("it is a core file"));
    let space = stopped::space(Arc::clone(&target));
    let records = stopped::records(&*target);
    assert!(records.len() >= 4);
    if name == "tasks" {
        // In C the deepest task is on top of others; what is queued is still there.
        let thread = space.thread(the(&records, "innermost").lwp()).expect("a thread");
        assert!(thread.task().and_then(|task| task.generating()).is_ok());
        assert!(space.tasks().expect("they can be listed").len() > 8);
    } else {
        check(&space, &records);
    }
}

#[test]
fn devices_of_the_host_are_address_spaces() {
    if !possible() {
        return;
    }
    let stopped =
        workshop().stop("device", Compiler::Offload, &[("OMP_DEBUG", "enabled"), ("FERROMP_HOST_DEVICES", "2")]);
    let devices = u32::try_from(the(&stopped.records, "process").get("devices")).expect("a number");
    assert_eq!(devices, 2);
    let listed = stopped.space.threads().expect("they can be listed");
    let on_device: Vec<_> = listed.iter().filter(|thread| thread.device == 0).collect();
    assert!(on_device.len() >= 2, "{listed:#?}");
    let device = stopped.space.device(HOST_DEVICE, 0).expect("the first device");
    // Of the device's threads two are in a region of two, one level below the device's own initial task.
    let icvs = device.icvs().expect("they can be listed");
    let id = |name: &str| icvs.iter().find(|icv| icv.name == name).expect("it is one").id;
    let threads: Vec<_> =
        on_device.iter().filter_map(|thread| device.thread(i32::try_from(thread.lwp).ok()?).ok()).collect();
    let regions: Vec<_> = threads.iter().filter_map(|thread| thread.parallel().ok()).collect();
    let pair: Vec<_> = regions.iter().filter(|region| region.icv(id("team-size-var")) == Ok(2)).collect();
    assert_eq!(pair.len(), 2, "{on_device:#?}");
    assert!(pair[0].is(pair[1]));
    assert_eq!(pair[0].icv(id("levels-var")), Ok(1));
    let initial = pair[0].enclosing().expect("the target region's");
    assert_eq!(initial.icv(id("team-size-var")), Ok(1));
    for thread in &threads {
        assert!(thread.task().is_ok_and(|task| task.parallel().is_ok()));
        assert!(thread.state().is_ok_and(|(state, _)| state == 1 || state == 0), "it works: {:?}", thread.state());
    }
    // Each address space has its own threads.
    assert!(device.threads().expect("they can be listed").iter().all(|thread| thread.device == 0));
    let other = stopped.space.device(HOST_DEVICE, 1).expect("the second device");
    assert_eq!(other.threads().expect("they can be listed").iter().filter(|thread| thread.task != 0).count(), 0);
    assert_eq!(stopped.space.device(HOST_DEVICE, devices + 7).err(), Some(Rc::UNSUPPORTED));
    assert_eq!(stopped.space.device(HOST_DEVICE + 70, 0).err(), Some(Rc::UNSUPPORTED));
    assert_eq!(device.device(HOST_DEVICE, 0).err(), Some(Rc::BAD_INPUT), "a device is no process");
    // The host's thread waits for the device.
    let waiting = stopped.space.thread(the(&stopped.records, "waits").lwp()).expect("a thread of the host");
    assert!(waiting.parallel().is_ok());
    let (state, _) = waiting.state().expect("states are kept");
    let states = stopped.space.states().expect("they can be listed");
    let name = states.into_iter().find_map(|(number, name)| (number == state).then_some(name));
    assert_eq!(name.as_deref(), Some("ompt_state_wait_target"));
    assert_eq!(stopped.live.finish(), Event::Exited(0));
}

#[test]
fn target_tasks_are_tasks() {
    if !possible() {
        return;
    }
    for compiler in [Compiler::Offload, Compiler::Clang, Compiler::Gcc] {
        let stopped = workshop().stop("device", compiler, &[("OMP_DEBUG", "enabled")]);
        let tasks = stopped.space.tasks().expect("they can be listed");
        // It waits for one whose event is to come.
        let waiting: Vec<_> = tasks.iter().filter(|task| task.flags & TARGET != 0 && task.state == 0).collect();
        assert_eq!(waiting.len(), 1, "{} {tasks:#x?}", compiler.name());
        let task = stopped.space.task_at(waiting[0].task).expect("it has a handle");
        let region = stopped.space.parallel_at(waiting[0].team).expect("a region");
        assert!(task.parallel().expect("a region").is(&region));
        let generating = task.generating().expect("a task");
        assert!(region.task(0).expect("a task").is(&generating), "{}", compiler.name());
        assert_eq!(stopped.live.finish(), Event::Exited(0), "{}", compiler.name());
    }
}
