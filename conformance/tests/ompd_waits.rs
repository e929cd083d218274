//! OMPD's states of threads, against a program whose threads wait in every way that there is (OpenMP 5.1, section
//! 5.5.9), and what explains them: who holds a lock, who has not come to a barrier.

use std::collections::BTreeMap;

use ferromp_conformance::compile::Compiler;
use ferromp_conformance::stopped::{COMPILERS, Record, Stopped, Workshop, possible, the};
use ferromp_debugger::handles::{Answer, Thread};
use ompd::Rc;

/// `OMP_DEBUG`, with which states are kept.
const WATCHED: &[(&str, &str)] = &[("OMP_DEBUG", "enabled")];

/// How often to look whether all threads wait already.
const LOOKS: usize = 400;

/// What each thread says that it is about to do, and the states that it is in then. gcc calls the same for every
/// barrier within a region.
const WAITS: [(&str, &[&str]); 10] = [
    ("lock", &["ompt_state_wait_lock", "ompt_state_wait_mutex"]),
    ("nest lock", &["ompt_state_wait_lock", "ompt_state_wait_mutex"]),
    ("critical", &["ompt_state_wait_critical", "ompt_state_wait_mutex"]),
    ("taskwait", &["ompt_state_wait_taskwait"]),
    ("taskgroup", &["ompt_state_wait_taskgroup"]),
    ("ordered", &["ompt_state_wait_ordered"]),
    ("doacross", &["ompt_state_wait_ordered"]),
    ("barrier", &["ompt_state_wait_barrier_explicit", "ompt_state_wait_barrier"]),
    (
        "join",
        &["ompt_state_wait_barrier_implicit_parallel", "ompt_state_wait_barrier_implicit", "ompt_state_wait_barrier"],
    ),
    (
        "loop barrier",
        &[
            "ompt_state_wait_barrier_implicit_workshare",
            "ompt_state_wait_barrier_explicit",
            "ompt_state_wait_barrier_implicit",
            "ompt_state_wait_barrier",
        ],
    ),
];

fn stop(compiler: Compiler, settings: &[(&str, &str)]) -> Stopped {
    Workshop::new(env!("CARGO_TARGET_TMPDIR")).stop("waits", compiler, settings)
}

fn thread(stopped: &Stopped, record: &Record) -> Thread {
    stopped.space.thread(record.lwp()).unwrap_or_else(|rc| panic!("{}: {rc:?}", record.name))
}

/// The state of the thread that says this, by its name.
fn state(stopped: &Stopped, states: &BTreeMap<i64, String>, who: &str) -> Answer<(String, u64)> {
    let (state, wait) = thread(stopped, the(&stopped.records, who)).state()?;
    let name = states.get(&state).unwrap_or_else(|| panic!("{who} is in a state that is not listed: {state:#x}"));
    Ok((name.clone(), wait))
}

fn names(stopped: &Stopped) -> BTreeMap<i64, String> {
    stopped.space.states().expect("they can be listed").into_iter().collect()
}

#[test]
fn every_wait_has_its_state_and_its_identifier() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut stopped = stop(compiler, WATCHED);
        let states = names(&stopped);
        // Threads have said what they will wait for; they may still be on their way there, alone: whoever stops there
        // is frozen.
        stopped.live.freeze(stopped.stopper);
        let mut found = BTreeMap::new();
        for _ in 0..LOOKS {
            found = WAITS.iter().map(|(who, _)| (*who, state(&stopped, &states, who))).collect();
            let arrived = |who: &str, wanted: &[&str]| {
                found[who].as_ref().is_ok_and(|(state, _)| wanted.contains(&state.as_str()))
            };
            if WAITS.iter().all(|(who, wanted)| arrived(who, wanted)) {
                break;
            }
            stopped.a_little();
        }
        for (who, wanted) in WAITS {
            let is_it = found[who].as_ref().is_ok_and(|(state, _)| wanted.contains(&state.as_str()));
            assert!(is_it, "{who} of {}: {:x?}", compiler.name(), found[who]);
        }
        // The one that holds what they wait for works.
        let (holder, _) = state(&stopped, &states, "holder").expect("it has one");
        assert_eq!(holder, "ompt_state_work_parallel");
        let holder = the(&stopped.records, "holder");
        let listed = stopped.space.threads().expect("they can be listed");
        let gtid =
            listed.iter().find(|thread| thread.lwp == holder.get("lwp").cast_unsigned()).expect("it is listed").gtid;
        for who in ["lock", "nest lock", "critical"] {
            let wait = found[who].as_ref().expect("it has one").1;
            assert_ne!(wait, 0, "{who} waits for something");
            assert_eq!(stopped.space.lock_owner(wait), Ok(gtid), "{who} of {}", compiler.name());
        }
        assert_ne!(found["lock"].as_ref().map(|(_, wait)| *wait), found["nest lock"].as_ref().map(|(_, wait)| *wait));
        // Threads of the pool that no region uses are idle, and are threads nevertheless.
        let idle = listed
            .iter()
            .filter(|thread| states.get(&i64::from(thread.state)).is_some_and(|name| name == "ompt_state_idle"));
        for thread in idle {
            let handle = stopped.space.thread_at(thread.lwp).expect("a thread");
            assert_eq!(handle.state().map(|(state, _)| state), Ok(i64::from(thread.state)));
            assert_eq!(handle.parallel().err(), Some(Rc::UNAVAILABLE));
            assert_eq!(handle.task().err(), Some(Rc::UNAVAILABLE));
        }
    }
}

#[test]
fn threads_of_the_pool_are_idle_and_in_no_region() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut stopped = stop(compiler, WATCHED);
        stopped.live.freeze(stopped.stopper);
        let pool = the(&stopped.records, "pool").lwp();
        let states = names(&stopped);
        let mut found = None;
        for _ in 0..LOOKS {
            // It may have been taken into a nested region since.
            let used_again = stopped.records.iter().any(|record| record.name != "pool" && record.lwp() == pool);
            found = Some(state(&stopped, &states, "pool"));
            if used_again || matches!(&found, Some(Ok((state, _))) if state == "ompt_state_idle") {
                break;
            }
            stopped.a_little();
        }
        assert!(found.is_some_and(|found| found.is_ok()), "{}", compiler.name());
    }
}

#[test]
fn without_state_tracking_a_state_is_true_or_refused() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut stopped = stop(compiler, &[]);
        stopped.live.freeze(stopped.stopper);
        let states = names(&stopped);
        for _ in 0..20 {
            stopped.a_little();
        }
        for (who, wanted) in WAITS {
            match state(&stopped, &states, who) {
                Ok((state, wait)) => {
                    assert!(wanted.contains(&state.as_str()), "{who} of {}: {state}", compiler.name());
                    if ["lock", "nest lock", "critical"].contains(&who) {
                        assert_ne!(wait, 0);
                    }
                }
                Err(rc) => assert_eq!(rc, Rc::NEEDS_STATE_TRACKING, "{who} of {}", compiler.name()),
            }
        }
    }
}

#[test]
fn arrivals_tell_who_is_missing_at_a_barrier() {
    if !possible() {
        return;
    }
    for compiler in COMPILERS {
        let mut stopped = stop(compiler, &[]);
        stopped.live.freeze(stopped.stopper);
        for _ in 0..20 {
            stopped.a_little();
        }
        for who in ["barrier", "join", "loop barrier"] {
            let record = the(&stopped.records, who);
            let region = thread(&stopped, record).parallel().expect("a region");
            let arrivals = region.arrivals().expect("they can be listed");
            assert_eq!(arrivals.len(), 2, "{who} of {}", compiler.name());
            // The missing thread is the one that has reached fewer barriers than the others.
            let farthest = arrivals.iter().map(|arrival| arrival.arrived).max();
            for arrival in &arrivals {
                let missing = Some(arrival.arrived) < farthest;
                assert_eq!(
                    missing,
                    i64::from(arrival.tid) != record.get("tid"),
                    "{who} of {}: {arrivals:?}",
                    compiler.name()
                );
            }
        }
    }
}
