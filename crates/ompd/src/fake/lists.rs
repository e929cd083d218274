//! The lists that OpenMP has no functions for.

use super::program::{CODE, go, pthread};
use super::regions::thread;
use super::*;
use ompt::{State, TaskFlag};

/// What a function that writes a list has written. The list is given back.
fn listed<T: Copy>(list: impl FnOnce(*mut *mut T, *mut Size) -> Rc) -> (Rc, Vec<T>, usize) {
    let (mut records, mut count) = (null_mut(), 7);
    let before = LENT.get();
    let code = list(&mut records, &mut count);
    if code != Rc::OK {
        assert_eq!(LENT.get(), before, "nothing is left behind");
        return (code, Vec::new(), 0);
    }
    let copy = if records.is_null() {
        Vec::new()
    } else {
        // SAFETY: the library says that there are so many.
        unsafe { std::slice::from_raw_parts(records, count as usize) }.to_vec()
    };
    // SAFETY: given back once.
    assert_eq!(unsafe { ferromp_ompd_free(records.cast()) }, Rc::OK);
    assert_eq!(LENT.get(), before);
    (code, copy, count as usize)
}

fn threads(space: *mut AddressSpaceHandle) -> Vec<ThreadRecord> {
    // SAFETY: a handle, and variables.
    let (code, records, _) = listed(|records, count| unsafe { ferromp_ompd_get_threads(space, records, count) });
    assert_eq!(code, Rc::OK);
    records
}

pub fn tasks(space: *mut AddressSpaceHandle) -> (Rc, Vec<TaskRecord>, usize) {
    // SAFETY: a handle, and variables.
    listed(|records, count| unsafe { ferromp_ompd_get_tasks(space, records, count) })
}

fn parallels(space: *mut AddressSpaceHandle) -> Vec<ParallelRecord> {
    // SAFETY: a handle, and variables.
    let (code, records, _) = listed(|records, count| unsafe { ferromp_ompd_get_parallels(space, records, count) });
    assert_eq!(code, Rc::OK);
    records
}

#[test]
fn records_have_the_size_that_debuggers_expect() {
    let sizes =
        [size_of::<ThreadRecord>(), size_of::<TaskRecord>(), size_of::<ParallelRecord>(), size_of::<ArrivalRecord>()];
    assert_eq!(sizes, [72, 64, 64, 24]);
}

#[test]
fn an_empty_program_has_empty_lists() {
    on_each(|fake| {
        let space = fake.process();
        assert!(threads(space).is_empty());
        assert!(parallels(space).is_empty());
        assert_eq!(tasks(space).2, 0);
        // SAFETY: handles, null and variables.
        unsafe {
            let (mut records, mut count) = (null_mut(), 0);
            assert_eq!(ferromp_ompd_get_threads(space, null_mut(), &mut count), Rc::BAD_INPUT);
            assert_eq!(ferromp_ompd_get_threads(space, &mut records, null_mut()), Rc::BAD_INPUT);
            assert_eq!(ferromp_ompd_get_threads(null_mut(), &mut records, &mut count), Rc::STALE_HANDLE);
            assert_eq!(ferromp_ompd_get_tasks(space, null_mut(), &mut count), Rc::BAD_INPUT);
            assert_eq!(ferromp_ompd_get_parallels(space, null_mut(), &mut count), Rc::BAD_INPUT);
            assert_eq!(ferromp_ompd_get_arrivals(null_mut(), null_mut(), &mut count), Rc::STALE_HANDLE);
            assert_eq!(ferromp_ompd_get_lock_owner(space, 5, null_mut()), Rc::BAD_INPUT);
        }
    });
}

#[test]
fn threads_and_regions_are_listed() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, initial) = program.root(100);
        let (one, two) = (program.thread(101), program.thread(102));
        let encountering = program.get(root, Field::ThreadTask);
        let team = program.fork(&[root, one], 5, 1);
        fake.set(team, Field::TeamActiveLevel, 1);
        fake.set(two, Field::ThreadState, State::WAIT_CRITICAL.0 as u64);
        fake.set(two, Field::ThreadWaitId, 0xabc);
        let space = fake.process();
        let all = threads(space);
        let seen: Vec<_> = all.iter().map(|record| (record.lwp, record.tid, record.level, record.state)).collect();
        assert_eq!(seen, [(102, -1, -1, State::WAIT_CRITICAL.0), (101, 1, 1, -1), (100, 0, 1, -1)]);
        assert_eq!((all[0].wait_id, all[0].team, all[0].task, all[0].gtid), (0xabc, 0, 0, 2));
        assert_eq!((all[1].pthread, all[1].team, all[1].member), (pthread(101), team, program.member(team, 1)));
        assert_eq!((all[1].kind, all[2].kind, all[1].device), (2, 1, -1));
        let regions = parallels(space);
        assert_eq!(regions.len(), 2);
        let expected = ParallelRecord {
            team,
            parent: initial,
            encountering,
            function: CODE + 16,
            codeptr: 0,
            threads: 2,
            level: 1,
            active_level: 1,
            flags: -1,
            device: -1,
            reserved: 0,
        };
        assert_eq!(regions[0], expected);
        assert_eq!((regions[1].team, regions[1].parent, regions[1].level, regions[1].encountering), (initial, 0, 0, 0));
        let handle = get!(ferromp_ompd_parallel_handle(space, team));
        assert_eq!(
            get!(ompd_parallel_handle_compare(handle, get!(ompd_get_curr_parallel_handle(thread(space, 101))))),
            0
        );
        refused!(BAD_INPUT: ferromp_ompd_parallel_handle(space, 0));
        refused!(BAD_INPUT: ferromp_ompd_parallel_handle(space, root));
        refused!(UNAVAILABLE: ferromp_ompd_thread_handle(space, 555));
        let by_lwp = get!(ferromp_ompd_thread_handle(space, 101));
        assert_eq!(get!(ompd_thread_handle_compare(by_lwp, thread(space, 101))), 0);
        program.keep_states();
        fake.set(root, Field::ThreadPresence, 2);
        fake.set(one, Field::ThreadPresence, 2);
        fake.set(team, Field::TeamCodeptr, 0x1234);
        fake.set(team, Field::TeamFlags, 0x8000_0001);
        let region = parallels(space)[0];
        assert_eq!((region.codeptr, region.flags as u32), (0x1234, 0x8000_0001));
    });
}

#[test]
fn arrivals_tell_who_misses_a_barrier() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let (one, two) = (program.thread(101), program.thread(102));
        let team = program.fork(&[root, one, two], 5, 1);
        for (tid, passed, arrived) in [(0, 8, 9), (1, 8, 8), (2, 8, 9)] {
            fake.set(program.member(team, tid), Field::MemberEpoch, passed);
            fake.set(program.member(team, tid), Field::MemberArrival, arrived);
        }
        let region = get!(ompd_get_curr_parallel_handle(thread(fake.process(), 100)));
        // SAFETY: a handle, and variables.
        let (code, all, _) = listed(|records, count| unsafe { ferromp_ompd_get_arrivals(region, records, count) });
        assert_eq!(code, Rc::OK);
        let missing: Vec<_> =
            all.iter().filter(|record| record.arrived == record.passed).map(|record| record.gtid).collect();
        assert_eq!((all.len(), missing), (3, vec![1]));
        // All have arrived at the region's end, and the primary thread waits there for the others to have seen that.
        fake.set(team, Field::TeamGo, go(5, 3, 3));
        for (tid, passed, arrived) in [(0, 9, 10), (1, 9, 9), (2, 9, 10)] {
            fake.set(program.member(team, tid), Field::MemberEpoch, passed);
            fake.set(program.member(team, tid), Field::MemberArrival, arrived);
        }
        // SAFETY: a handle, and variables.
        let (code, all, _) = listed(|records, count| unsafe { ferromp_ompd_get_arrivals(region, records, count) });
        let counts: Vec<_> = all.iter().map(|record: &ArrivalRecord| (record.passed, record.arrived)).collect();
        assert_eq!((code, counts), (Rc::OK, vec![(9, 9); 3]));
        program.join(team);
        // SAFETY: a handle, and variables.
        let (code, ..) =
            listed::<ArrivalRecord>(|records, count| unsafe { ferromp_ompd_get_arrivals(region, records, count) });
        assert_eq!(code, Rc::STALE_HANDLE);
    });
}

#[test]
fn tasks_are_listed_wherever_they_are() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let worker = program.thread(101);
        let ended = program.thread(102);
        let team = program.fork(&[root, worker], 5, 1);
        let parent = program.task_of(program.member(team, 0));
        let blocks = program.slab(root, &[0, 1, 4, 2, 3, 0]);
        let queued = program.explicit(blocks[0], parent, team, 0xa000);
        let running = program.explicit(blocks[1], parent, team, 0xb000);
        let waiting = program.explicit(blocks[2], parent, team, 0xc000);
        let finished = program.explicit(blocks[3], parent, team, 0xd000);
        let suspended = program.explicit(blocks[4], parent, team, 0xe000);
        // A task in the second slab of a thread that has ended, and a block with a taskgroup.
        let left = program.explicit(program.slab(ended, &[0])[0], parent, team, 0xf000);
        program.slab(ended, &[0, 0]);
        fake.set(ended, Field::ThreadPthread, 0);
        fake.set(worker, Field::ThreadTask, running);
        let node = fake.allocate(64);
        fake.set(waiting, Field::TaskNode, node);
        fake.set(node, Field::NodePending, 2);
        fake.set(finished, Field::TaskFlags, TaskFlag::EXPLICIT.0 as u64 | 1 << 11);
        fake.set(suspended, Field::TaskExecutor, root);
        let target = (1 << 14) | TaskFlag::EXPLICIT.0 as u64;
        fake.set(left, Field::TaskFlags, target);
        fake.set(queued, Field::TaskEncountered, -0x40_i64 as u64);
        fake.set(queued, Field::TaskPriority, 9);
        let space = fake.process();
        let (code, all, _) = tasks(space);
        assert_eq!(code, Rc::OK);
        assert_eq!(all.len(), 3 + 6, "{all:#x?}");
        let of = |task: u64| *all.iter().find(|record| record.task == task).unwrap();
        let state = |task: u64| (of(task).state, of(task).executor);
        assert_eq!(state(queued), (1, -1));
        assert_eq!(state(running), (2, 1));
        assert_eq!(state(waiting), (0, -1));
        assert_eq!(state(finished), (4, -1));
        assert_eq!(state(suspended), (3, 0));
        assert_eq!(state(left), (1, -1));
        assert_eq!(state(parent), (2, 0));
        assert_eq!(state(program.task_of(program.member(team, 1))), (3, 1), "set aside for an explicit task");
        let record = of(queued);
        assert_eq!((record.function, record.creation, record.priority, record.depth), (0xa000, 0xa000 - 0x40, 9, 1));
        assert_eq!((record.team, record.parent, of(running).creation), (team, parent, 0));
        let flags = TaskFlag(of(left).flags);
        assert!(flags.contains(TaskFlag::TARGET) && !flags.contains(TaskFlag::EXPLICIT), "{flags:?}");
        assert_eq!(of(parent).flags, TaskFlag::IMPLICIT.0);
    });
}

#[test]
fn a_hundred_thousand_tasks_take_few_reads() {
    let fake = Fake::new(false, 8);
    fake.set_entry(Field::SlabBytes, Entry { offset: 1 << 16, size: 4 });
    let mut fake = fake;
    fake.entries[Field::SlabBytes as usize].offset = 1 << 16;
    let program = Program::new(&fake);
    let (root, team) = program.root(100);
    let parent = program.get(root, Field::ThreadTask);
    let of_slab = ((1 << 16) - 64) / 768;
    let mut made = 0;
    while made < 100_000 {
        for block in program.slab(root, &vec![0; of_slab]) {
            program.explicit(block, parent, team, 0xa000);
            made += 1;
        }
    }
    let space = fake.process();
    fake.reads.set(0);
    let start = std::time::Instant::now();
    let (code, _, count) = tasks(space);
    assert_eq!((code, count), (Rc::OK, made + 1));
    assert!(fake.reads.get() < 3 * (made / of_slab) as u64, "{} reads", fake.reads.get());
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn garbage_in_stores_is_an_error_or_an_end() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, team) = program.root(100);
        let parent = program.get(root, Field::ThreadTask);
        let blocks = program.slab(root, &[0, 0]);
        let slab = program.get(root, Field::ThreadSlab);
        for block in &blocks {
            program.explicit(*block, parent, team, 0xa000);
        }
        let space = fake.process();
        assert_eq!(tasks(space).2, 3);
        fake.set(blocks[1], Field::TaskItself, 0x77);
        assert_eq!(tasks(space).2, 2, "what does not name itself is no block");
        fake.set(slab, Field::SlabNext, slab);
        assert_eq!(tasks(space).0, Rc::ERROR);
        fake.set(slab, Field::SlabNext, 0x77);
        assert_eq!(tasks(space).0, Rc::CALLBACK_ERROR);
        fake.set(slab, Field::SlabNext, 0);
        fake.set(blocks[0], Field::TaskClass, 200);
        assert_eq!(tasks(space).2, 2);
        // Executors and nodes that are none.
        fake.set(blocks[0], Field::TaskExecutor, 0x77);
        assert_eq!(tasks(space).1[1].executor, -1);
        fake.set(blocks[0], Field::TaskExecutor, 0);
        fake.set(blocks[0], Field::TaskNode, 0x77);
        assert_eq!(tasks(space).0, Rc::CALLBACK_ERROR);
    });
}

#[test]
fn constants_that_make_no_sense_are_incompatible() {
    for (field, value) in [(Field::SlabBytes, u32::MAX), (Field::BlockBytes0, 0), (Field::BlockBytes3, 8)] {
        let fake = Fake::new(false, 8);
        Program::new(&fake).root(100);
        fake.set_entry(field, Entry { offset: value, size: 4 });
        assert_eq!(tasks(fake.process()).0, Rc::INCOMPATIBLE, "{field:?}");
    }
    for (size, code) in
        [(0, Rc::UNSUPPORTED), (3, Rc::INCOMPATIBLE), (16, Rc::INCOMPATIBLE), (u32::MAX, Rc::INCOMPATIBLE)]
    {
        let fake = Fake::new(false, 8);
        Program::new(&fake).root(100);
        fake.set_entry(Field::ThreadLwp, Entry { offset: 0, size });
        let lwp = 100_u64;
        let found = made!(ompd_get_thread_handle(fake.process(), THREAD_ID_LWP, 8, (&raw const lwp).cast())).0;
        assert_eq!(found, code, "a field of {size} bytes");
    }
}

#[test]
fn owners_of_locks_are_known_while_somebody_waits() {
    on_each(|fake| {
        let program = Program::new(fake);
        let (root, _) = program.root(100);
        let (one, two) = (program.thread(101), program.thread(102));
        let team = program.fork(&[root, one, two], 5, 1);
        let (lock, nest) = (fake.allocate(8), fake.allocate(8));
        let space = fake.process();
        let owner = |wait: u64| get!(ferromp_ompd_get_lock_owner(space, wait));
        assert_eq!(owner(lock), -2, "nobody waits for it");
        let wait = |thread: u64, state: State, id: u64, kind: u64| {
            fake.set(thread, Field::ThreadState, state.0 as u64);
            fake.set(thread, Field::ThreadWaitId, id);
            fake.set(thread, Field::ThreadWaitFor, kind);
        };
        wait(one, State::WAIT_LOCK, lock, 1);
        assert_eq!(owner(lock), -1);
        fake.poke_number(lock, 4, 3 << 3 | 1);
        assert_eq!(owner(lock), 2);
        fake.poke_number(lock, 4, 1);
        assert_eq!(owner(lock), -2, "a thread without a number");
        wait(two, State::WAIT_LOCK, nest, 2);
        assert_eq!(owner(nest), -1);
        let task = program.get(root, Field::ThreadTask);
        fake.poke_number(nest, 8, task << 4 | 5);
        assert_eq!(owner(nest), 0);
        let block = program.explicit(program.slab(root, &[0])[0], task, team, 0xa000);
        fake.poke_number(nest, 8, block << 4 | 5);
        assert_eq!(owner(nest), -2, "nobody executes it");
        fake.set(one, Field::ThreadTask, block);
        assert_eq!(owner(nest), 1);
        fake.set(two, Field::ThreadTask, block);
        assert_eq!(owner(nest), -2, "the thread that has just taken it does not wait");
        wait(one, State::WAIT_ORDERED, 0x5555, 3);
        assert_eq!(owner(0x5555), -2);
        assert_eq!(owner(0), -2);
    });
}
