//! The findings of a trace as JSON, and the serial phases that some of them are about.

use super::place::place;
use ferromp_trace::Site;
use ferromp_trace::analysis::{Summary, TaskSite};
use ferromp_trace::findings::{call_path, findings};
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::{Frame, Symbolizer};
use serde_json::{Value, json};

/// The causes of lost time, the one with the largest gain first.
pub fn all(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Vec<Value> {
    let run = summary.run_ns().max(1) as f64;
    let found = findings(trace, summary, symbols);
    let one = |finding: &ferromp_trace::findings::Finding| {
        let location = finding.location(symbols);
        let evidence: Vec<&String> = finding.evidence.iter().filter(|text| !text.is_empty()).collect();
        let call = |frame: Frame| json!({ "function": frame.function, "file": frame.file, "line": frame.line });
        let callers: Vec<Value> = call_path(finding, summary, symbols).into_iter().map(call).collect();
        json!({
            "cause": finding.cause.name(),
            "file": location.file,
            "line": location.line,
            "place": place(symbols, finding.site),
            "region": place(symbols, finding.region),
            "callers": callers,
            "sentence": finding.sentence,
            "evidence": evidence,
            "advice": finding.advice,
            "gain_ns": finding.gain_ns,
            "gain_percent": 100.0 * finding.gain_ns as f64 / run,
            "confidence": finding.confidence.name(),
        })
    };
    found.iter().map(one).collect()
}

/// The initial thread's time between regions.
pub fn serial(summary: &Summary, symbols: &mut Symbolizer) -> Vec<Value> {
    let phases = summary.serial.iter().map(|phase| {
        json!({
            "after": known(symbols, phase.after),
            "before": known(symbols, phase.before),
            "times": phase.times,
            "total_ns": phase.total_ns,
            "max_ns": phase.max_ns,
            "mpi_ns": phase.mpi_ns,
        })
    });
    phases.collect()
}

/// The explicit tasks.
pub fn tasks(summary: &Summary, symbols: &mut Symbolizer) -> Vec<Value> {
    let tasks = summary.tasks.iter().map(|site: &TaskSite| {
        json!({
            "place": place(symbols, site.site()),
            "region": known(symbols, site.region),
            "created": site.created,
            "completed": site.completed,
            "stolen": site.stolen,
            "blocked": site.blocked,
            "alone": site.alone,
            "taskwait": known(symbols, site.taskwait),
            "total_ns": site.total_ns,
            "mean_ns": site.mean_ns(),
            "min_ns": site.min_ns,
            "max_ns": site.max_ns,
        })
    });
    tasks.collect()
}

/// A construct's place; null if there is no construct.
pub fn known(symbols: &mut Symbolizer, site: Site) -> Value {
    if site == Site::default() { Value::Null } else { place(symbols, site) }
}
