//! What every function of libompd answers to what it cannot use: null pointers, handles of another kind, handles that
//! were released or that never were any (OpenMP 5.1, section 5.5). Bad input is said of parameters that are no handles,
//! stale of handles (5.3.12).

use std::ffi::c_void;
use std::ptr::{null, null_mut};

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{Stopped, Workshop, possible};
use ferromp_debugger::handles::{Parallel, Scoped, Task, Thread};
use ferromp_debugger::ompd::Functions;
use ompd::{Address, FrameInfo, ICV_UNDEFINED, Rc, SEGMENT_NONE, Scope};

const NOWHERE: Address = Address { segment: SEGMENT_NONE, address: 0 };
const NO_FRAME: FrameInfo = FrameInfo { frame_address: NOWHERE, frame_flag: 0 };

fn stop() -> Stopped {
    Workshop::new(env!("CARGO_TARGET_TMPDIR")).stop("tasks", Compiler::Gcc, &[("OMP_DEBUG", "enabled")])
}

/// The handles of one thread.
struct Handles {
    space: *mut c_void,
    thread: *mut c_void,
    parallel: *mut c_void,
    task: *mut c_void,
}

/// Calls every function that takes a handle with these; what each answered.
fn call_all(functions: &Functions, handles: &Handles) -> Vec<(&'static str, Rc)> {
    let (space, thread, parallel, task) =
        (handles.space.cast(), handles.thread.cast(), handles.parallel.cast(), handles.task.cast());
    let f = functions;
    let (mut out_space, mut out_thread, mut out_parallel, mut out_task) =
        (null_mut(), null_mut(), null_mut(), null_mut());
    let (mut word, mut number, mut string, mut id) = (0, 0, null(), 0_u64);
    let (mut address, mut exit, mut enter) = (NOWHERE, NO_FRAME, NO_FRAME);
    let (mut scope, mut list, mut more) = (Scope::GLOBAL, null(), 0);
    let lwp = 1_u32;
    let mut device = 0_u32;
    let (mut threads, mut tasks, mut regions, mut arrivals, mut count) =
        (null_mut(), null_mut(), null_mut(), null_mut(), 0);
    // SAFETY: the outputs are good, and the library checks handles.
    let answers = unsafe {
        vec![
            (
                "ompd_device_initialize",
                (f.ompd_device_initialize)(
                    space,
                    (&raw mut word).cast(),
                    1,
                    4,
                    (&raw mut device).cast(),
                    &mut out_space,
                ),
            ),
            ("ompd_get_omp_version", (f.ompd_get_omp_version)(space, &mut word)),
            ("ompd_get_omp_version_string", (f.ompd_get_omp_version_string)(space, &mut string)),
            (
                "ompd_get_thread_handle",
                (f.ompd_get_thread_handle)(space, 1, 4, (&raw const lwp).cast(), &mut out_thread),
            ),
            ("ompd_enumerate_states", (f.ompd_enumerate_states)(space, 0, &mut word, &mut string, &mut word.clone())),
            ("ompd_get_display_control_vars", (f.ompd_get_display_control_vars)(space, &mut list)),
            (
                "ompd_enumerate_icvs",
                (f.ompd_enumerate_icvs)(space, ICV_UNDEFINED, &mut id.clone(), &mut string, &mut scope, &mut more),
            ),
            ("ferromp_ompd_get_threads", (f.ferromp_ompd_get_threads)(space, &mut threads, &mut count)),
            ("ferromp_ompd_get_tasks", (f.ferromp_ompd_get_tasks)(space, &mut tasks, &mut count)),
            ("ferromp_ompd_get_parallels", (f.ferromp_ompd_get_parallels)(space, &mut regions, &mut count)),
            ("ferromp_ompd_parallel_handle", (f.ferromp_ompd_parallel_handle)(space, 4096, &mut out_parallel)),
            ("ferromp_ompd_get_lock_owner", (f.ferromp_ompd_get_lock_owner)(space, 4096, &mut number)),
            ("ferromp_ompd_task_handle", (f.ferromp_ompd_task_handle)(space, 4096, &mut out_task)),
            ("ferromp_ompd_thread_handle", (f.ferromp_ompd_thread_handle)(space, 1, &mut out_thread)),
            ("ompd_get_thread_id", (f.ompd_get_thread_id)(thread, 0, 8, (&raw mut id).cast())),
            ("ompd_thread_handle_compare", (f.ompd_thread_handle_compare)(thread, thread, &mut number)),
            ("ompd_get_curr_parallel_handle", (f.ompd_get_curr_parallel_handle)(thread, &mut out_parallel)),
            ("ompd_get_curr_task_handle", (f.ompd_get_curr_task_handle)(thread, &mut out_task)),
            ("ompd_get_state", (f.ompd_get_state)(thread, &mut word, &mut id)),
            ("ompd_get_enclosing_parallel_handle", (f.ompd_get_enclosing_parallel_handle)(parallel, &mut out_parallel)),
            ("ompd_get_thread_in_parallel", (f.ompd_get_thread_in_parallel)(parallel, 0, &mut out_thread)),
            ("ompd_get_task_in_parallel", (f.ompd_get_task_in_parallel)(parallel, 0, &mut out_task)),
            ("ompd_parallel_handle_compare", (f.ompd_parallel_handle_compare)(parallel, parallel, &mut number)),
            ("ferromp_ompd_get_arrivals", (f.ferromp_ompd_get_arrivals)(parallel, &mut arrivals, &mut count)),
            ("ompd_get_task_parallel_handle", (f.ompd_get_task_parallel_handle)(task, &mut out_parallel)),
            ("ompd_get_generating_task_handle", (f.ompd_get_generating_task_handle)(task, &mut out_task)),
            ("ompd_get_scheduling_task_handle", (f.ompd_get_scheduling_task_handle)(task, &mut out_task)),
            ("ompd_task_handle_compare", (f.ompd_task_handle_compare)(task, task, &mut number)),
            ("ompd_get_task_function", (f.ompd_get_task_function)(task, &mut address)),
            ("ompd_get_task_frame", (f.ompd_get_task_frame)(task, &mut exit, &mut enter)),
            (
                "ompd_get_tool_data of a thread",
                (f.ompd_get_tool_data)(handles.thread, Scope::THREAD, &mut word, &mut address),
            ),
            (
                "ompd_get_tool_data of a region",
                (f.ompd_get_tool_data)(handles.parallel, Scope::PARALLEL, &mut word, &mut address),
            ),
            (
                "ompd_get_tool_data of a task",
                (f.ompd_get_tool_data)(handles.task, Scope::TASK, &mut word, &mut address),
            ),
            ("ompd_get_icv_from_scope", (f.ompd_get_icv_from_scope)(handles.space, Scope::ADDRESS_SPACE, 1, &mut word)),
            (
                "ompd_get_icv_string_from_scope",
                (f.ompd_get_icv_string_from_scope)(handles.space, Scope::ADDRESS_SPACE, 1, &mut string),
            ),
            ("ompd_rel_task_handle", (f.ompd_rel_task_handle)(task)),
            ("ompd_rel_parallel_handle", (f.ompd_rel_parallel_handle)(parallel)),
            ("ompd_rel_thread_handle", (f.ompd_rel_thread_handle)(thread)),
            ("ompd_rel_address_space_handle", (f.ompd_rel_address_space_handle)(space)),
        ]
    };
    let nothing = out_space.is_null() && out_thread.is_null() && out_parallel.is_null() && out_task.is_null();
    assert!(nothing, "a call that failed gave a handle: {answers:?}");
    answers
}

fn check(answers: Vec<(&'static str, Rc)>, allowed: &[Rc]) {
    let wrong: Vec<_> = answers.into_iter().filter(|(_, rc)| !allowed.contains(rc)).collect();
    assert!(wrong.is_empty(), "not of {allowed:?}: {wrong:?}");
}

#[test]
fn the_debugger_knows_every_function_of_the_header() {
    let header = ferromp_conformance::runtime::workspace().join("crates/ompt/include/omp-tools.h");
    let header = std::fs::read_to_string(header).expect("it can be read");
    let declared = header.lines().filter_map(|line| {
        let name = line.strip_prefix("ompd_rc_t ")?.split('(').next()?.trim();
        (name.starts_with("ompd_") || name.starts_with("ferromp_ompd_")).then_some(name)
    });
    let declared: std::collections::BTreeSet<&str> = declared.collect();
    assert!(declared.len() > 40, "{declared:?}");
    assert_eq!(declared, Functions::NAMES.iter().copied().collect());
}

#[test]
fn null_and_invented_handles_are_stale() {
    if !possible() {
        return;
    }
    let stopped = stop();
    let functions = stopped.space.ompd().functions;
    for invented in [0_usize, 1, 8, 4096, usize::MAX, usize::MAX & !15] {
        let pointer = std::ptr::without_provenance_mut::<c_void>(invented);
        let handles = Handles { space: pointer, thread: pointer, parallel: pointer, task: pointer };
        check(call_all(&functions, &handles), &[Rc::STALE_HANDLE]);
    }
}

#[test]
fn handles_of_another_kind_are_stale() {
    if !possible() {
        return;
    }
    let stopped = stop();
    let functions = stopped.space.ompd().functions;
    let thread = stopped.space.thread(stopped.stopper).expect("a thread");
    let (parallel, task) = (thread.parallel().expect("a region"), thread.task().expect("a task"));
    let all = [stopped.space.handle(), thread.handle(), parallel.handle(), task.handle()];
    for turn in 1..4 {
        let other = |number: usize| all[(number + turn) % 4];
        let handles = Handles { space: other(0), thread: other(1), parallel: other(2), task: other(3) };
        check(call_all(&functions, &handles), &[Rc::STALE_HANDLE]);
    }
    // They are as they were.
    assert!(thread.parallel().expect("a region").is(&parallel));
    assert!(thread.task().expect("a task").is(&task));
}

#[test]
fn released_handles_are_stale() {
    if !possible() {
        return;
    }
    let Stopped { space, stopper, live, .. } = stop();
    let functions = space.ompd().functions;
    let thread = space.thread(stopper).expect("a thread");
    let (parallel, task) = (thread.parallel().expect("a region"), thread.task().expect("a task"));
    let handles =
        Handles { space: space.handle(), thread: thread.handle(), parallel: parallel.handle(), task: task.handle() };
    assert_eq!(task.release(), Rc::OK);
    assert_eq!(parallel.release(), Rc::OK);
    assert_eq!(thread.release(), Rc::OK);
    assert_eq!(space.release(), Rc::OK);
    check(call_all(&functions, &handles), &[Rc::STALE_HANDLE]);
    // Again, with other handles made since: places may be used again, handles are not.
    let again = ferromp_conformance::stopped::space(live.target());
    let fresh: Vec<Thread> = (0..20).map(|_| again.thread(stopper).expect("a thread")).collect();
    let regions: Vec<Parallel> = fresh.iter().map(|thread| thread.parallel().expect("a region")).collect();
    let tasks: Vec<Task> = fresh.iter().map(|thread| thread.task().expect("a task")).collect();
    check(call_all(&functions, &handles), &[Rc::STALE_HANDLE]);
    assert!(regions.iter().all(|region| region.is(&regions[0])) && tasks.iter().all(|task| task.is(&tasks[0])));
}

#[test]
fn places_for_results_have_to_be_there() {
    if !possible() {
        return;
    }
    let stopped = stop();
    let f = stopped.space.ompd().functions;
    let thread = stopped.space.thread(stopped.stopper).expect("a thread");
    let (parallel, task) = (thread.parallel().expect("a region"), thread.task().expect("a task"));
    let (space_raw, thread_raw, parallel_raw, task_raw) = (stopped.space.raw, thread.raw, parallel.raw, task.raw);
    let lwp = stopped.stopper;
    let (mut word, mut string, mut id, mut scope, mut more, mut frame) = (0, null(), 0_u64, Scope::GLOBAL, 0, NO_FRAME);
    let (mut address, mut device) = (NOWHERE, 0_u32);
    // SAFETY: handles are good, and the library checks the rest.
    let answers = unsafe {
        vec![
            ("ompd_process_initialize", (f.ompd_process_initialize)(space_raw.cast(), null_mut())),
            ("ompd_process_initialize", (f.ompd_process_initialize)(null_mut(), &mut null_mut())),
            (
                "ompd_device_initialize",
                (f.ompd_device_initialize)(space_raw, space_raw.cast(), 1, 4, (&raw mut device).cast(), null_mut()),
            ),
            (
                "ompd_device_initialize",
                (f.ompd_device_initialize)(space_raw, space_raw.cast(), 1, 4, null_mut(), &mut null_mut()),
            ),
            ("ompd_get_omp_version", (f.ompd_get_omp_version)(space_raw, null_mut())),
            ("ompd_get_omp_version_string", (f.ompd_get_omp_version_string)(space_raw, null_mut())),
            (
                "ompd_get_thread_handle",
                (f.ompd_get_thread_handle)(space_raw, 1, 4, (&raw const lwp).cast(), null_mut()),
            ),
            ("ompd_get_thread_handle", (f.ompd_get_thread_handle)(space_raw, 1, 4, null(), &mut null_mut())),
            ("ompd_get_thread_id", (f.ompd_get_thread_id)(thread_raw, 0, 8, null_mut())),
            ("ompd_thread_handle_compare", (f.ompd_thread_handle_compare)(thread_raw, thread_raw, null_mut())),
            ("ompd_get_curr_parallel_handle", (f.ompd_get_curr_parallel_handle)(thread_raw, null_mut())),
            ("ompd_get_curr_task_handle", (f.ompd_get_curr_task_handle)(thread_raw, null_mut())),
            ("ompd_get_state", (f.ompd_get_state)(thread_raw, null_mut(), &mut id)),
            ("ompd_get_enclosing_parallel_handle", (f.ompd_get_enclosing_parallel_handle)(parallel_raw, null_mut())),
            ("ompd_get_thread_in_parallel", (f.ompd_get_thread_in_parallel)(parallel_raw, 0, null_mut())),
            ("ompd_get_task_in_parallel", (f.ompd_get_task_in_parallel)(parallel_raw, 0, null_mut())),
            ("ompd_parallel_handle_compare", (f.ompd_parallel_handle_compare)(parallel_raw, parallel_raw, null_mut())),
            ("ompd_get_task_parallel_handle", (f.ompd_get_task_parallel_handle)(task_raw, null_mut())),
            ("ompd_get_generating_task_handle", (f.ompd_get_generating_task_handle)(task_raw, null_mut())),
            ("ompd_get_scheduling_task_handle", (f.ompd_get_scheduling_task_handle)(task_raw, null_mut())),
            ("ompd_task_handle_compare", (f.ompd_task_handle_compare)(task_raw, task_raw, null_mut())),
            ("ompd_get_task_function", (f.ompd_get_task_function)(task_raw, null_mut())),
            ("ompd_get_task_frame", (f.ompd_get_task_frame)(task_raw, null_mut(), &mut frame)),
            ("ompd_get_task_frame", (f.ompd_get_task_frame)(task_raw, &mut frame, null_mut())),
            ("ompd_enumerate_states", (f.ompd_enumerate_states)(space_raw, 0, null_mut(), &mut string, &mut word)),
            (
                "ompd_enumerate_states",
                (f.ompd_enumerate_states)(space_raw, 0, &mut word, null_mut(), &mut word.clone()),
            ),
            ("ompd_enumerate_states", (f.ompd_enumerate_states)(space_raw, 0, &mut word, &mut string, null_mut())),
            (
                "ompd_enumerate_states",
                (f.ompd_enumerate_states)(space_raw, 0x7777_7777, &mut word, &mut string, &mut word.clone()),
            ),
            ("ompd_get_display_control_vars", (f.ompd_get_display_control_vars)(space_raw, null_mut())),
            ("ompd_rel_display_control_vars", (f.ompd_rel_display_control_vars)(null_mut())),
            (
                "ompd_enumerate_icvs",
                (f.ompd_enumerate_icvs)(space_raw, 0, null_mut(), &mut string, &mut scope, &mut more),
            ),
            ("ompd_enumerate_icvs", (f.ompd_enumerate_icvs)(space_raw, 0, &mut id, null_mut(), &mut scope, &mut more)),
            ("ompd_enumerate_icvs", (f.ompd_enumerate_icvs)(space_raw, 0, &mut id, &mut string, null_mut(), &mut more)),
            (
                "ompd_enumerate_icvs",
                (f.ompd_enumerate_icvs)(space_raw, 0, &mut id, &mut string, &mut scope, null_mut()),
            ),
            (
                "ompd_enumerate_icvs",
                (f.ompd_enumerate_icvs)(space_raw, 77_777, &mut id, &mut string, &mut scope, &mut more),
            ),
            (
                "ompd_get_icv_from_scope",
                (f.ompd_get_icv_from_scope)(thread_raw.cast(), Scope::THREAD, 77_777, &mut word),
            ),
            ("ompd_get_icv_from_scope", (f.ompd_get_icv_from_scope)(thread_raw.cast(), Scope(77), 1, &mut word)),
            (
                "ompd_get_icv_string_from_scope",
                (f.ompd_get_icv_string_from_scope)(thread_raw.cast(), Scope::THREAD, 77_777, &mut string),
            ),
            ("ompd_get_tool_data", (f.ompd_get_tool_data)(thread_raw.cast(), Scope::THREAD, null_mut(), &mut address)),
            ("ompd_get_tool_data", (f.ompd_get_tool_data)(thread_raw.cast(), Scope::THREAD, &mut word, null_mut())),
            ("ompd_get_tool_data", (f.ompd_get_tool_data)(thread_raw.cast(), Scope(77), &mut word, &mut address)),
            ("ferromp_ompd_get_threads", (f.ferromp_ompd_get_threads)(space_raw, null_mut(), null_mut())),
            ("ferromp_ompd_get_tasks", (f.ferromp_ompd_get_tasks)(space_raw, null_mut(), null_mut())),
            ("ferromp_ompd_get_parallels", (f.ferromp_ompd_get_parallels)(space_raw, null_mut(), null_mut())),
            ("ferromp_ompd_parallel_handle", (f.ferromp_ompd_parallel_handle)(space_raw, 1, null_mut())),
            ("ferromp_ompd_parallel_handle", (f.ferromp_ompd_parallel_handle)(space_raw, 4096, &mut null_mut())),
            ("ferromp_ompd_task_handle", (f.ferromp_ompd_task_handle)(space_raw, 4096, &mut null_mut())),
            ("ferromp_ompd_get_arrivals", (f.ferromp_ompd_get_arrivals)(parallel_raw, null_mut(), null_mut())),
            ("ferromp_ompd_get_lock_owner", (f.ferromp_ompd_get_lock_owner)(space_raw, 1, null_mut())),
        ]
    };
    check(answers, &[Rc::BAD_INPUT]);
}

#[test]
fn every_icv_has_a_value_as_number_or_text_and_text_always() {
    if !possible() {
        return;
    }
    let stopped = stop();
    let thread = stopped.space.thread(stopped.stopper).expect("a thread");
    let (parallel, task) = (thread.parallel().expect("a region"), thread.task().expect("a task"));
    let icvs = stopped.space.icvs().expect("they can be listed");
    assert!(icvs.len() > 15, "{icvs:?}");
    for icv in &icvs {
        let of: &dyn Scoped = match icv.scope {
            Scope::GLOBAL | Scope::ADDRESS_SPACE => &stopped.space,
            Scope::THREAD => &thread,
            Scope::PARALLEL => &parallel,
            _ => &task,
        };
        let functions = stopped.space.ompd().functions;
        let (mut value, mut string) = (0, null());
        // SAFETY: the handle is of the scope.
        let (number, text) = unsafe {
            (
                (functions.ompd_get_icv_from_scope)(of.handle(), icv.scope, icv.id, &mut value),
                (functions.ompd_get_icv_string_from_scope)(of.handle(), icv.scope, icv.id, &mut string),
            )
        };
        assert!(matches!(number, Rc::OK | Rc::INCOMPLETE | Rc::INCOMPATIBLE), "{icv:?}: {number:?}");
        assert_eq!(text, Rc::OK, "{icv:?}");
        // SAFETY: the table has it, and the string is ours.
        unsafe { (ferromp_debugger::callbacks::table().free_memory.expect("it is there"))(string.cast_mut().cast()) };
    }
}

#[test]
fn handles_may_be_used_by_several_threads_at_once() {
    if !possible() {
        return;
    }
    let stopped = stop();
    let (space, stopper) = (stopped.space.raw.expose_provenance(), stopped.stopper);
    let functions = stopped.space.ompd().functions;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let (mut thread, mut region, mut task) = (null_mut(), null_mut(), null_mut());
                    // SAFETY: the handle lives until all are done; each thread uses its own besides.
                    unsafe {
                        let space = std::ptr::with_exposed_provenance_mut(space);
                        let id = (&raw const stopper).cast();
                        assert_eq!((functions.ompd_get_thread_handle)(space, 1, 4, id, &mut thread), Rc::OK);
                        assert_eq!((functions.ompd_get_curr_parallel_handle)(thread, &mut region), Rc::OK);
                        assert_eq!((functions.ompd_get_curr_task_handle)(thread, &mut task), Rc::OK);
                        assert_eq!((functions.ompd_rel_thread_handle)(thread), Rc::OK);
                        assert_eq!((functions.ompd_rel_parallel_handle)(region), Rc::OK);
                        assert_eq!((functions.ompd_rel_task_handle)(task), Rc::OK);
                    }
                }
            });
        }
    });
}
