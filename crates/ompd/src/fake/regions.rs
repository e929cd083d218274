//! Threads and regions: the thread's place in teams, its state, the tool's data.

use super::program::{CODE, go, pthread};
use super::*;
use ompt::State;

/// A handle of the thread that the kernel knows as `lwp`.
pub fn thread(space: *mut AddressSpaceHandle, lwp: u64) -> *mut ThreadHandle {
    get!(ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()))
}

/// The number of regions around the thread's current region, and the sizes of all of them; `None` if the thread
/// executes no region.
fn regions(space: *mut AddressSpaceHandle, lwp: u64) -> Option<Vec<i32>> {
    let (code, mut parallel) = made!(ompd_get_curr_parallel_handle(thread(space, lwp)));
    if code == Rc::UNAVAILABLE {
        return None;
    }
    let mut sizes = Vec::new();
    loop {
        sizes.push((0..).find(|number| made!(ompd_get_thread_in_parallel(parallel, *number)).0 != Rc::OK).unwrap());
        let (code, outer) = made!(ompd_get_enclosing_parallel_handle(parallel));
        if code != Rc::OK {
            assert_eq!(code, Rc::UNAVAILABLE);
            return Some(sizes);
        }
        parallel = outer;
    }
}

#[test]
fn threads_are_found_by_both_native_identifiers() {
    on_each(|fake| {
        let program = Program::new(fake);
        program.root(100);
        program.thread(101);
        let ended = program.thread(102);
        fake.set(ended, Field::ThreadPthread, 0);
        let space = fake.process();
        let find = |kind: ThreadId, size: Size, id: u64| {
            // The host is little endian where these tests run.
            let id = if size == 4 { id.to_le() } else { id };
            made!(ompd_get_thread_handle(space, kind, size, (&raw const id).cast()))
        };
        let (code, by_lwp) = find(THREAD_ID_LWP, 8, 101);
        assert_eq!(code, Rc::OK);
        let (code, by_short_lwp) = find(THREAD_ID_LWP, 4, 101);
        assert_eq!(code, Rc::OK);
        let (code, by_pthread) = find(THREAD_ID_PTHREAD, fake.pointer as u64, pthread(101));
        assert_eq!(code, Rc::OK);
        assert_eq!(get!(ompd_thread_handle_compare(by_lwp, by_pthread)), 0);
        assert_eq!(get!(ompd_thread_handle_compare(by_lwp, by_short_lwp)), 0);
        let (_, other) = find(THREAD_ID_LWP, 8, 100);
        let (one, two) =
            (get!(ompd_thread_handle_compare(by_lwp, other)), get!(ompd_thread_handle_compare(other, by_lwp)));
        assert!(one != 0 && one.signum() == -two.signum());

        assert_eq!(find(THREAD_ID_LWP, 8, 999).0, Rc::UNAVAILABLE);
        assert_eq!(find(THREAD_ID_LWP, 8, 102).0, Rc::UNAVAILABLE, "ended");
        assert_eq!(find(THREAD_ID_LWP, 8, 0).0, Rc::UNAVAILABLE);
        for size in [0, 1, 2, 7, 9, u64::MAX] {
            assert_eq!(find(THREAD_ID_LWP, size, 101).0, Rc::BAD_INPUT, "{size} bytes");
            assert_eq!(find(THREAD_ID_PTHREAD, size, 101).0, Rc::BAD_INPUT, "{size} bytes");
        }
        for kind in [2, 17, u64::MAX] {
            assert_eq!(find(kind, 8, 101).0, Rc::UNSUPPORTED, "kind {kind}");
        }

        let id_of = |kind: ThreadId, size: Size| {
            let mut id = 0_u64;
            // SAFETY: a handle, and a variable with as many bytes as any size that is accepted.
            (unsafe { ompd_get_thread_id(by_lwp, kind, size, (&raw mut id).cast()) }, id)
        };
        assert_eq!(id_of(THREAD_ID_LWP, 8), (Rc::OK, 101));
        assert_eq!(id_of(THREAD_ID_LWP, 4), (Rc::OK, 101));
        assert_eq!(id_of(THREAD_ID_PTHREAD, 8), (Rc::OK, pthread(101)));
        assert_eq!(id_of(THREAD_ID_LWP, 2).0, Rc::BAD_INPUT);
        assert_eq!(id_of(5, 8).0, Rc::UNSUPPORTED);
    });
}

#[test]
fn a_thread_that_has_ended_leaves_a_stale_handle() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let space = fake.process();
        let handle = thread(space, 100);
        fake.set(root, Field::ThreadPthread, 0);
        refused!(STALE_HANDLE: ompd_get_curr_task_handle(handle));
        refused!(STALE_HANDLE: ompd_get_curr_parallel_handle(handle));
        // Another thread has the descriptor now.
        fake.set(root, Field::ThreadPthread, pthread(200));
        fake.set(root, Field::ThreadLwp, 200);
        refused!(STALE_HANDLE: ompd_get_curr_task_handle(handle));
        assert_eq!(ompd_rel_thread_handle(handle), Rc::OK);
    });
}

#[test]
fn regions_nest() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let (one, two, three) = (program.thread(101), program.thread(102), program.thread(103));
        let outer = program.fork(&[root, one, two], 5, 1);
        program.fork(&[one, three], 9, 2);
        // A region of one thread around another.
        program.fork(&[two], 2, 2);
        program.fork(&[two], 1, 3);
        let space = fake.process();
        assert_eq!(regions(space, 100), Some(vec![3, 1]));
        assert_eq!(regions(space, 101), Some(vec![2, 3, 1]));
        assert_eq!(regions(space, 102), Some(vec![1, 1, 3, 1]));
        assert_eq!(regions(space, 103), Some(vec![2, 3, 1]));

        let inner = get!(ompd_get_curr_parallel_handle(thread(space, 103)));
        let same = get!(ompd_get_curr_parallel_handle(thread(space, 101)));
        let around = get!(ompd_get_enclosing_parallel_handle(inner));
        let current = get!(ompd_get_curr_parallel_handle(thread(space, 100)));
        assert_eq!(get!(ompd_parallel_handle_compare(inner, same)), 0);
        assert_eq!(get!(ompd_parallel_handle_compare(around, current)), 0);
        let (less, more) =
            (get!(ompd_parallel_handle_compare(inner, around)), get!(ompd_parallel_handle_compare(around, inner)));
        assert!(less != 0 && less.signum() == -more.signum());
        for number in [-1, 2, 199, i32::MAX, i32::MIN] {
            refused!(BAD_INPUT: ompd_get_thread_in_parallel(inner, number));
            refused!(BAD_INPUT: ompd_get_task_in_parallel(inner, number));
        }
        for (number, lwp) in [(0, 101), (1, 103)] {
            let found = get!(ompd_get_thread_in_parallel(inner, number));
            assert_eq!(get!(ompd_thread_handle_compare(found, thread(space, lwp))), 0);
        }
        let task = get!(ompd_get_task_in_parallel(inner, 1));
        assert_eq!(get!(ompd_get_task_function(task)).address, CODE + 2 * 16);
        let again = get!(ompd_get_task_parallel_handle(task));
        assert_eq!(get!(ompd_parallel_handle_compare(again, inner)), 0);
        let _ = outer;
    });
}

#[test]
fn a_region_that_is_over_leaves_stale_handles_and_idle_workers() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        let team = program.fork(&[root, worker], 5, 1);
        let space = fake.process();
        let region = get!(ompd_get_curr_parallel_handle(thread(space, 101)));
        let task = get!(ompd_get_curr_task_handle(thread(space, 101)));
        // No tool is active, so the team's word stays as it is.
        program.join(team);
        assert_eq!(regions(space, 100), Some(vec![1]));
        assert_eq!(regions(space, 101), None);
        refused!(UNAVAILABLE: ompd_get_curr_task_handle(thread(space, 101)));
        refused!(STALE_HANDLE: ompd_get_enclosing_parallel_handle(region));
        refused!(STALE_HANDLE: ompd_get_thread_in_parallel(region, 0));
        refused!(STALE_HANDLE: ompd_get_task_function(task));
        let mut state = 0;
        // SAFETY: a handle, and a variable.
        assert_eq!(unsafe { ompd_get_state(thread(space, 101), &mut state, null_mut()) }, Rc::OK);
        assert_eq!(state, i64::from(State::IDLE.0), "that it is idle can be seen");
        // The next region of the same team.
        fake.set(team, Field::TeamGo, go(6, 2, 0));
        refused!(STALE_HANDLE: ompd_get_enclosing_parallel_handle(region));
        assert_eq!(regions(space, 101), None, "called, and does not know it yet");
        fake.set(program.member(team, 1), Field::MemberSeen, 6);
        assert_eq!(regions(space, 101), Some(vec![2, 1]), "its primary thread is about to enter");
        assert_eq!(regions(space, 100), Some(vec![1]));
        refused!(STALE_HANDLE: ompd_get_enclosing_parallel_handle(region));
        assert_eq!(ompd_rel_parallel_handle(region), Rc::OK);
        assert_eq!(ompd_rel_task_handle(task), Rc::OK);
    });
}

#[test]
fn threads_in_reserve_and_of_disbanded_teams_are_idle() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let (one, two) = (program.thread(101), program.thread(102));
        let team = program.fork(&[root, one, two], 5, 1);
        fake.set(team, Field::TeamGo, go(5, 2, 1));
        fake.set(team, Field::TeamThreads, 2);
        let space = fake.process();
        assert_eq!(regions(space, 101), Some(vec![2, 1]));
        assert_eq!(regions(space, 102), None, "in reserve");
        program.join(team);
        fake.set(team, Field::TeamGo, go(6, 3, 4));
        for lwp in [101, 102] {
            assert_eq!(regions(space, lwp), None, "disbanded");
        }
        // One of the two will get another slot; the other's slot has another thread.
        fake.set(program.member(team, 1), Field::MemberThread, two);
        fake.set(team, Field::TeamGo, go(7, 3, 0));
        fake.set(program.member(team, 1), Field::MemberSeen, 7);
        assert_eq!(regions(space, 101), None);
    });
}

#[test]
fn a_thread_before_its_first_slot_executes_nothing() {
    on_each(|fake| {
        let program = Program::new(fake);
        program.root(100);
        program.thread(101);
        let space = fake.process();
        refused!(UNAVAILABLE: ompd_get_curr_parallel_handle(thread(space, 101)));
        refused!(UNAVAILABLE: ompd_get_curr_task_handle(thread(space, 101)));
    });
}

#[test]
fn a_worker_that_is_being_created_is_not_available_yet() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        program.fork(&[root, worker], 5, 1);
        fake.set(worker, Field::ThreadPthread, 0);
        let space = fake.process();
        let region = get!(ompd_get_curr_parallel_handle(thread(space, 100)));
        refused!(UNAVAILABLE: ompd_get_thread_in_parallel(region, 1));
        let task = get!(ompd_get_task_in_parallel(region, 1));
        assert_eq!(get!(ompd_get_task_function(task)).address, CODE + 16);
    });
}

/// A league of `teams` teams that `threads` share: the league's team, and the initial teams that the threads are in.
fn league(program: &Program, threads: &[u64]) -> (u64, Vec<u64>) {
    let fake = program.fake;
    let encountering = program.get(threads[0], Field::ThreadMember);
    let task = program.get(threads[0], Field::ThreadTask);
    let own = program.fork(threads, 4, 1);
    let teams = threads.iter().enumerate().map(|(number, thread)| {
        let initial = program.team(1, 8, 0);
        fake.set(initial, Field::TeamParent, encountering);
        fake.set(initial, Field::TeamParentTask, task);
        fake.set(initial, Field::TeamNumber, number as u64);
        fake.set(initial, Field::TeamLeague, threads.len() as u64);
        fake.set(program.member(own, number as u64), Field::MemberChild, initial);
        program.works_in(*thread, initial, 0);
        let own_task = program.task_of(program.member(initial, 0));
        fake.set(own_task, Field::TaskParent, task);
        fake.set(own_task, Field::TaskFlags, ompt::TaskFlag::INITIAL.0 as u64);
        // In the parts of tools, all initial teams stand for the league.
        let part = own + u64::from(fake.entry(Field::TeamTool).offset);
        fake.set(initial, Field::TeamStandsFor, part);
        initial
    });
    (own, teams.collect())
}

#[test]
fn teams_of_a_league_are_inside_the_region_that_encountered_it() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let (one, two) = (program.thread(101), program.thread(102));
        let (own, teams) = league(&program, &[root, one]);
        // A region in the second team.
        program.fork(&[one, two], 3, 1);
        let space = fake.process();
        assert_eq!(regions(space, 100), Some(vec![1, 1]));
        assert_eq!(regions(space, 101), Some(vec![2, 1, 1]));
        assert_eq!(regions(space, 102), Some(vec![2, 1, 1]));

        let first = get!(ompd_get_curr_parallel_handle(thread(space, 100)));
        let inner = get!(ompd_get_curr_parallel_handle(thread(space, 102)));
        let second = get!(ompd_get_enclosing_parallel_handle(inner));
        assert_ne!(get!(ompd_parallel_handle_compare(first, second)), 0);
        fake.set(own, Field::TeamData, 4711);
        for team in [first, second] {
            let (mut value, mut pointer) = (0, nothing());
            // SAFETY: a handle, and variables.
            assert_eq!(unsafe { ompd_get_tool_data(team.cast(), Scope::PARALLEL, &mut value, &mut pointer) }, Rc::OK);
            assert_eq!(value, 4711, "to tools they are one region");
        }
        let _ = teams;
    });
}

#[test]
fn a_thread_of_a_league_that_is_over_is_idle() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let one = program.thread(101);
        let (own, _) = league(&program, &[root, one]);
        let space = fake.process();
        let region = get!(ompd_get_curr_parallel_handle(thread(space, 101)));
        let task = get!(ompd_get_curr_task_handle(thread(space, 101)));
        assert_eq!(get!(ompd_get_task_function(task)).address, CODE);
        // The threads stay in their last initial task until they are called to something else.
        program.join(own);
        assert_eq!(regions(space, 100), Some(vec![1]));
        assert_eq!(regions(space, 101), None);
        refused!(STALE_HANDLE: ompd_get_enclosing_parallel_handle(region));
        refused!(STALE_HANDLE: ompd_get_task_function(task));
        refused!(UNAVAILABLE: ompd_get_curr_task_handle(thread(space, 101)));
    });
}

#[test]
fn the_end_of_a_leagues_task_can_be_asked_for_when_the_league_is_over() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let one = program.thread(101);
        program.keep_states();
        for thread in [root, one] {
            fake.set(thread, Field::ThreadState, State::WORK_SERIAL.0 as u64);
            fake.set(thread, Field::ThreadPresence, 2);
        }
        let (own, teams) = league(&program, &[root, one]);
        let space = fake.process();
        let task = get!(ompd_get_curr_task_handle(thread(space, 101)));
        // The league's primary thread has gone on; this thread has not yet reported the end of its last initial task.
        program.join(own);
        fake.set(one, Field::ThreadPresence, 3);
        let ends = get!(ompd_get_curr_task_handle(thread(space, 101)));
        assert_eq!(get!(ompd_task_handle_compare(task, ends)), 0, "the task that began");
        assert_eq!(get!(ompd_get_task_function(task)).address, CODE);
        refused!(UNAVAILABLE: ompd_get_curr_parallel_handle(thread(space, 101)));
        fake.set(one, Field::ThreadPresence, 1);
        refused!(UNAVAILABLE: ompd_get_curr_task_handle(thread(space, 101)));
        refused!(STALE_HANDLE: ompd_get_task_function(task));
        let _ = teams;
    });
}

#[test]
fn a_target_region_of_the_host_is_inside_the_one_that_encountered_it() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let one = program.thread(101);
        program.fork(&[root, one], 3, 1);
        let (member, task) = (program.get(one, Field::ThreadMember), program.get(one, Field::ThreadTask));
        let target = program.team(1, 0, 0);
        fake.set(target, Field::TeamEncounteredIn, member);
        program.works_in(one, target, 0);
        fake.set(program.get(one, Field::ThreadTask), Field::TaskFlags, ompt::TaskFlag::INITIAL.0 as u64);
        let space = fake.process();
        assert_eq!(regions(space, 101), Some(vec![1, 2, 1]));
        let initial = get!(ompd_get_curr_task_handle(thread(space, 101)));
        refused!(NEEDS_STATE_TRACKING: ompd_get_generating_task_handle(initial));
        refused!(NEEDS_STATE_TRACKING: ompd_get_scheduling_task_handle(initial));
        program.keep_states();
        fake.set(one, Field::ThreadPresence, 2);
        fake.set(program.get(one, Field::ThreadTask), Field::TaskBelow, task);
        let below = get!(ompd_get_scheduling_task_handle(initial));
        let generating = get!(ompd_get_generating_task_handle(initial));
        assert_eq!(get!(ompd_task_handle_compare(below, generating)), 0);
        let region = get!(ompd_get_task_parallel_handle(below));
        get!(ompd_get_thread_in_parallel(region, 1));
    });
}

#[test]
fn a_region_that_a_debugger_is_told_of_is_the_current_one_already() {
    on_each(|fake| {
        let program = Program::new(fake);
        program.keep_states();
        let (root, _) = program.root(100);
        fake.set(root, Field::ThreadPresence, 2);
        let encountering = program.get(root, Field::ThreadTask);
        let worker = program.thread(101);
        let team = program.fork(&[root, worker], 5, 1);
        let outer = get!(ompd_get_curr_task_handle(thread(fake.process(), 100)));
        program.join(team);
        // At the begin of the next region of the same team.
        fake.set(root, Field::ThreadMember, program.member(team, 0));
        fake.set(team, Field::TeamBreakpoint, 1);
        fake.set(team, Field::TeamThreads, 2);
        let space = fake.process();
        assert_eq!(regions(space, 100), Some(vec![2, 1]));
        let region = get!(ompd_get_curr_parallel_handle(thread(space, 100)));
        let task = get!(ompd_get_curr_task_handle(thread(space, 100)));
        refused!(UNAVAILABLE: ompd_get_generating_task_handle(task));
        let _ = outer;
        // Then it runs.
        fake.set(team, Field::TeamBreakpoint, 0);
        fake.set(team, Field::TeamGo, go(6, 2, 0));
        program.works_in(root, team, 0);
        get!(ompd_get_enclosing_parallel_handle(region));
        // At its end, which its primary thread has written down already.
        fake.set(program.member(team, 0), Field::MemberSeen, 6);
        fake.set(team, Field::TeamGo, go(6, 2, 2));
        fake.set(team, Field::TeamBreakpoint, 2);
        fake.set(root, Field::ThreadTask, encountering);
        get!(ompd_get_enclosing_parallel_handle(region));
        assert_eq!(regions(space, 100), Some(vec![2, 1]));
        fake.set(team, Field::TeamBreakpoint, 0);
        fake.set(root, Field::ThreadMember, program.get(team, Field::TeamParent));
        refused!(STALE_HANDLE: ompd_get_enclosing_parallel_handle(region));
        assert_eq!(regions(space, 100), Some(vec![1]));
    });
}

#[test]
fn where_states_are_kept_they_say_who_executes_what() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        let team = program.fork(&[root, worker], 5, 1);
        let space = fake.process();
        let state = |lwp: u64| {
            let (mut state, mut wait) = (0, 0);
            // SAFETY: a handle, and variables.
            let code = unsafe { ompd_get_state(thread(space, lwp), &mut state, &mut wait) };
            (code, state as i32, wait)
        };
        assert_eq!(state(101).0, Rc::NEEDS_STATE_TRACKING);
        let tell = |thread: u64, state: State, presence: u64| {
            fake.set(thread, Field::ThreadState, state.0 as u64);
            fake.set(thread, Field::ThreadPresence, presence);
        };
        fake.set(worker, Field::ThreadWaitId, 0xbeef);
        // A long wait is reported in any case.
        tell(worker, State::WAIT_LOCK, 0);
        assert_eq!(state(101), (Rc::OK, State::WAIT_LOCK.0, 0xbeef));
        assert_eq!(regions(space, 101), Some(vec![2, 1]));
        program.keep_states();
        tell(root, State::WORK_PARALLEL, 2);
        tell(worker, State::WAIT_BARRIER_EXPLICIT, 2);
        assert_eq!(
            state(101),
            (Rc::OK, State::WAIT_BARRIER_EXPLICIT.0, 0),
            "what it waits for is nothing that excludes others"
        );
        assert_eq!(state(100), (Rc::OK, State::WORK_PARALLEL.0, 0));
        tell(worker, State::OVERHEAD, 1);
        assert_eq!(regions(space, 101), None, "between two tasks");
        tell(worker, State::IDLE, 0);
        assert_eq!(regions(space, 101), None);
        // At the end of the region, which is over before the worker is out.
        tell(worker, State::WAIT_BARRIER_IMPLICIT_PARALLEL, 3);
        assert_eq!(regions(space, 101), Some(vec![2, 1]));
        program.join(team);
        fake.set(team, Field::TeamGo, go(5, 2, 2));
        assert_eq!(regions(space, 101), None);
        let task = get!(ompd_get_curr_task_handle(thread(space, 101)));
        refused!(UNAVAILABLE: ompd_get_task_parallel_handle(task));
        get!(ompd_get_generating_task_handle(task));
    });
}

#[test]
fn states_are_enumerated_once_each() {
    on_each(|fake| {
        let space = fake.process();
        let step = |state: Word| {
            let (mut next, mut name, mut more) = (0, null(), -1);
            // SAFETY: a handle, and variables.
            let code = unsafe { ompd_enumerate_states(space, state, &mut next, &mut name, &mut more) };
            let text = if name.is_null() {
                String::new()
            } else {
                // SAFETY: the library has written a C string, which is ours.
                unsafe {
                    let text = CStr::from_ptr(name).to_str().unwrap().to_owned();
                    free(name.cast_mut().cast());
                    text
                }
            };
            (code, next, text, more)
        };
        let (mut seen, mut state, mut more) = (Vec::new(), Word::from(State::UNDEFINED.0), 1);
        while more == 1 {
            let (code, next, name, left) = step(state);
            assert_eq!(code, Rc::OK);
            assert_eq!(State(next as _).name(), Some(&*name));
            seen.push(next);
            (state, more) = (next, left);
        }
        assert_eq!(more, 0);
        assert_eq!(seen.len(), State::ALL.len() - 1);
        let (code, next, name, more) = step(state);
        assert_eq!((code, next, &*name, more), (Rc::OK, Word::from(State::UNDEFINED.0), "ompt_state_undefined", 0));
        for unknown in [-1, 0x9999, Word::MAX, Word::MIN] {
            assert_eq!(step(unknown).0, Rc::BAD_INPUT);
        }
    });
}

#[test]
fn tool_words_are_those_of_the_scope() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, team) = program.root(100);
        let task = program.get(root, Field::ThreadTask);
        fake.set(root, Field::ThreadData, 11);
        fake.set(team, Field::TeamData, 22);
        fake.set(task, Field::TaskData, 33);
        let space = fake.process();
        let handle = thread(space, 100);
        let parallel = get!(ompd_get_curr_parallel_handle(handle));
        let current = get!(ompd_get_curr_task_handle(handle));
        let data = |handle: *mut c_void, scope: Scope| {
            let (mut value, mut pointer) = (0, nothing());
            // SAFETY: a handle, and variables.
            (unsafe { ompd_get_tool_data(handle, scope, &mut value, &mut pointer) }, value)
        };
        assert_eq!(data(handle.cast(), Scope::THREAD), (Rc::OK, 11));
        assert_eq!(data(parallel.cast(), Scope::PARALLEL), (Rc::OK, 22));
        assert_eq!(data(current.cast(), Scope::TASK), (Rc::OK, 33));
        assert_eq!(data(current.cast(), Scope::IMPLICIT_TASK), (Rc::OK, 33));
        assert_eq!(data(current.cast(), Scope::PARALLEL).0, Rc::STALE_HANDLE);
        assert_eq!(data(null_mut(), Scope::THREAD).0, Rc::STALE_HANDLE);
        for scope in [Scope::GLOBAL, Scope::ADDRESS_SPACE, Scope(0), Scope(9)] {
            assert_eq!(data(space.cast(), scope).0, Rc::BAD_INPUT);
        }
        for scope in [Scope::TEAMS, Scope::TARGET] {
            assert_eq!(data(parallel.cast(), scope).0, Rc::INCOMPATIBLE_HANDLE, "a region of a parallel construct");
            assert_eq!(data(current.cast(), scope).0, Rc::STALE_HANDLE);
        }
    });
}

#[test]
fn garbage_and_circles_are_errors() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, initial) = program.root(100);
        let worker = program.thread(101);
        let team = program.fork(&[root, worker], 5, 1);
        let space = fake.process();
        let (handle, other) = (thread(space, 100), thread(space, 101));
        let region = get!(ompd_get_curr_parallel_handle(other));
        // Slots that lead round in circles.
        fake.set(initial, Field::TeamParent, program.member(team, 0));
        let is_refused = |code: Rc| [Rc::ERROR, Rc::CALLBACK_ERROR, Rc::STALE_HANDLE, Rc::UNAVAILABLE].contains(&code);
        let mut outer = region;
        for _ in 0..10 {
            match made!(ompd_get_enclosing_parallel_handle(outer)) {
                (Rc::OK, next) => outer = next,
                (code, _) => assert!(is_refused(code)),
            }
        }
        fake.set(initial, Field::TeamParent, 0);
        for garbage in [1, 0xdead_beef, u64::MAX, super::BASE, super::BASE + 1] {
            for (base, field) in [
                (team, Field::TeamMembers),
                (worker, Field::ThreadMember),
                (program.member(team, 1), Field::MemberTeam),
            ] {
                let before = program.get(base, field);
                fake.set(base, field, garbage);
                for handle in [handle, other] {
                    let (code, _) = made!(ompd_get_curr_parallel_handle(handle));
                    assert!(
                        code == Rc::OK && handle != other || is_refused(code),
                        "{code:?} for {field:?} {garbage:#x}"
                    );
                    let (code, _) = made!(ompd_get_curr_task_handle(handle));
                    assert!(code == Rc::OK || is_refused(code), "{code:?}");
                }
                fake.set(base, field, before);
            }
        }
        // A list of threads that has no end.
        fake.set(root, Field::ThreadNext, worker);
        let lwp = 999_u64;
        refused!(ERROR: ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
        fake.set(root, Field::ThreadNext, root);
        refused!(ERROR: ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
        fake.set(root, Field::ThreadNext, 0x10);
        refused!(CALLBACK_ERROR: ompd_get_thread_handle(space, THREAD_ID_LWP, 8, (&raw const lwp).cast()));
    });
}
