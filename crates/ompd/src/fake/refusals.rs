//! What the library answers to bad arguments, released handles, debuggers that fail, and programs that are none of the
//! runtime's.

use super::*;

fn process_initialize(fake: &Fake) -> (Rc, *mut AddressSpaceHandle) {
    start();
    made!(ompd_process_initialize(fake.context()))
}

#[test]
fn processes_begin_and_end() {
    on_each(|fake| {
        let handle = fake.process();
        assert_eq!(get!(ompd_get_omp_version(handle)), 202011);
        let string: *const c_char = get!(ompd_get_omp_version_string(handle));
        // SAFETY: the library has written a C string, which is ours.
        unsafe {
            assert!(CStr::from_ptr(string).to_str().unwrap().starts_with("OpenMP 5.1"));
            free(string.cast_mut().cast());
        }
        assert_eq!(ompd_rel_address_space_handle(handle), Rc::OK);
        assert_eq!(ompd_rel_address_space_handle(handle), Rc::STALE_HANDLE, "once");
        refused!(STALE_HANDLE: ompd_get_omp_version(handle));
    });
}

#[test]
fn null_pointers_are_refused() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (_, _) = program.root(100);
        let (space, lwp) = (fake.process(), 100_u64);
        let id = (&raw const lwp).cast::<c_void>();
        let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, id));
        let parallel = get!(ompd_get_curr_parallel_handle(thread));
        let task = get!(ompd_get_curr_task_handle(thread));
        let mut value = 0;
        // SAFETY: handles, null, and variables.
        unsafe {
            assert_eq!(ompd_process_initialize(fake.context(), null_mut()), Rc::BAD_INPUT);
            let mut handle = null_mut();
            assert_eq!(ompd_process_initialize(null_mut(), &mut handle), Rc::BAD_INPUT);
            assert_eq!(ompd_get_omp_version(space, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_omp_version_string(space, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, id, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_thread_id(thread, THREAD_ID_LWP, 8, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_thread_in_parallel(parallel, 0, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_curr_parallel_handle(thread, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_enclosing_parallel_handle(parallel, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_task_parallel_handle(task, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_curr_task_handle(thread, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_generating_task_handle(task, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_scheduling_task_handle(task, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_task_in_parallel(parallel, 0, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_task_function(task, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_task_frame(task, null_mut(), null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_state(thread, null_mut(), null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_thread_handle_compare(thread, thread, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_parallel_handle_compare(parallel, parallel, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_task_handle_compare(task, task, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_enumerate_states(space, 0x102, &mut value, null_mut(), null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_get_tool_data(thread.cast(), Scope::THREAD, &mut value, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ferromp_ompd_free(null_mut()), Rc::OK);
        }
        refused!(BAD_INPUT: ompd_get_thread_handle(space, THREAD_ID_LWP, 8, null()));
        // A null handle is none that is valid.
        let (no_thread, no_parallel, no_task) = (null_mut(), null_mut(), null_mut());
        let no_space = null_mut();
        refused!(STALE_HANDLE: ompd_get_omp_version(no_space));
        refused!(STALE_HANDLE: ompd_get_thread_handle(no_space, THREAD_ID_LWP, 8, id));
        refused!(STALE_HANDLE: ompd_get_curr_parallel_handle(no_thread));
        refused!(STALE_HANDLE: ompd_get_curr_task_handle(no_thread));
        refused!(STALE_HANDLE: ompd_get_enclosing_parallel_handle(no_parallel));
        refused!(STALE_HANDLE: ompd_get_thread_in_parallel(no_parallel, 0));
        refused!(STALE_HANDLE: ompd_get_task_in_parallel(no_parallel, 0));
        refused!(STALE_HANDLE: ompd_get_task_parallel_handle(no_task));
        refused!(STALE_HANDLE: ompd_get_generating_task_handle(no_task));
        refused!(STALE_HANDLE: ompd_get_scheduling_task_handle(no_task));
        refused!(STALE_HANDLE: ompd_get_task_function(no_task));
        refused!(STALE_HANDLE: ompd_thread_handle_compare(thread, no_thread));
        refused!(STALE_HANDLE: ompd_parallel_handle_compare(no_parallel, parallel));
        refused!(STALE_HANDLE: ompd_task_handle_compare(task, no_task));
        assert_eq!(ompd_rel_thread_handle(no_thread), Rc::STALE_HANDLE);
        assert_eq!(ompd_rel_parallel_handle(no_parallel), Rc::STALE_HANDLE);
        assert_eq!(ompd_rel_task_handle(no_task), Rc::STALE_HANDLE);
        assert_eq!(ompd_rel_address_space_handle(no_space), Rc::STALE_HANDLE);
    });
}

#[test]
fn a_handle_of_one_kind_is_none_of_another() {
    let fake = Fake::new(false, 8);
    Program::new(&fake).root(100);
    let space = fake.process();
    let lwp = 100_u32;
    let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 4, (&raw const lwp).cast()));
    refused!(STALE_HANDLE: ompd_get_omp_version(thread.cast()));
    refused!(STALE_HANDLE: ompd_get_curr_task_handle(space.cast()));
    assert_eq!(ompd_rel_task_handle(thread.cast()), Rc::STALE_HANDLE);
    assert_eq!(ompd_rel_parallel_handle(thread.cast()), Rc::STALE_HANDLE);
    assert_eq!(ompd_rel_address_space_handle(thread.cast()), Rc::STALE_HANDLE);
    for garbage in [1_usize, 0x1000, usize::MAX, 1 << 32, (1 << 32) + 1] {
        assert_eq!(ompd_rel_thread_handle(garbage as *mut _), Rc::STALE_HANDLE, "{garbage:#x}");
    }
    assert_eq!(ompd_rel_thread_handle(thread), Rc::OK, "after all that");
}

#[test]
fn handles_are_stale_after_their_address_space() {
    let fake = Fake::new(true, 8);
    Program::new(&fake).root(100);
    let space = fake.process();
    let lwp = 100_u64;
    let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
    assert_eq!(ompd_rel_address_space_handle(space), Rc::OK);
    refused!(STALE_HANDLE: ompd_get_curr_task_handle(thread));
    assert_eq!(ompd_rel_thread_handle(thread), Rc::OK, "it is still to be released");
}

#[test]
fn a_released_place_is_used_again_under_another_handle() {
    let fake = Fake::new(false, 8);
    Program::new(&fake).root(100);
    let space = fake.process();
    let lwp = 100_u64;
    let mut all = std::collections::BTreeSet::new();
    for _ in 0..1000 {
        let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
        assert!(all.insert(thread as usize));
        assert_eq!(ompd_rel_thread_handle(thread), Rc::OK);
        assert_eq!(ompd_rel_thread_handle(thread), Rc::STALE_HANDLE);
    }
    let held: Vec<_> =
        (0..1000).map(|_| get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()))).collect();
    for thread in &held {
        assert!(all.insert(*thread as usize));
        assert_eq!(get!(ompd_thread_handle_compare(*thread, held[0])), 0);
    }
    for thread in held {
        assert_eq!(ompd_rel_thread_handle(thread), Rc::OK);
    }
}

#[test]
fn programs_without_the_runtime_are_incompatible() {
    on_each(|fake| {
        PRINTED.take();
        fake.symbol_fails.set(Rc::ERROR);
        assert_eq!(process_initialize(fake).0, Rc::INCOMPATIBLE);
        fake.symbol_fails.set(Rc::OK);
        fake.poke(fake.object(), b"FERROMPX");
        assert_eq!(process_initialize(fake).0, Rc::INCOMPATIBLE);
        fake.poke(fake.object(), &MAGIC);
        fake.poke_number(fake.object() + 8, 4, u64::from(VERSION) + 1);
        assert_eq!(process_initialize(fake).0, Rc::INCOMPATIBLE);
        fake.poke_number(fake.object() + 8, 4, u64::from(VERSION));
        fake.poke_number(fake.object() + 12, 4, Field::COUNT as u64 - 1);
        assert_eq!(process_initialize(fake).0, Rc::INCOMPATIBLE);
        let lines = PRINTED.take();
        assert_eq!(lines.len(), 4, "{lines:?}");
        assert!(lines.iter().all(|line| line.starts_with("ferromp: OMPD: ")), "{lines:?}");
    });
}

#[test]
fn debuggers_that_fail_are_told_so() {
    on_each(|fake| {
        fake.sizeof_fails.set(Rc::UNSUPPORTED);
        assert_eq!(process_initialize(fake).0, Rc::CALLBACK_ERROR);
        fake.sizeof_fails.set(Rc::STALE_HANDLE);
        assert_eq!(process_initialize(fake).0, Rc::STALE_HANDLE, "of the debugger's own handle");
        fake.sizeof_fails.set(Rc::OK);
        for size in [0, 1, 3, 5, 16, 255] {
            fake.pointer_reported.set(size);
            assert_eq!(process_initialize(fake).0, Rc::CALLBACK_ERROR, "pointers of {size} bytes");
        }
        fake.pointer_reported.set(fake.pointer as u8);
        fake.convert_fails.set(Rc::ERROR);
        assert_eq!(process_initialize(fake).0, Rc::CALLBACK_ERROR);
        fake.convert_fails.set(Rc::OK);
        fake.scrambles.set(true);
        assert_eq!(process_initialize(fake).0, Rc::CALLBACK_ERROR, "an order that no machine has");
        fake.scrambles.set(false);
        fake.symbol_fails.set(Rc::UNSUPPORTED);
        assert_eq!(process_initialize(fake).0, Rc::CALLBACK_ERROR);
        fake.symbol_fails.set(Rc::OK);
        fake.read_fails.set(Rc::DEVICE_READ_ERROR);
        for left in 0..2 {
            fake.reads_left.set(left);
            assert_eq!(process_initialize(fake).0, Rc::CALLBACK_ERROR, "after {left} reads");
        }
        fake.reads_left.set(u64::MAX);
        assert_eq!(process_initialize(fake).0, Rc::OK);
    });
}

#[test]
fn a_read_that_fails_at_any_point_fails_the_function() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (primary, _) = program.root(100);
        let worker = program.thread(101);
        program.fork(&[primary, worker], 3, 1);
        let space = fake.process();
        let lwp = 101_u64;
        fake.reads.set(0);
        let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
        let task = get!(ompd_get_curr_task_handle(thread));
        let parallel = get!(ompd_get_curr_parallel_handle(thread));
        fake.read_fails.set(Rc::ERROR);
        for left in 0..fake.reads.get() {
            let each = || fake.reads_left.set(left);
            each();
            let codes = [
                made!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast())).0,
                (each(), made!(ompd_get_curr_task_handle(thread)).0).1,
                (each(), made!(ompd_get_curr_parallel_handle(thread)).0).1,
                (each(), made!(ompd_get_enclosing_parallel_handle(parallel)).0).1,
                (each(), made!(ompd_get_generating_task_handle(task)).0).1,
                (each(), made!(ompd_get_task_in_parallel(parallel, 0)).0).1,
            ];
            for code in codes {
                assert!([Rc::OK, Rc::CALLBACK_ERROR].contains(&code), "{code:?} after {left} reads");
            }
            if left == 0 {
                assert_eq!(codes, [Rc::CALLBACK_ERROR; 6]);
            }
        }
    });
}

#[test]
fn without_memory_nothing_is_lost() {
    let fake = Fake::new(false, 8);
    Program::new(&fake).root(100);
    let space = fake.process();
    let lwp = 100_u64;
    let before = LENT.get();
    ALLOCATIONS_LEFT.set(0);
    let second = process_initialize(&fake).0;
    let states = {
        let (mut state, mut name, mut more) = (0, null(), 0);
        // SAFETY: a handle, and variables.
        unsafe { ompd_enumerate_states(space, 0x102, &mut state, &mut name, &mut more) }
    };
    let string = made!(ompd_get_omp_version_string(space)).0;
    ALLOCATION_FAILS.set(Rc::ERROR);
    let failing = made!(ompd_get_omp_version_string(space)).0;
    ALLOCATION_FAILS.set(Rc::OK);
    let null_answer = made!(ompd_get_omp_version_string(space)).0;
    ALLOCATION_FAILS.set(Rc::NOMEM);
    ALLOCATIONS_LEFT.set(u64::MAX);
    assert_eq!([second, states, string], [Rc::NOMEM; 3]);
    assert_eq!(failing, Rc::CALLBACK_ERROR);
    assert_eq!(null_answer, Rc::NOMEM);
    assert_eq!(LENT.get(), before);
    let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
    assert_eq!(ompd_rel_thread_handle(thread), Rc::OK);
}

#[test]
fn host_devices_are_address_spaces_of_their_own() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (host, _) = program.root(100);
        // A lane of device 1, which the host's thread runs in now, and a worker of the device.
        let (lane, _) = program.root(100);
        fake.set(lane, Field::ThreadDevice, 1);
        fake.set(lane, Field::ThreadStepsFor, host);
        let worker = program.thread(102);
        fake.set(worker, Field::ThreadDevice, 1);
        program.fork(&[lane, worker], 1, 1);
        let process_block = fake.allocate(1024);
        fake.set_root(Field::RootProcess, process_block);
        fake.set(process_block, Field::ProcessDevices, 2);

        let space = fake.process();
        let device = |number: i64| {
            let (number, mut handle) = (number, null_mut());
            let id = (&raw const number).cast_mut().cast();
            // SAFETY: handles and variables.
            (unsafe { ompd_device_initialize(space, fake.context(), DEVICE_KIND_HOST, 8, id, &mut handle) }, handle)
        };
        let (code, of_device) = device(1);
        assert_eq!(code, Rc::OK);
        assert_eq!(device(0).0, Rc::OK);
        for none in [2, -1, i64::MIN, i64::MAX] {
            assert_eq!(device(none).0, Rc::UNSUPPORTED, "device {none}");
        }
        let (mut number, mut handle) = (1_i32, null_mut());
        let id = (&raw mut number).cast::<c_void>();
        // SAFETY: as above.
        unsafe {
            let context = fake.context();
            assert_eq!(ompd_device_initialize(space, context, DEVICE_KIND_HOST, 4, id, &mut handle), Rc::OK);
            assert_eq!(ompd_device_initialize(space, context, DEVICE_KIND_HOST, 2, id, &mut handle), Rc::BAD_INPUT);
            assert_eq!(ompd_device_initialize(space, context, 2, 4, id, &mut handle), Rc::UNSUPPORTED);
            assert_eq!(ompd_device_initialize(space, null_mut(), DEVICE_KIND_HOST, 4, id, &mut handle), Rc::BAD_INPUT);
            assert_eq!(
                ompd_device_initialize(space, context, DEVICE_KIND_HOST, 4, null_mut(), &mut handle),
                Rc::BAD_INPUT
            );
            assert_eq!(ompd_device_initialize(space, context, DEVICE_KIND_HOST, 4, id, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ompd_device_initialize(of_device, context, DEVICE_KIND_HOST, 4, id, &mut handle), Rc::BAD_INPUT);
            assert_eq!(
                ompd_device_initialize(null_mut(), context, DEVICE_KIND_HOST, 4, id, &mut handle),
                Rc::STALE_HANDLE
            );
        }
        assert_eq!(get!(ompd_get_omp_version(of_device)), 202011);

        // The host's thread is one of both: outside the kernel here, inside it there.
        let lwp = 100_u64;
        let id = (&raw const lwp).cast::<c_void>();
        let outside = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, id));
        let inside = get!(ompd_get_thread_handle(of_device, THREAD_ID_LWP, 8, id));
        refused!(BAD_INPUT: ompd_thread_handle_compare(outside, inside));
        let region = get!(ompd_get_curr_parallel_handle(inside));
        refused!(BAD_INPUT: ompd_get_thread_in_parallel(region, 2));
        let region = get!(ompd_get_curr_parallel_handle(outside));
        refused!(BAD_INPUT: ompd_get_thread_in_parallel(region, 1));
        let lwp = 102_u64;
        let id = (&raw const lwp).cast::<c_void>();
        refused!(UNAVAILABLE: ompd_get_thread_handle(space, THREAD_ID_LWP, 8, id));
        get!(ompd_get_thread_handle(of_device, THREAD_ID_LWP, 8, id));
    });
}

#[test]
fn a_debugger_that_dreams_does_not_keep_the_library_for_ever() {
    let fake = Fake::new(false, 8);
    Program::new(&fake).root(100);
    let space = fake.process();
    let lwp = 100_u64;
    let id = (&raw const lwp).cast::<c_void>();
    let thread = get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, id));
    let parallel = get!(ompd_get_curr_parallel_handle(thread));
    let task = get!(ompd_get_curr_task_handle(thread));
    fake.dreams.set(true);
    let check = |code: Rc| {
        assert_ne!(code, Rc::OK);
        assert!(fake.reads.get() <= 1 << 22, "{} reads", fake.reads.replace(0));
        fake.reads.set(0);
    };
    fake.reads.set(0);
    let no_thread = 99_u64;
    check(made!(ompd_get_thread_handle(space, THREAD_ID_PTHREAD, 8, (&raw const no_thread).cast())).0);
    check(made!(ompd_get_curr_task_handle(thread)).0);
    check(made!(ompd_get_enclosing_parallel_handle(parallel)).0);
    check(made!(ompd_get_scheduling_task_handle(task)).0);
    check(made!(ferromp_ompd_task_handle(space, 0x4_0000)).0);
    let (mut records, mut count) = (null_mut(), 0);
    // SAFETY: a handle, and variables.
    check(unsafe { ferromp_ompd_get_tasks(space, &mut records, &mut count) });
    let mut records = null_mut();
    // SAFETY: as above.
    check(unsafe { ferromp_ompd_get_threads(space, &mut records, &mut count) });
}
