//! What the simulation shows must not change by accident. These tests pin the shapes of some results, and few numbers.

use crate::scenario::Scenario;
use crate::scenarios;
use ferromp_simulator::{MACHINES, Machine, Outcome};

fn machine(name: &str) -> &'static Machine {
    MACHINES.iter().find(|machine| machine.name == name).expect("a machine of that name")
}

fn play(scenario: &str, name: &str, nthreads: u32) -> Outcome {
    let scenario: &Scenario = scenarios::all().find(|one| one.name == scenario).expect("a scenario of that name");
    (scenario.play)(machine(name), nthreads)
}

fn hottest(outcome: &Outcome) -> &str {
    outcome.hottest.as_ref().map_or("none", |hot| hot.name.as_str())
}

#[test]
fn a_run_gives_the_same_result_each_time() {
    for scenario in ["region", "barrier, asleep", "dynamic, stealing", "tasks, tree", "lock"] {
        assert_eq!(play(scenario, "socket", 16), play(scenario, "socket", 16), "{scenario}");
    }
}

#[test]
fn every_scenario_ends_on_every_machine() {
    for machine in &MACHINES {
        for scenario in scenarios::all() {
            for nthreads in [2, 3, 5, 16] {
                if nthreads <= machine.cores {
                    let outcome = (scenario.play)(machine, nthreads);
                    assert!(outcome.rounds > 0 && outcome.time > 0, "{} on {}", scenario.name, machine.name);
                }
            }
        }
    }
}

/// Each of two threads writes its own arrival and reads the other's: two transfers after one another. Measured were 137
/// nanoseconds.
#[test]
fn a_barrier_of_two_is_two_transfers() {
    let outcome = play("barrier", "here", 2);
    assert_eq!((outcome.transfers_a_round(), outcome.chain_a_round()), (4.0, 2.0));
    let ns = outcome.ns_a_round();
    assert!((112.0..=130.0).contains(&ns), "{ns}");
    assert_eq!(hottest(&outcome), "Member.arrival");
}

#[test]
fn one_counter_hands_out_one_chunk_a_transfer() {
    let outcome = play("dynamic, counter", "sockets", 64);
    assert!(hottest(&outcome).split(", ").any(|field| field == "Slot.next"));
    assert!(outcome.chain_a_round() > 64.0 * 60.0);
}

/// libgomp's shape wakes four times as many in four times the time, after the 50 microseconds for which they sleep.
/// Ferromp's sleepers wake each other.
#[test]
fn sleepers_wake_sleepers() {
    let ratio = |scenario, before: f64| {
        let time = |nthreads| play(scenario, "sockets", nthreads).ns_a_round() - before;
        time(64) / time(16)
    };
    let (one_by_one, each_other) = (ratio("futex barrier, asleep", 50_000.0), ratio("fork, asleep", 0.0));
    assert!((3.0..5.0).contains(&one_by_one), "{one_by_one}");
    assert!((1.0..2.5).contains(&each_other), "{each_other}");
}

/// Thieves that polled the producer's queue made 64 threads slower than one: 4.7 ms.
#[test]
fn thieves_leave_a_producer_alone() {
    let time = |scenario| play(scenario, "sockets", 64).ns_a_round();
    let (ours, libomp) = (time("tasks, one producer"), time("libomp tasks, one producer"));
    assert!(ours < libomp / 2.0, "{ours} {libomp}");
    assert!(time("tasks, chains") < 60_000.0);
}

/// Members leave a construct by groups: that takes little beside the barrier, where one word would take ten times as
/// long.
#[test]
fn leaving_a_slot_is_short() {
    let time = |scenario| play(scenario, "sockets", 192).ns_a_round();
    let (slot, barrier) = (time("slot"), time("barrier"));
    assert!(slot < 4.0 * barrier, "{slot} {barrier}");
}

/// Shares by number, and looks side by side: the loop's body takes 12.8 microseconds, and one counter would add
/// hundreds.
#[test]
fn shares_are_near_the_ideal() {
    for scenario in ["dynamic, stealing", "dynamic, uneven"] {
        let us = play(scenario, "sockets", 192).ns_a_round() / 1000.0;
        assert!((12.8..40.0).contains(&us), "{scenario} {us}");
    }
}

/// What the project wants of large machines, beside libomp's shapes.
#[test]
fn waits_take_at_most_half_of_libomps() {
    let time = |scenario| play(scenario, "sockets", 64).ns_a_round();
    let pairs = [
        ("fork", "hyper fork"),
        ("region", "hyper region"),
        ("barrier", "hyper barrier"),
        ("lock", "libomp lock"),
        ("tasks, tree", "libomp tasks, tree"),
        ("tasks, chains", "libomp tasks, chains"),
    ];
    for (ours, libomp) in pairs {
        let (ours, theirs) = (time(ours), time(libomp));
        assert!(ours < theirs / 2.0, "{libomp}: {ours} {theirs}");
    }
}
