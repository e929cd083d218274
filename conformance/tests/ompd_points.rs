//! OMPD's breakpoint functions: with `OMP_DEBUG=enabled` each is reached as often as the program has regions, tasks,
//! threads and devices, by the thread that it is about; without, never (OpenMP 5.1, section 5.6).

use std::collections::{BTreeMap, BTreeSet};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{self, COMPILERS, Workshop, possible};
use ferromp_debugger::live::{Event, Live};
use ferromp_debugger::target::Target;
use ompd::Rc;

const POINTS: [&str; 8] = [
    "ompd_bp_parallel_begin",
    "ompd_bp_parallel_end",
    "ompd_bp_task_begin",
    "ompd_bp_task_end",
    "ompd_bp_thread_begin",
    "ompd_bp_thread_end",
    "ompd_bp_device_begin",
    "ompd_bp_device_end",
];

/// As in `debugged/points.c`.
const THREADS: usize = 4;
const REGIONS: usize = 3;
const TASKS: usize = 5;

/// Runs a program to its end; which functions were reached by which threads, in order.
fn reached(
    name: &str,
    compiler: Compiler,
    settings: &[(&str, &str)],
    mut at: impl FnMut(&Live, &str, i32),
) -> Vec<(&'static str, i32)> {
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    let mut command = workshop.command(name, compiler);
    command.envs(settings.iter().copied());
    let mut live = Live::start(&mut command).expect("the program starts");
    live.run_to_library("libferromp.so");
    let places: BTreeMap<u64, &str> = POINTS.into_iter().map(|point| (live.break_at_symbol(point), point)).collect();
    assert_eq!(places.len(), POINTS.len(), "each has an address of its own");
    let mut reached = Vec::new();
    loop {
        match live.run() {
            Event::Breakpoint { lwp, address } => {
                at(&live, places[&address], lwp);
                reached.push((places[&address], lwp));
            }
            Event::Exited(0) => return reached,
            event => panic!("{event:?} after {reached:?}"),
        }
    }
}

fn count(reached: &[(&str, i32)], point: &str) -> usize {
    reached.iter().filter(|(name, _)| *name == point).count()
}

#[test]
fn nobody_comes_by_unless_asked_to() {
    if !possible() {
        return;
    }
    for settings in [&[][..], &[("OMP_DEBUG", "disabled")]] {
        for compiler in COMPILERS {
            assert_eq!(reached("points", compiler, settings, |_, _, _| {}), []);
        }
    }
}

#[test]
fn each_is_reached_as_often_as_there_is_reason() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let reached = reached("points", compiler, &[("OMP_DEBUG", "enabled")], |_, _, _| {});
        let count = |point: &str| count(&reached, point);
        // One region more is serialised.
        assert_eq!(count("ompd_bp_parallel_begin"), REGIONS + 1, "{reached:?}");
        assert_eq!(count("ompd_bp_parallel_end"), REGIONS + 1, "{reached:?}");
        assert_eq!(count("ompd_bp_task_begin"), count("ompd_bp_task_end"), "{reached:?}");
        assert!(count("ompd_bp_task_begin") >= REGIONS * TASKS, "{reached:?}");
        assert_eq!(count("ompd_bp_thread_begin"), THREADS, "{reached:?}");
        let threads: BTreeSet<i32> =
            reached.iter().filter(|(point, _)| *point == "ompd_bp_thread_begin").map(|(_, lwp)| *lwp).collect();
        assert_eq!(threads.len(), THREADS, "each of them itself: {reached:?}");
        assert!(count("ompd_bp_thread_end") <= THREADS, "{reached:?}");
        assert_eq!(count("ompd_bp_device_begin"), count("ompd_bp_device_end"), "{reached:?}");
        // Regions are the encountering thread's, one after the other.
        let regions: Vec<_> = reached.iter().filter(|(point, _)| point.starts_with("ompd_bp_parallel")).collect();
        for pair in regions.chunks(2) {
            assert_eq!((pair[0].0, pair[1].0), ("ompd_bp_parallel_begin", "ompd_bp_parallel_end"));
            assert_eq!(pair[0].1, pair[1].1);
        }
    }
}

#[test]
fn at_each_point_the_library_sees_what_begins_or_ends() {
    if !possible() {
        return;
    }
    for (name, compiler) in ["points", "league"].into_iter().flat_map(|name| COMPILERS.map(|compiler| (name, compiler)))
    {
        let mut handle = None;
        let (mut begun, mut tasks) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::<_, Vec<_>>::new());
        reached(name, compiler, &[("OMP_DEBUG", "enabled")], |live, point, lwp| {
            let space = handle.get_or_insert_with(|| stopped::space(live.target()));
            let thread = space.thread(lwp).unwrap_or_else(|rc| panic!("{point}: {rc:?}"));
            match point {
                "ompd_bp_parallel_begin" => {
                    // The region is the one that begins, the task the one that encountered it: it is in the region
                    // around.
                    let region = thread.parallel().expect("a region");
                    let task = thread.task().expect("a task");
                    let around = region.enclosing().expect("the initial one encloses it");
                    assert!(task.parallel().expect("a region").is(&around), "{point} of {}", compiler.name());
                    begun.entry(lwp).or_default().push(region);
                }
                "ompd_bp_parallel_end" => {
                    let region = thread.parallel().expect("a region");
                    let task = thread.task().expect("a task");
                    assert!(
                        region.is(&begun.entry(lwp).or_default().pop().expect("it began here")),
                        "{point} of {}",
                        compiler.name()
                    );
                    let around = region.enclosing().expect("the initial one encloses it");
                    assert!(task.parallel().expect("a region").is(&around), "{point} of {}", compiler.name());
                }
                "ompd_bp_task_begin" | "ompd_bp_task_end" => {
                    let task =
                        thread.task().unwrap_or_else(|rc| panic!("{point} of {name}, {}: {rc:?}", compiler.name()));
                    if point == "ompd_bp_task_begin" {
                        tasks.entry(lwp).or_default().push(thread.task().expect("a task"));
                    } else {
                        let begun = tasks.entry(lwp).or_default().pop().expect("it began here");
                        assert!(
                            task.is(&begun),
                            "{point} of {name}, {}: another task than that which began",
                            compiler.name()
                        );
                    }
                    let region = match thread.parallel() {
                        // A worker's implicit task ends behind the barrier, where the region may be over already.
                        Err(Rc::UNAVAILABLE) if point == "ompd_bp_task_end" => return,
                        region => region.expect("a region"),
                    };
                    assert!(task.parallel().expect("a region").is(&region), "{point}");
                    assert_eq!(
                        task.generating().is_ok(),
                        region.enclosing().is_ok(),
                        "{point}: only the initial task has none"
                    );
                }
                _ => {}
            }
        });
    }
}

#[test]
fn devices_begin_and_end() {
    if !possible() {
        return;
    }
    let mut handle = None;
    let reached = reached("device", Compiler::Offload, &[("OMP_DEBUG", "enabled")], |live, point, _| {
        if point.starts_with("ompd_bp_device") {
            let space = handle.get_or_insert_with(|| stopped::space(live.target()));
            space.device(ompd::DEVICE_KIND_HOST, 0).unwrap_or_else(|rc| panic!("{point}: {rc:?}"));
        }
    });
    assert!(count(&reached, "ompd_bp_device_begin") >= 1, "{reached:?}");
    assert!(count(&reached, "ompd_bp_device_end") <= count(&reached, "ompd_bp_device_begin"), "{reached:?}");
}

#[test]
fn locations_are_there_when_they_are_said_to_be() {
    if !possible() {
        return;
    }
    let workshop = Workshop::new(env!("CARGO_TARGET_TMPDIR"));
    for compiler in COMPILERS {
        let mut live = Live::start(&mut workshop.command("points", compiler)).expect("the program starts");
        live.run_to_library("libferromp.so");
        let valid = live.break_at_symbol("ompd_dll_locations_valid");
        live.run_to(valid);
        let library = stopped::library(&*live.target()).expect("the runtime names one");
        assert!(library.is_absolute() && library.exists(), "{}", library.display());
        assert_eq!(library.canonicalize().ok(), workshop.lib.join("libompd.so").canonicalize().ok());
        // The list has an end.
        let target = live.target();
        let list: u64 =
            target.symbol("ompd_dll_locations", None).and_then(|list| target.value(list)).expect("a pointer");
        assert!((0..16).any(|number| target.value::<u64>(list + 8 * number) == Some(0)));
        assert_eq!(live.finish(), Event::Exited(0));
    }
}
