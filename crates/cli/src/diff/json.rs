//! What differs as JSON. Times are nanoseconds. `docs/diff.schema.json` describes every field.

use ferromp_trace::compare::{Diff, LEVEL, Row, Run, Subject, Tolerance};
use serde_json::{Value, json};

use crate::report::scaling::place;

/// Grows if a field changes its meaning or is gone. New fields leave it as it is.
const VERSION: u32 = 1;
/// The name of the schema in `docs/diff.schema.json`.
const SCHEMA: &str = "urn:ferromp:diff:1";

/// The whole document. `slower` is what got slower by more than is allowed, if that was asked for.
pub fn document(diff: &Diff, before: &[Run], after: &[Run], slower: Option<&(Tolerance, Vec<&Row>)>) -> Value {
    let rows = |rows: &[Row]| rows.iter().map(|one| row(one, diff)).collect::<Vec<Value>>();
    let check = slower.map(|(allowed, slower)| {
        let slower: Vec<Value> = slower.iter().map(|one| row(one, diff)).collect();
        let (percent, ns) = match *allowed {
            Tolerance::Percent(percent) => (Some(percent), None),
            Tolerance::Ns(ns) => (None, Some(ns)),
        };
        json!({ "allowed_percent": percent, "allowed_ns": ns, "passed": slower.is_empty(), "slower": slower })
    });
    json!({
        "version": VERSION,
        "schema": SCHEMA,
        "before": before.iter().map(run).collect::<Vec<Value>>(),
        "after": after.iter().map(run).collect::<Vec<Value>>(),
        "noise": { "known": diff.tells, "level": LEVEL },
        "check": check,
        "run": row(&diff.run, diff),
        "serial": row(&diff.serial, diff),
        "regions": rows(&diff.regions),
        "waits": rows(&diff.waits),
        "findings": rows(&diff.findings),
    })
}

fn run(run: &Run) -> Value {
    json!({
        "folder": run.name,
        "programs": run.programs,
        "threads": run.threads(),
        "finished": !run.unfinished,
        "time_ns": run.time_ns(),
    })
}

fn row(row: &Row, diff: &Diff) -> Value {
    let (subject, old, new) = match &row.subject {
        Subject::Run => ("run", None, None),
        Subject::Serial => ("serial", None, None),
        Subject::Construct(old, new) => ("construct", old.as_deref(), new.as_deref()),
    };
    json!({
        "subject": subject,
        "kind": row.place().map(|place| &place.kind),
        "place_before": old.map(place),
        "place_after": new.map(place),
        "before_ns": row.before_ns(),
        "after_ns": row.after_ns(),
        "change_ns": row.change_ns(),
        "change_percent": row.percent(),
        "runs_before_ns": row.before,
        "runs_after_ns": row.after,
        "chance": diff.tells.then(|| row.chance()),
        "verdict": row.verdict(diff.tells).name(),
    })
}
