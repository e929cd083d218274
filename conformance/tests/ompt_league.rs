//! The events of leagues (OpenMP 5.1, sections 2.7 and 4.5.2): to tools there are the league and its initial tasks,
//! whichever threads execute them. The program of `tools/` runs under the journal tool, through clang's and gcc's
//! entry points.

use std::collections::BTreeSet;

use ferromp_conformance::journal::{COMPILERS, Journal};
use ferromp_conformance::tools::Workshop;

/// Numbers as the journal writes them: `ompt_parallel_league | ompt_parallel_invoker_runtime`, and
/// `ompt_parallel_team | ompt_parallel_invoker_runtime`.
const LEAGUE: &str = "0x40000002";
const TEAM: &str = "0x80000002";
/// `ompt_sync_region_barrier_teams`.
const TEAMS_END: &str = "10";

#[test]
fn a_league_has_an_initial_task_for_each_team() {
    for compiler in COMPILERS {
        let journal = Journal::of(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), "ev_teams", compiler, 2, &[]);
        let seen = journal.listing();
        let begin = journal.one("parallel_begin", &[("flags", LEAGUE)]);
        let end = journal.one("parallel_end", &[("flags", LEAGUE)]);
        let league = begin.text("parallel");
        assert_eq!(begin.text("requested"), "3", "{seen}");
        assert_eq!((end.text("parallel"), end.text("task")), (league, begin.text("task")), "{seen}");
        assert!(journal.in_program(begin.text("code")), "{seen}");

        let tasks = journal.all("implicit_task", &[("at", "begin"), ("flags", "0x1"), ("parallel", league)]);
        let numbers: BTreeSet<u64> = tasks.iter().map(|task| task.number("index")).collect();
        assert_eq!((tasks.len(), numbers), (3, BTreeSet::from([0, 1, 2])), "{seen}");
        for task in &tasks {
            assert_eq!((task.text("size"), task.text("empty")), ("3", "1"), "{seen}");
            let over = journal.one("implicit_task", &[("at", "end"), ("task", task.text("task"))]);
            assert_eq!((over.thread, over.text("index")), (task.thread, task.text("index")), "{seen}");
            assert_eq!((over.text("flags"), over.text("size"), over.text("parallel")), ("0x1", "0", "null"), "{seen}");
            assert!(begin.index < task.index && task.index < over.index, "{seen}");
            // The region inside is encountered by the team's initial task.
            let inner = journal.one("parallel_begin", &[("flags", TEAM), ("task", task.text("task"))]);
            assert!(task.index < inner.index && inner.index < over.index, "{seen}");
        }
        let waits = journal.all("sync_region", &[("at", "begin"), ("kind", TEAMS_END)]);
        assert!(!waits.is_empty(), "{seen}");
        for wait in waits {
            assert_eq!(wait.text("parallel"), league, "{seen}");
            assert!(
                tasks.iter().any(|task| task.text("task") == wait.text("task") && task.thread == wait.thread),
                "{seen}"
            );
        }
        // Nothing else of the league's threads can be seen.
        assert_eq!(journal.all("implicit_task", &[("at", "begin"), ("parallel", league)]).len(), 3, "{seen}");
    }
}

#[test]
fn a_team_stands_right_inside_the_task_that_encountered_the_league() {
    for compiler in COMPILERS {
        let journal = Journal::of(&Workshop::new(env!("CARGO_TARGET_TMPDIR")), "ev_teams", compiler, 2, &[]);
        let begin = journal.one("parallel_begin", &[("flags", LEAGUE)]);
        let first =
            journal.one("implicit_task", &[("at", "begin"), ("index", "0"), ("parallel", begin.text("parallel"))]);
        let tasks = journal.all("task", &[("name", "team")]);
        let words: Vec<&str> = tasks.iter().map(|task| task.text("task")).collect();
        assert_eq!(words, [first.text("task"), begin.text("task")], "{}", journal.listing());
    }
}
