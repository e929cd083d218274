//! OMPD's handles of threads, parallel regions and implicit tasks, against what the programs say of themselves: nested,
//! serialised, a league's, those of threads that the program created, in C by clang and gcc, and in Fortran (OpenMP
//! 5.1, sections 5.5.5 to 5.5.7).

use std::collections::BTreeSet;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{COMPILERS, Record, Stopped, Workshop, named, possible, the};
use ferromp_debugger::handles::{Parallel, Scoped, Space, Thread};
use ferromp_debugger::target::Target;
use ompd::{Rc, Scope, THREAD_ID_LWP, THREAD_ID_PTHREAD};

fn workshop() -> Workshop {
    Workshop::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The value of an ICV of a handle, by its name.
fn icv(space: &Space, of: &impl Scoped, name: &str) -> Result<i64, Rc> {
    let icvs = space.icvs().expect("they can be listed");
    let found = icvs.iter().find(|icv| icv.name == name && icv.scope == of.scope());
    let found = found.unwrap_or_else(|| panic!("no {name} of {:?} in {icvs:?}", of.scope()));
    of.icv(found.id)
}

/// The thread that says something, by both of its names, which have to mean the same one.
fn speaker(space: &Space, record: &Record) -> Thread {
    let by_lwp = space.thread(record.lwp()).unwrap_or_else(|rc| panic!("{}: {rc:?}", record.name));
    let by_pthread = space.thread_by_pthread(record.pthread()).unwrap_or_else(|rc| panic!("{}: {rc:?}", record.name));
    assert!(by_lwp.is(&by_pthread), "{record:?}");
    assert_eq!(by_pthread.id(THREAD_ID_LWP, 4), Ok(record.lwp() as u64));
    assert_eq!(by_lwp.id(THREAD_ID_PTHREAD, 8), Ok(record.pthread()));
    by_lwp
}

/// The region at that level, as seen from the innermost one of a thread, whose level is given.
fn at_level(thread: &Thread, innermost: i64, level: i64) -> Parallel {
    let mut region = thread.parallel().expect("a region is current");
    for _ in level..innermost {
        region = region.enclosing().expect("a region encloses it");
    }
    region
}

/// Checks all regions of the thread that says this: their sizes, levels, members and implicit tasks.
fn check_chain(space: &Space, record: &Record) {
    let thread = speaker(space, record);
    let innermost = record.get("level");
    for level in (0..=innermost).rev() {
        let region = at_level(&thread, innermost, level);
        let (size, number) = (record.get(&format!("size{level}")), record.get(&format!("tid{level}")));
        assert_eq!(icv(space, &region, "team-size-var"), Ok(size), "level {level} of {record:?}");
        assert_eq!(icv(space, &region, "levels-var"), Ok(level), "{record:?}");
        let number = i32::try_from(number).expect("small");
        // The thread itself is what fills its place in each region that it is in; at outer levels it may be another
        // one.
        let member =
            region.thread(number).unwrap_or_else(|rc| panic!("member {number} of level {level}: {rc:?}; {record:?}"));
        if level == innermost {
            assert!(member.is(&thread), "{record:?}");
        }
        let implicit =
            region.task(number).unwrap_or_else(|rc| panic!("task {number} of level {level}: {rc:?}; {record:?}"));
        assert!(implicit.parallel().expect("it has a region").is(&region), "{record:?}");
        let size = i32::try_from(size).expect("small");
        for beyond in [-1, size, size + 1, i32::MAX] {
            assert_eq!(region.thread(beyond).err(), Some(Rc::BAD_INPUT), "thread {beyond} of {size}");
            assert_eq!(region.task(beyond).err(), Some(Rc::BAD_INPUT), "task {beyond} of {size}");
        }
    }
    // An initial task's region is enclosed by none, but for those of a league: by that of the construct.
    let outermost = at_level(&thread, innermost, 0);
    let around = if record.says("teams") && record.get("teams") > 1 {
        outermost.enclosing().expect("a league's is")
    } else {
        outermost
    };
    assert_eq!(around.enclosing().err(), Some(Rc::UNAVAILABLE), "nothing encloses the initial task's region");
    let active = at_level(&thread, innermost, innermost);
    assert_eq!(icv(space, &active, "active-levels-var"), Ok(record.get("active")), "{record:?}");
    let task = thread.task().expect("a task is current");
    assert_eq!(icv(space, &task, "max-active-levels-var"), Ok(record.get("max_active")), "{record:?}");
    assert_eq!(icv(space, &task, "thread-limit-var"), Ok(record.get("thread_limit")), "{record:?}");
}

/// The records that are their threads' last words: those whose values still hold.
fn last_words(records: &[Record]) -> Vec<&Record> {
    let mut seen = BTreeSet::new();
    records.iter().rev().filter(|record| record.says("level") && seen.insert(record.lwp())).collect()
}

fn check_regions(stopped: &Stopped) {
    let space = &stopped.space;
    for record in last_words(&stopped.records) {
        check_chain(space, record);
    }
}

#[test]
fn every_thread_of_nested_and_serialised_regions_has_its_regions() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = workshop().stop("regions", compiler, &[]);
        assert_eq!(named(&stopped.records, "serial").len(), 6);
        check_regions(&stopped);
        let space = &stopped.space;
        // Threads of one inner team share it, and share the outer one with everybody.
        let serial = named(&stopped.records, "serial");
        for (one, other) in serial.iter().flat_map(|one| serial.iter().map(move |other| (one, other))) {
            let (first, second) = (speaker(space, one), speaker(space, other));
            let same = |level| at_level(&first, 3, level).is(&at_level(&second, 3, level));
            assert!(same(0) && same(1));
            assert_eq!(same(2), one.get("tid1") == other.get("tid1"));
            assert_eq!(same(3), one.lwp() == other.lwp(), "each has a serialised region of its own");
            let order = |level: i64| {
                at_level(&first, 3, level).compare(&at_level(&second, 3, level)).expect("they compare").signum()
            };
            let back = |level: i64| {
                at_level(&second, 3, level).compare(&at_level(&first, 3, level)).expect("they compare").signum()
            };
            assert_eq!(order(2), -back(2), "an order is one");
            assert_eq!(first.compare(&second).map(i32::signum), second.compare(&first).map(|order| -order.signum()));
        }
        drop(stopped.space);
        assert_eq!(stopped.live.finish(), ferromp_debugger::live::Event::Exited(0));
    }
}

#[test]
fn tasks_of_nested_regions_have_icvs_of_their_own() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = workshop().stop("regions", compiler, &[]);
        let space = &stopped.space;
        for inner in named(&stopped.records, "serial") {
            let thread = speaker(space, inner);
            // Of the outer region's implicit task: what the thread said that forked.
            let outer_number = inner.get("tid1");
            let is_it = |record: &&&Record| record.get("tid") == outer_number;
            let outer = named(&stopped.records, "outer");
            let outer = outer.iter().find(is_it).expect("it spoke");
            let region = at_level(&thread, 3, 1);
            for (task, record) in [
                (region.task(i32::try_from(outer_number).expect("small")).expect("a task"), *outer),
                (thread.task().expect("a task"), inner),
            ] {
                for (name, fact) in [
                    ("nthreads-var", "max_threads"),
                    ("dyn-var", "dynamic"),
                    ("max-active-levels-var", "max_active"),
                    ("default-device-var", "device"),
                    ("thread-limit-var", "thread_limit"),
                    ("bind-var", "bind"),
                    ("def-allocator-var", "allocator"),
                ] {
                    assert_eq!(icv(space, &task, name), Ok(record.get(fact)), "{name} of {record:?}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_known_of_threads_that_are_not_openmps() {
    if !possible() {
        return;
    }
    let stopped = workshop().stop("regions", Compiler::Gcc, &[]);
    let space = &stopped.space;
    assert_eq!(space.thread_of(THREAD_ID_LWP, 4, 1).err(), Some(Rc::UNAVAILABLE));
    assert_eq!(space.thread_of(THREAD_ID_PTHREAD, 8, 4096).err(), Some(Rc::UNAVAILABLE));
    let known = u64::from(stopped.stopper.unsigned_abs());
    assert!(space.thread_of(THREAD_ID_LWP, 4, known).is_ok());
    for size in [0, 1, 3] {
        assert_eq!(space.thread_of(THREAD_ID_LWP, size, known).err(), Some(Rc::BAD_INPUT), "{size} bytes");
    }
    assert_eq!(space.thread_of(THREAD_ID_PTHREAD, 4, known).err(), Some(Rc::BAD_INPUT));
    assert_eq!(space.thread_of(77, 8, known).err(), Some(Rc::UNSUPPORTED));
    let thread = space.thread(stopped.stopper).expect("it is one");
    assert_eq!(thread.id(77, 8), Err(Rc::UNSUPPORTED));
    for size in [0, 1, 3] {
        assert_eq!(thread.id(THREAD_ID_LWP, size), Err(Rc::BAD_INPUT), "{size} bytes");
    }
}

#[test]
fn each_team_of_a_league_has_its_own_initial_region() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut stopped = workshop().stop("league", compiler, &[]);
        for stop in 0..2 {
            if stop > 0 {
                stopped.again();
            }
            let speaking = stopped.records.iter().find(|record| record.says("stops") && !record.says("stopped"));
            let team = speaking.expect("a team stops").get("team");
            // A member of the other team may be in the middle of saying what it knows.
            let mut members = named(&stopped.records, "member");
            members.retain(|record| record.says("team") && record.get("team") == team);
            assert_eq!(members.len(), 2);
            for member in members {
                assert_eq!(member.get("level"), 1);
                check_chain(&stopped.space, member);
            }
        }
    }
}

#[test]
fn threads_that_the_program_created_have_regions() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let stopped = workshop().stop("foreign", compiler, &[]);
        check_regions(&stopped);
        let space = &stopped.space;
        let plain = the(&stopped.records, "plain");
        assert_eq!(space.thread(plain.lwp()).err(), Some(Rc::UNAVAILABLE));
        assert_eq!(space.thread_by_pthread(plain.pthread()).err(), Some(Rc::UNAVAILABLE));
        let initial = |name: &str| {
            let record = the(&stopped.records, name);
            let level = last_words(&stopped.records)
                .into_iter()
                .find(|last| last.lwp() == record.lwp())
                .map_or(0, |last| last.get("level"));
            at_level(&speaker(space, record), level, 0)
        };
        let roots = ["root0", "root1", "root2", "main"].map(initial);
        for (number, root) in roots.iter().enumerate() {
            assert!(roots[number + 1..].iter().all(|other| !root.is(other)), "each has an initial task of its own");
        }
        for number in [0, 1] {
            let members = named(&stopped.records, ["member0", "member1"][number]);
            let root = the(&stopped.records, ["root0", "root1"][number]);
            assert!(members.iter().any(|member| member.lwp() == root.lwp()));
            for member in members {
                assert!(
                    at_level(&speaker(space, member), 1, 0).is(&roots[number]),
                    "{} {number} {member:?} {root:?}",
                    compiler.name()
                );
            }
        }
    }
}

#[test]
fn fortran_programs_have_the_same() {
    if !possible() {
        return;
    }
    let stopped = workshop().stop("regions.f90", Compiler::Gfortran, &[]);
    assert_eq!(named(&stopped.records, "inner").len(), 4);
    for record in named(&stopped.records, "inner") {
        let thread = speaker(&stopped.space, record);
        let region = thread.parallel().expect("a region");
        assert_eq!(icv(&stopped.space, &region, "team-size-var"), Ok(record.get("threads")));
        assert_eq!(icv(&stopped.space, &region, "levels-var"), Ok(record.get("level")));
        let task = thread.task().expect("a task");
        assert_eq!(icv(&stopped.space, &task, "nthreads-var"), Ok(record.get("max_threads")), "{record:?}");
        assert_eq!(task.scope(), Scope::TASK);
        let outer = region.enclosing().expect("a region");
        assert_eq!(icv(&stopped.space, &outer, "team-size-var"), Ok(2));
        assert!(stopped.live.target().threads().iter().any(|thread| thread.lwp == record.lwp()));
    }
}
