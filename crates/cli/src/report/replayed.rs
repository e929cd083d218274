//! What replays of a trace add to its report: the critical path, and what changes would bring.

use std::borrow::Cow;
use std::path::PathBuf;

use ferromp_trace::Site;
use ferromp_trace::analysis::{CriticalPath, Summary};
use ferromp_trace::reader::Trace;
use ferromp_trace::replay::{Asked, WhatIf, path_of, what_if};
use ferromp_trace::report::{self, Style};
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

use super::place::place;
use super::traces::{Summaries, each, lacks_events};
use crate::failure::Failure;
use crate::part::Part;
use crate::progress::Progress;
use crate::say;

/// The summary, with the critical path if a report of this style has it. A part of a run has none, nor has a
/// trace without all events.
pub fn with_path<'a>(trace: &Trace, summary: &'a Summary, symbols: &mut Symbolizer, style: &Style) -> Cow<'a, Summary> {
    if !style.asks_for("critical-path") || summary.no_openmp || !trace.selection.is_all() || trace.trimmed.is_some() {
        return Cow::Borrowed(summary);
    }
    let mut progress = Progress::new("replaying");
    let path = path_of(trace, summary, symbols, &mut |done, total| progress.update(done, total));
    Cow::Owned(Summary { critical_path: Some(path), ..summary.clone() })
}

/// Replays each trace with the changes, and calls a function with what that brings. Traces without the places of the
/// changes are named on stderr; if all are, this is a failure.
pub fn changed<T>(
    traces: &[PathBuf],
    asked: &[Asked],
    mut show: impl FnMut(&Trace, &Summary, &mut Symbolizer, &WhatIf) -> T,
) -> Result<Summaries<Vec<T>>, Failure> {
    let Summaries { what, processes, damaged } = each(traces, &Part::default(), |trace, summary, symbols| {
        if trace.trimmed.is_some() {
            return Err(lacks_events(trace, "changes"));
        }
        let mut progress = Progress::new("replaying");
        let found = what_if(trace, summary, asked, symbols, &mut |done, total| progress.update(done, total));
        drop(progress);
        found
            .map(|found| show(trace, summary, symbols, &found))
            .map_err(|why| format!("{}: {why}", trace.dir.display()))
    })?;
    let (mut shown, mut failed) = (Vec::new(), Vec::new());
    for one in what {
        match one {
            Ok(one) => shown.push(one),
            Err(why) => failed.push(why),
        }
    }
    if shown.is_empty()
        && let Some(why) = failed.pop()
    {
        return Err(Failure::new(why));
    }
    failed.into_iter().for_each(say::note);
    Ok(Summaries { what: shown, processes, damaged })
}

/// What the changes would bring as text; the report of the run follows if the style asks for tables.
pub fn text(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, what_if: &WhatIf, style: &Style) -> String {
    let mut out = report::what_if(trace, what_if, symbols, style);
    if style.choice != report::Choice::Brief {
        let summary = with_path(trace, summary, symbols, style);
        out += "\n";
        out += &report::text(trace, &summary, symbols, style);
    }
    out
}

/// The critical path as JSON.
pub fn path(path: &CriticalPath, symbols: &mut Symbolizer) -> Value {
    let steps = path.steps.iter().map(|step| {
        json!({
            "kind": step.what.name(),
            "place": (step.site != Site::default()).then(|| place(symbols, step.site)),
            "ns": step.ns,
            "percent": path.percent(step),
        })
    });
    let steps: Vec<Value> = steps.collect();
    json!({
        "measured_ns": path.measured_ns,
        "replayed_ns": path.replayed_ns,
        "length_ns": path.length_ns,
        "steps": steps,
    })
}

/// What the changes would bring, as JSON.
pub fn json(what_if: &WhatIf, symbols: &mut Symbolizer) -> Value {
    json!({
        "changes": what_if.changes,
        "assumptions": what_if.assumptions,
        "measured_ns": what_if.before.measured_ns,
        "replayed_ns": what_if.before.replayed_ns,
        "predicted_ns": what_if.after.length_ns,
        "gain_ns": what_if.gain_ns(),
        "gain_percent": what_if.gain_percent(),
        "critical_path": path(&what_if.after, symbols),
    })
}
