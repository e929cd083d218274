//! The functions that debuggers put breakpoints on (OpenMP 5.1 §5.6): each event calls its own, on the right thread,
//! and what the library tells there of the current task and region is what the specification says. Needs `cargo xtask
//! build`.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use ferromp_conformance::compile::{Compiler, Job};
use ferromp_conformance::runtime::workspace;
use ferromp_debugger::handles::{Parallel, Space, Task};
use ferromp_debugger::live::{Event, Live, allowed};
use ferromp_debugger::ompd::Ompd;
use ferromp_debugger::target::{self, Target};

const NAMES: [&str; 8] = [
    "parallel_begin",
    "parallel_end",
    "task_begin",
    "task_end",
    "thread_begin",
    "thread_end",
    "device_begin",
    "device_end",
];

/// The program's untied tasks, and those that lie below them on a stack when they go.
const UNTIED: usize = 4;

/// Whether processes can be controlled here; a test without that says so and is over.
fn forbidden() -> bool {
    allowed().inspect_err(|why| eprintln!("skipped: {why}")).is_err()
}

fn prefix() -> PathBuf {
    let lib = workspace().join("dist/lib");
    assert!(lib.join("libompd.so").exists(), "{} is missing: run `cargo xtask build` first", lib.display());
    lib
}

fn program(compiler: Compiler) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("debug");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("breakpoints");
    let source = folder.join("events.c");
    let job = Job { compiler, source: &source, shared: false, flags: &[], libs: &[], include: &folder, cache: &cache };
    job.build().unwrap_or_else(|why| panic!("{why}"))
}

fn start(compiler: Compiler, lib: &Path, debug: &str) -> Live {
    let mut command = Command::new(program(compiler));
    for (name, _) in
        std::env::vars().filter(|(name, _)| ["OMP_", "KMP_", "GOMP_", "LD_"].iter().any(|of| name.starts_with(of)))
    {
        command.env_remove(name);
    }
    command.env("LD_LIBRARY_PATH", lib).env("OMP_DEBUG", debug);
    let mut live = Live::start(&mut command).expect("the program starts");
    live.run_to_library("libferromp.so");
    live
}

/// What a thread has begun and not ended, the innermost last.
#[derive(Default)]
struct Thread {
    tasks: Vec<Task>,
    regions: Vec<Parallel>,
    ended: bool,
}

/// Follows the events of a program and compares each with what the library says.
struct Follower {
    space: Option<Space>,
    threads: BTreeMap<i32, Thread>,
    counts: HashMap<&'static str, usize>,
    /// Tasks that have not ended where and when a tied one would.
    wanderers: usize,
}

impl Follower {
    /// The task that ends has begun: as the innermost one of the thread, or it is an untied one, which may have gone on
    /// elsewhere.
    fn end(&mut self, lwp: i32, task: &Task) {
        let innermost =
            self.threads.get(&lwp).and_then(|thread| thread.tasks.last()).is_some_and(|begun| begun.is(task));
        self.wanderers += usize::from(!innermost);
        for thread in self.threads.values_mut() {
            if let Some(place) = thread.tasks.iter().rposition(|begun| begun.is(task)) {
                thread.tasks.remove(place);
                return;
            }
        }
        let records = self.space.as_ref().map(|space| (space.threads(), space.tasks()));
        panic!("the task that ends on thread {lwp} has begun: {:#x?}; {records:#x?}", task.function());
    }

    fn event(&mut self, ompd: &Arc<Ompd>, live: &Live, lwp: i32, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
        let space =
            self.space.get_or_insert_with(|| Space::process(ompd, live.target()).expect("the process is known"));
        let is_new = !self.threads.contains_key(&lwp);
        assert_eq!(is_new, name == "thread_begin", "{name} on thread {lwp}");
        let known = self.threads.entry(lwp).or_default();
        assert!(!known.ended, "{name} after the end of thread {lwp}");
        let thread = space.thread(lwp).expect("a thread of OpenMP's");
        match name {
            "thread_begin" => {}
            "thread_end" => known.ended = true,
            "task_begin" => {
                let task = thread.task().expect("a thread has a task");
                assert!(known.tasks.last().is_none_or(|outer| !outer.is(&task)), "the task is another than before");
                known.tasks.push(task);
            }
            "task_end" => {
                let task = thread.task().expect("a thread has a task");
                self.end(lwp, &task);
            }
            "parallel_begin" => {
                let (task, region) = (thread.task().expect("a task"), thread.parallel().expect("a region"));
                assert!(
                    known.tasks.last().is_some_and(|encountering| encountering.is(&task)),
                    "it is the encountering task"
                );
                let around = task.parallel().expect("the task is in a region");
                assert!(!around.is(&region), "the region that begins is the current one");
                assert!(
                    region.enclosing().is_ok_and(|outer| outer.is(&around)),
                    "the encountering task's region is around it"
                );
                known.regions.push(region);
            }
            "parallel_end" => {
                let (task, region) = (thread.task().expect("a task"), thread.parallel().expect("a region"));
                assert!(
                    known.tasks.last().is_some_and(|encountering| encountering.is(&task)),
                    "it is the encountering task"
                );
                let begun = known.regions.pop().expect("what ends has begun");
                assert!(begun.is(&region), "the region that ends is the current one");
            }
            other => panic!("there are no devices: {other}"),
        }
    }
}

fn each_event_calls_its_function(compiler: Compiler) {
    if forbidden() {
        return;
    }
    let lib = prefix();
    let ompd = Ompd::shared(&lib.join("libompd.so")).unwrap_or_else(|why| panic!("{why}"));
    let mut live = start(compiler, &lib, "enabled");
    let addresses: HashMap<u64, &'static str> =
        NAMES.iter().map(|name| (live.break_at_symbol(&format!("ompd_bp_{name}")), *name)).collect();
    assert_eq!(addresses.len(), NAMES.len(), "each has an address of its own");
    let counted = |live: &Live| {
        let number = |name| target::value::<i32>(&*live.target(), live.target().symbol(name, None)?);
        number("regions").zip(number("tasks")).expect("the program has the numbers")
    };
    let mut follower = Follower { space: None, threads: BTreeMap::new(), counts: HashMap::new(), wanderers: 0 };
    let (mut regions, mut tasks) = (0, 0);
    loop {
        match live.run() {
            Event::Breakpoint { lwp, address } => {
                follower.event(&ompd, &live, lwp, addresses[&address]);
                (regions, tasks) = counted(&live);
            }
            Event::Exited(status) => {
                assert_eq!(status, 0);
                break;
            }
            event => panic!("{event:?}"),
        }
    }
    let count = |name| follower.counts.get(name).copied().unwrap_or_default();
    assert_eq!(count("parallel_begin"), regions as usize);
    assert_eq!(count("parallel_end"), regions as usize);
    assert_eq!(count("task_begin"), count("task_end"));
    // An implicit task for each thread of each region: two in most, one in those that are serialised or ask for one.
    // And an initial one.
    let implicit = 2 + (2 + 2 * (2 + 1 + 2)) + 1 + 2;
    assert_eq!(count("task_begin"), tasks as usize + implicit + 1);
    assert!(follower.wanderers <= UNTIED, "tied tasks end inside out, where they have begun: {}", follower.wanderers);
    assert_eq!(count("thread_begin"), count("thread_end"));
    assert_eq!(count("thread_begin"), follower.threads.len());
    for (lwp, thread) in &follower.threads {
        assert!(thread.ended && thread.tasks.is_empty() && thread.regions.is_empty(), "thread {lwp} has ended whole");
    }
}

/// The list of libraries at the call of the function that announces the list.
fn the_library_is_found(compiler: Compiler, lib: &Path, expected: &Path) {
    let mut live = start(compiler, lib, "disabled");
    let valid = live.break_at_symbol("ompd_dll_locations_valid");
    let shown = live.target();
    let locations = shown.symbol("ompd_dll_locations", None).expect("it is exported");
    assert_eq!(shown.value::<u64>(locations), Some(0), "nothing is said before it is known");
    live.run_to(valid);
    let list = shown.value::<u64>(locations).expect("a pointer");
    let name = shown.value::<u64>(list).and_then(|name| target::string(&*shown, name)).expect("a name");
    assert_eq!(Path::new(&name), expected);
    assert_eq!(shown.value::<u64>(list + 8), Some(0), "the list ends");
    assert_eq!(live.finish(), Event::Exited(0));
}

fn the_library_is_found_wherever_the_prefix_is(compiler: Compiler) {
    if forbidden() {
        return;
    }
    let lib = prefix();
    the_library_is_found(compiler, &lib, &lib.canonicalize().expect("it is there").join("libompd.so"));
    // A moved prefix, through a link, by a path that is no absolute one.
    let moved =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("moved-{}-{}", compiler.name(), std::process::id()));
    std::fs::create_dir_all(moved.join("there")).expect("it can be made");
    std::fs::copy(lib.join("libferromp.so"), moved.join("there/libferromp.so")).expect("it can be copied");
    for name in ["libomp.so.5", "libgomp.so.1", "libferromp.so.1"] {
        std::os::unix::fs::symlink("there/libferromp.so", moved.join(name)).expect("it can be linked");
    }
    let expected = moved.join("there").canonicalize().expect("it is there").join("libompd.so");
    the_library_is_found(compiler, &moved, &expected);
    let here = std::env::current_dir().expect("there is one");
    if let Ok(below) = moved.strip_prefix(&here) {
        the_library_is_found(compiler, below, &expected);
    }
    std::fs::remove_dir_all(moved).expect("it can be removed");
}

macro_rules! with_both {
    ($($name:ident)*) => {
        mod gcc {
            $( #[test] fn $name() { super::$name(super::Compiler::Gcc); } )*
        }
        mod clang {
            $( #[test] fn $name() { super::$name(super::Compiler::Clang); } )*
        }
    };
}

with_both! { each_event_calls_its_function the_library_is_found_wherever_the_prefix_is }
