//! Tasks: which task is executed, which generated it, what lies below it on the stack.

use super::program::CODE;
use super::regions::thread;
use super::*;
use ompt::{FrameFlag, TaskFlag};

/// The functions of the tasks on a thread's stack, innermost first, as the scheduling tasks lead outwards.
fn stack(space: *mut AddressSpaceHandle, lwp: u64) -> Vec<u64> {
    follow(get!(ompd_get_curr_task_handle(thread(space, lwp))), |task| made!(ompd_get_scheduling_task_handle(task)))
}

/// As [`stack`], but as the generating tasks lead outwards.
fn ancestry(space: *mut AddressSpaceHandle, lwp: u64) -> Vec<u64> {
    follow(get!(ompd_get_curr_task_handle(thread(space, lwp))), |task| made!(ompd_get_generating_task_handle(task)))
}

fn follow(first: *mut TaskHandle, next: impl Fn(*mut TaskHandle) -> (Rc, *mut TaskHandle)) -> Vec<u64> {
    let (mut functions, mut task) = (Vec::new(), first);
    loop {
        functions.push(match made!(ompd_get_task_function(task)) {
            (Rc::OK, address) => address.address,
            (code, _) => {
                assert_eq!(code, Rc::UNAVAILABLE, "the first task of a thread has no function");
                0
            }
        });
        match next(task) {
            (Rc::OK, outer) => task = outer,
            (code, _) => {
                assert_eq!(code, Rc::UNAVAILABLE);
                return functions;
            }
        }
    }
}

#[test]
fn a_primary_thread_has_the_encountering_task_below_its_own() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        program.fork(&[root, worker], 5, 1);
        program.fork(&[root], 1, 2);
        let space = fake.process();
        assert_eq!(stack(space, 100), [CODE + 32, CODE + 16, 0]);
        assert_eq!(stack(space, 101), [CODE + 16], "nothing lies below a worker's");
        assert_eq!(ancestry(space, 100), [CODE + 32, CODE + 16, 0]);
        assert_eq!(ancestry(space, 101), [CODE + 16, 0]);
        let (one, other) =
            (get!(ompd_get_curr_task_handle(thread(space, 100))), get!(ompd_get_curr_task_handle(thread(space, 101))));
        let (less, more) = (get!(ompd_task_handle_compare(one, other)), get!(ompd_task_handle_compare(other, one)));
        assert!(less != 0 && less.signum() == -more.signum());
        let again = get!(ompd_get_curr_task_handle(thread(space, 100)));
        assert_eq!(get!(ompd_task_handle_compare(one, again)), 0);
    });
}

#[test]
fn explicit_tasks_lie_on_the_nearest_ancestor_that_the_thread_executes() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        let team = program.fork(&[root, worker], 5, 1);
        let generating = program.task_of(program.member(team, 0));
        let blocks = program.slab(root, &[0, 1, 2, 3, 0, 0]);
        let (a, b) = (blocks[0], blocks[1]);
        program.explicit(a, generating, team, 0xa000);
        program.explicit(b, a, team, 0xb000);
        // The primary thread executes the first task, which has generated the second, executed by the worker, and waits
        // for it.
        fake.set(root, Field::ThreadTask, a);
        fake.set(a, Field::TaskExecutor, root);
        fake.set(worker, Field::ThreadTask, b);
        let space = fake.process();
        assert_eq!(stack(space, 100), [0xa000, CODE + 16, 0]);
        assert_eq!(stack(space, 101), [0xb000, CODE + 16], "the worker's implicit task, in its barrier");
        assert_eq!(ancestry(space, 101), [0xb000, 0xa000, CODE + 16, 0]);
        // The worker executes an undeferred task inside of the second.
        let c = program.explicit(blocks[2], b, team, 0xc000);
        fake.set(c, Field::TaskFlags, (TaskFlag::EXPLICIT.0 | TaskFlag::UNDEFERRED.0) as u64);
        fake.set(worker, Field::ThreadTask, c);
        assert_eq!(stack(space, 101), [0xc000, 0xb000, CODE + 16]);
        // A child of its that was queued and that the worker executes while it waits.
        let d = program.explicit(blocks[3], c, team, 0xd000);
        fake.set(c, Field::TaskExecutor, worker);
        fake.set(worker, Field::ThreadTask, d);
        assert_eq!(stack(space, 101), [0xd000, 0xc000, 0xb000, CODE + 16]);
        // In the middle of the stack, too, a task knows what lies below it.
        let middle = get!(ferromp_ompd_task_handle(space, b));
        assert_eq!(follow(middle, |task| made!(ompd_get_scheduling_task_handle(task))), [0xb000, CODE + 16]);
        // A task that has not begun lies on no other.
        let e = program.explicit(blocks[4], d, team, 0xe000);
        refused!(UNAVAILABLE: ompd_get_scheduling_task_handle(get!(ferromp_ompd_task_handle(space, e))));
        let region = get!(ompd_get_task_parallel_handle(get!(ferromp_ompd_task_handle(space, e))));
        get!(ompd_get_thread_in_parallel(region, 1));
    });
}

#[test]
fn regions_of_explicit_tasks_lie_on_them() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let (one, two) = (program.thread(101), program.thread(102));
        let team = program.fork(&[root, one], 5, 1);
        let blocks = program.slab(root, &[0]);
        let a = program.explicit(blocks[0], program.task_of(program.member(team, 0)), team, 0xa000);
        fake.set(one, Field::ThreadTask, a);
        program.fork(&[one, two], 2, 2);
        let space = fake.process();
        assert_eq!(stack(space, 101), [CODE + 32, 0xa000, CODE + 16]);
        assert_eq!(stack(space, 102), [CODE + 32]);
        assert_eq!(ancestry(space, 102), [CODE + 32, 0xa000, CODE + 16, 0]);
    });
}

#[test]
fn a_task_that_is_complete_leaves_a_stale_handle() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, team) = program.root(100);
        let parent = program.get(root, Field::ThreadTask);
        let blocks = program.slab(root, &[0, 0]);
        let a = program.explicit(blocks[0], parent, team, 0xa000);
        let space = fake.process();
        let handle = get!(ferromp_ompd_task_handle(space, a));
        assert_eq!(get!(ompd_get_task_function(handle)).address, 0xa000);
        fake.set(a, Field::TaskLink, 1);
        refused!(STALE_HANDLE: ompd_get_task_function(handle));
        refused!(STALE_HANDLE: ompd_get_generating_task_handle(handle));
        // Another task in its block.
        program.explicit(blocks[0], parent, team, 0xb000);
        refused!(STALE_HANDLE: ompd_get_task_function(handle));
        assert_eq!(ompd_rel_task_handle(handle), Rc::OK);
        for none in [0, 1, blocks[1], a + 64, u64::MAX, root, team] {
            refused!(BAD_INPUT: ferromp_ompd_task_handle(space, none));
        }
    });
}

#[test]
fn frames_are_those_of_the_task_where_they_are_kept() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        let team = program.fork(&[root, worker], 5, 1);
        let space = fake.process();
        let frame = |task: *mut TaskHandle| {
            let none = || FrameInfo { frame_address: nothing(), frame_flag: -1 };
            let (mut exit, mut enter) = (none(), none());
            // SAFETY: a handle, and variables.
            let code = unsafe { ompd_get_task_frame(task, &mut exit, &mut enter) };
            (code, (exit.frame_address.address, exit.frame_flag), (enter.frame_address.address, enter.frame_flag))
        };
        let task = get!(ompd_get_curr_task_handle(thread(space, 100)));
        assert_eq!(frame(task).0, Rc::NEEDS_STATE_TRACKING);
        program.keep_states();
        for thread in [root, worker] {
            fake.set(thread, Field::ThreadPresence, 2);
        }
        let (runtime, program_flags) = (FrameFlag::RUNTIME.0 as u64, FrameFlag::APPLICATION.0 as u64);
        let at = program.get(root, Field::ThreadTask) + u64::from(fake.entry(Field::TaskFrame).offset);
        fake.poke_number(at, fake.pointer, 0x7fff_1000);
        fake.poke_number(at + 8, fake.pointer, 0x7fff_0800);
        fake.poke_number(at + 16, 4, runtime | 0x20);
        fake.poke_number(at + 20, 4, program_flags | 0x10);
        let expected = (Rc::OK, (0x7fff_1000, (runtime | 0x20) as i64), (0x7fff_0800, (program_flags | 0x10) as i64));
        assert_eq!(frame(task), expected);
        // A worker that has been called and has not begun has the frames of the region before.
        fake.set(team, Field::TeamGo, super::program::go(6, 2, 0));
        let task = get!(ompd_get_task_in_parallel(get!(ompd_get_curr_parallel_handle(thread(space, 100))), 1));
        let at = program.task_of(program.member(team, 1)) + u64::from(fake.entry(Field::TaskFrame).offset);
        fake.poke_number(at, fake.pointer, 0x7fff_2000);
        assert_eq!(frame(task), (Rc::OK, (0, 0), (0, 0)));
    });
}

#[test]
fn circles_of_tasks_are_errors() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, team) = program.root(100);
        let parent = program.get(root, Field::ThreadTask);
        let blocks = program.slab(root, &[0, 0]);
        let a = program.explicit(blocks[0], parent, team, 0xa000);
        let b = program.explicit(blocks[1], a, team, 0xb000);
        fake.set(root, Field::ThreadTask, b);
        fake.set(a, Field::TaskParent, b);
        let space = fake.process();
        let task = get!(ompd_get_curr_task_handle(thread(space, 100)));
        refused!(ERROR: ompd_get_scheduling_task_handle(task));
        for field in [Field::TaskExecutor, Field::TaskFlags] {
            // Each is said to lie on the other.
            for block in [a, b] {
                let undeferred = (TaskFlag::EXPLICIT.0 | TaskFlag::UNDEFERRED.0) as u64;
                fake.set(block, field, if field == Field::TaskFlags { undeferred } else { root });
            }
            let mut task = get!(ompd_get_curr_task_handle(thread(space, 100)));
            let mut steps = 0;
            while let (Rc::OK, next) = made!(ompd_get_scheduling_task_handle(task)) {
                task = next;
                steps += 1;
                if steps == 10 {
                    break;
                }
            }
            let (code, records, count) = super::lists::tasks(space);
            assert_eq!(code, Rc::ERROR, "{count} {records:?}");
        }
    });
}

#[test]
fn a_target_task_on_a_helper_thread_lies_on_its_initial_task() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        let (helper, _) = program.root(102);
        let team = program.fork(&[root, worker], 5, 1);
        let a = program.explicit(program.slab(root, &[0])[0], program.task_of(program.member(team, 0)), team, 0xa000);
        fake.set(helper, Field::ThreadTask, a);
        let space = fake.process();
        assert_eq!(stack(space, 102), [0xa000, 0]);
        let region = get!(ompd_get_curr_parallel_handle(thread(space, 102)));
        refused!(BAD_INPUT: ompd_get_thread_in_parallel(region, 1));
        let of_task = get!(ompd_get_task_parallel_handle(get!(ompd_get_curr_task_handle(thread(space, 102)))));
        get!(ompd_get_thread_in_parallel(of_task, 1));
    });
}

#[test]
fn a_deep_stack_of_tasks_is_walked_step_by_step() {
    const DEEP: usize = 2000;
    let fake = Fake::new(false, 8);
    let program = Program::new(&fake);
    let (root, _) = program.root(100);
    let team = program.fork(&[root], 1, 1);
    let mut parent = program.get(root, Field::ThreadTask);
    while program.get(parent, Field::TaskDepth) < DEEP as u64 {
        for block in program.slab(root, &[0; 8]) {
            parent = program.explicit(block, parent, team, 0xa000);
            fake.set(parent, Field::TaskExecutor, root);
        }
    }
    fake.set(root, Field::ThreadTask, parent);
    fake.set(parent, Field::TaskExecutor, 0);
    let space = fake.process();
    fake.reads.set(0);
    let all = stack(space, 100);
    assert_eq!(all.len(), DEEP + 2);
    assert!(fake.reads.get() < 200 * DEEP as u64, "{} reads", fake.reads.get());
}
