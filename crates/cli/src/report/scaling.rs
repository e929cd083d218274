//! `ferromp report A B C`: how a program scales from one run to the others.

use console::Term;
use ferromp_trace::compare::{Kind, Limit, Measure, Place, Scaling};
use ferromp_trace::report::{self, Choice};
use serde_json::{Value, json};

use super::efficiency_json::efficiency;
use super::runs::{self, Read};
use crate::args::{Format, ReportArgs};
use crate::failure::{FAILED, Failure};
use crate::say;

/// Compares the runs in the folders. With flags of tables, the report of each run follows. The status says whether all
/// could be read.
pub fn perform(args: &ReportArgs) -> Result<u8, Failure> {
    if args.html.is_some() {
        return Err(Failure::new("--html writes the page of one folder"));
    }
    let style = args.look.style(&Term::stdout());
    let (mut all, mut reports, mut traces, mut damaged) = (Vec::new(), String::new(), Vec::new(), false);
    for folder in &args.folders {
        let read = match args.format {
            Format::Text => {
                let read = runs::read(folder, &args.part, |trace, summary, symbols| match style.choice {
                    Choice::Brief => String::new(),
                    _ => format!("\n{}", report::text(trace, summary, symbols, &style)),
                })?;
                reports.extend(read.what);
                Read { run: read.run, what: Vec::new(), damaged: read.damaged }
            }
            Format::Json => runs::read(folder, &args.part, super::json::one)?,
        };
        all.push(read.run);
        traces.extend(read.what);
        damaged |= read.damaged;
    }
    let scaling = Scaling::of(&all).map_err(Failure::new)?;
    let answer = match args.format {
        Format::Text => report::scaling(&scaling, &style) + &reports,
        Format::Json => say::document(&super::json::compared_runs(traces, json(&scaling))),
    };
    say::answer(&answer)?;
    Ok(if damaged { FAILED } else { 0 })
}

/// The fields have the names of `compare::Scaling`.
fn json(scaling: &Scaling) -> Value {
    let points = scaling.points.iter().map(|point| {
        json!({
            "folder": point.name,
            "runs": point.runs,
            "threads": point.threads,
            "cpus": point.cpus,
            "time_ns": point.time_ns,
            "speedup": point.speedup,
            "scaling_percent": 100.0 * point.scaling_efficiency,
            "computation_percent": 100.0 * point.computation,
            "efficiency": efficiency(point.efficiency),
        })
    });
    json!({
        "kind": match scaling.kind {
            Kind::Strong => "strong",
            Kind::Weak => "weak",
            Kind::Mixed => "mixed",
        },
        "measure": match scaling.measure {
            Measure::Iterations => "iterations",
            Measure::CpuTime => "cpu-time",
        },
        "work_growth": scaling.growth,
        "threads_growth": scaling.threads_growth(),
        "points": points.collect::<Vec<Value>>(),
        "limits": scaling.limits.iter().map(limit).collect::<Vec<Value>>(),
    })
}

fn limit(limit: &Limit) -> Value {
    let factor = limit.factor.map(
        |(name, first, last)| json!({ "name": name, "first_percent": 100.0 * first, "last_percent": 100.0 * last }),
    );
    json!({
        "place": limit.place.as_ref().map(place),
        "first_ns": limit.first_ns,
        "last_ns": limit.last_ns,
        "ideal_ns": limit.ideal_ns,
        "lost_ns": limit.loss_ns(),
        "factor": factor,
    })
}

/// A construct of several runs: it has no address.
pub fn place(place: &Place) -> Value {
    json!({ "name": place.name, "function": place.function, "file": place.file, "line": place.line })
}
