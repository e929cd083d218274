//! The summary as JSON. Times are nanoseconds; every field that `analysis::Summary` names has the same name here, and
//! places are spelled out beside their addresses. `docs/report.schema.json` describes every field.

use super::efficiency_json::efficiency;
use super::place::place;
use super::{counters_json, cpu_json, findings_json, loops_json, mpi_json, replayed};
use ferromp_trace::Site;
use ferromp_trace::analysis::{Efficiency, MEASURES, Process, Spread, Summary, sync_name, target_name};
use ferromp_trace::reader::Trace;
use ferromp_trace::selection::Selection;
use ferromp_trace::store::trimmed::{Kept, Trimmed};
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

use crate::say;

/// Grows if a field changes its meaning or is gone. New fields leave it as it is.
const VERSION: u32 = 1;
/// The name of the schema in `docs/report.schema.json`.
const SCHEMA: &str = "urn:ferromp:report:1";

/// The whole document: traces, and a comparison of their processes.
pub fn document(traces: Vec<Value>, processes: &[Process]) -> Value {
    json!({
        "version": VERSION,
        "schema": SCHEMA,
        "processes": compared(processes),
        "ranks": null,
        "scaling": null,
        "traces": traces,
    })
}

/// A trace of a document as text. The text takes a tenth of the memory of the values.
pub fn written(trace: &Value) -> String {
    say::document(trace).trim_end().replace('\n', "\n    ")
}

/// The text of a document without traces, with these traces.
pub fn with_traces(document: &Value, traces: &[String]) -> String {
    let text = say::document(document);
    // The traces are the last field.
    match text.trim_end().strip_suffix("[]\n}") {
        Some(head) if !traces.is_empty() => format!("{head}[\n    {}\n  ]\n}}\n", traces.join(",\n    ")),
        _ => text,
    }
}

/// The document of several runs: their traces, and how the program scales from one to the other.
pub fn compared_runs(traces: Vec<Value>, scaling: Value) -> Value {
    let mut document = document(traces, &[]);
    document["scaling"] = scaling;
    document
}

/// How much processes differ; nothing for a single one.
fn compared(processes: &[Process]) -> Value {
    if processes.len() < 2 {
        return Value::Null;
    }
    let spread = |(_, name, measure)| {
        let spread = Spread::of(processes, measure)?;
        let value = json!({
            "min": spread.min,
            "min_pid": processes[spread.min_at].pid,
            "mean": spread.mean,
            "max": spread.max,
            "max_pid": processes[spread.max_at].pid,
        });
        Some((String::from(name), value))
    };
    let list = processes.iter().map(|process| {
        json!({
            "pid": process.pid,
            "rank": process.rank,
            "command": process.command,
            "wall_ns": process.wall_ns,
            "serial_ns": process.serial_ns,
            "work_ns": process.work_ns,
            "wait_ns": process.wait_ns,
            "mpi_serial_ns": process.mpi_serial_ns,
            "mpi_region_ns": process.mpi_region_ns,
            "clock": process.clocks.map(|(clocks, error_ns)| json!({ "clocks": clocks, "error_ns": error_ns })),
        })
    });
    let spreads: serde_json::Map<String, Value> = MEASURES.into_iter().filter_map(spread).collect();
    json!({ "count": processes.len(), "spread": spreads, "list": list.collect::<Vec<Value>>() })
}

/// The part of the trace that all numbers are about; null for the whole.
fn part(selection: &Selection) -> Value {
    if selection.is_all() {
        return Value::Null;
    }
    json!({
        "from_ns": selection.window.map(|window| window.from_ns),
        "to_ns": selection.window.map(|window| window.to_ns),
        "regions": selection.regions.as_ref().map(|regions| &regions.names),
    })
}

/// What the trace lacks on purpose; nothing if it has all events.
fn trimmed(trace: &Trace) -> Value {
    let Some(Trimmed { kept, waited_ns, late, .. }) = &trace.trimmed else { return Value::Null };
    let kept = match kept {
        Kept::None => "none",
        Kept::Newest => "newest",
    };
    json!({ "kept": kept, "from_ns": trace.kept_from_ns(), "waited_ns": waited_ns, "late": late })
}

/// One trace.
pub fn one(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Value {
    let meta = &trace.meta;
    let regions: Vec<Value> = summary
        .regions
        .iter()
        .map(|region| {
            json!({
                "place": place(symbols, region.site()),
                "calls": region.calls,
                "serialized": region.serialized,
                "nested": region.nested,
                "tasks": region.tasks,
                "tasks_of_one": region.tasks_of_one,
                "max_threads": region.max_threads,
                "total_ns": region.total_ns,
                "max_ns": region.max_ns,
                "thread_ns": region.thread_ns,
                "work_ns": region.work_ns,
                "barrier_ns": region.barrier_ns,
                "sync_ns": region.sync_ns,
                "mpi_ns": region.mpi_ns,
                "idle_ns": region.idle_ns,
                "runtime_ns": region.runtime_ns,
                "imbalance_percent": region.imbalance(),
                "efficiency": efficiency(Efficiency::of_region(region)),
                "cpu": cpu_json::cpu(&region.cpu),
            })
        })
        .collect();
    let mut waits = Vec::new();
    for wait in &summary.waits {
        let mut causes = Vec::new();
        for (activity, ns) in &wait.causes {
            causes.push(json!({
                "activity": activity.kind.name(),
                "place": place(symbols, activity.site),
                "ns": ns,
            }));
        }
        waits.push(json!({
            "kind": sync_name(wait.kind),
            "place": place(symbols, wait.site),
            "region": place(symbols, wait.region),
            "episodes": wait.episodes,
            "wait_ns": wait.wait_ns,
            "phase_ns": wait.phase_ns,
            "alone_ns": wait.alone_ns,
            "first_ns": wait.first_ns,
            "first_waits_ns": wait.first_waits_ns,
            "opening_ns": wait.opening_ns,
            "members": wait.members,
            "causes": causes,
        }));
    }
    let mut locks = Vec::new();
    for lock in &summary.locks {
        let mut holders = Vec::new();
        for (codeptr, ns) in &lock.holders {
            holders.push(json!({ "place": place(symbols, Site::from(*codeptr)), "ns": ns }));
        }
        locks.push(json!({
            "kind": lock.kind_name(),
            "place": place(symbols, lock.codeptr.into()),
            "region": findings_json::known(symbols, lock.region),
            "objects": lock.objects,
            "count": lock.count,
            "wait_ns": lock.wait_ns,
            "contended_ns": lock.contended_ns,
            "min_wait_ns": lock.min_wait_ns,
            "max_wait_ns": lock.max_wait_ns,
            "hold_ns": lock.hold_ns,
            "inner_wait_ns": lock.inner_wait_ns,
            "wait_while_holding_ns": lock.wait_while_holding_ns,
            "holders": holders,
        }));
    }
    let targets: Vec<Value> = summary
        .targets
        .iter()
        .map(|site| {
            json!({
                "construct": target_name(site.kind),
                "place": place(symbols, site.site()),
                "devices": site.devices.iter().map(|device| *device as i32).collect::<Vec<i32>>(),
                "calls": site.calls,
                "host_ns": site.host_ns,
                "kernels": site.kernels,
                "kernel_ns": site.kernel_ns,
                "max_kernel_ns": site.max_kernel_ns,
                "to_bytes": site.to_bytes,
                "from_bytes": site.from_bytes,
                "copy_ns": site.copy_ns,
                "exposed_ns": site.exposed_ns,
                "bytes_per_second": site.bandwidth(),
            })
        })
        .collect();
    let devices: Vec<Value> =
        meta.devices.iter().map(|(number, kind)| json!({ "number": number, "type": kind })).collect();
    let results = json!({
        "part": part(&trace.selection),
        "wall_ns": summary.wall_ns,
        "before_ns": summary.before_ns,
        "serial_ns": summary.serial_ns,
        "serial": findings_json::serial(summary, symbols),
        "mpi": mpi_json::mpi(summary, symbols),
        "findings": findings_json::all(trace, summary, symbols),
        "limits": cpu_json::limits(meta, summary.throttled),
        "concurrency_ns": summary.concurrency_ns,
        "threads": summary.threads,
        "thread_rows": cpu_json::threads(summary),
        "events": summary.events,
        "event_ns": summary.event_ns,
        "recording_ns": summary.recording_ns,
        "lost": summary.lost,
        "missed_threads": meta.missed_threads,
        "unended": summary.unended,
        "efficiency": efficiency(Efficiency::of_run(summary)),
        "no_openmp": summary.no_openmp,
        "regions": regions,
        "waits": waits,
        "locks": locks,
        "loops": loops_json::loops(summary, &mut |site| place(symbols, site)),
        "tasks": findings_json::tasks(summary, symbols),
        "devices": devices,
        "targets": targets,
        "counters": counters_json::counters(&summary.counters, &mut |site| place(symbols, site)),
        "samples": super::samples::json(trace, &summary.samples, symbols),
        "critical_path": summary.critical_path.as_ref().map(|path| replayed::path(path, symbols)),
        "what_if": Value::Null,
    });
    let mut document = description(trace, summary, symbols);
    for (name, value) in results.as_object().into_iter().flatten() {
        document[name] = value.clone();
    }
    document
}

/// What was run, where, when and how.
fn description(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Value {
    let meta = &trace.meta;
    let environment: serde_json::Map<String, Value> =
        meta.openmp_environment.iter().map(|(name, value)| (name.clone(), value.as_str().into())).collect();
    json!({
        "folder": trace.dir.to_string_lossy(),
        "program": meta.program,
        "argv": meta.argv,
        "command": meta.command(),
        "pid": meta.pid,
        "forked_from": meta.forked_from,
        "hostname": meta.hostname,
        "rank": meta.rank,
        "ranks": meta.ranks,
        "runtime": meta.runtime,
        "compilers": symbols.compilers(summary.sites()),
        "cpus": meta.cpus,
        "openmp_environment": environment,
        "start_unix_ns": meta.start_unix_ns,
        "finished": meta.finished,
        "damage": super::damage::damage(trace, symbols),
        "trimmed": trimmed(trace),
    })
}
