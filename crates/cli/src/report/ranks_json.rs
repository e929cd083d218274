//! A run of several ranks as JSON. The fields have the names of `ferromp_trace::ranks`.

use ferromp_trace::ranks::{RankEfficiency, RankFinding, RankRegion, Ranks};
use ferromp_trace::symbols::Location;
use serde_json::{Value, json};

use super::efficiency_json;

/// The run.
pub fn ranks(run: &Ranks) -> Value {
    let list = run.ranks.iter().map(|rank| {
        json!({
            "rank": rank.rank,
            "folder": rank.folder.to_string_lossy(),
            "hostname": rank.host,
            "pid": rank.pid,
            "command": rank.command,
            "processes": rank.processes,
            "threads": rank.threads,
            "time_ns": rank.time_ns(),
            "serial_ns": rank.serial_ns,
            "mpi_serial_ns": rank.mpi_serial_ns,
            "mpi_region_ns": rank.mpi_region_ns,
            "wait_ns": rank.wait_ns,
            "cpus": rank.cpus,
            "preempted_ns": rank.preempted_ns,
            "efficiency": efficiency_json::efficiency(rank.shares.efficiency()),
        })
    });
    let remarks = run.remarks.iter().map(|(text, ranks)| json!({ "text": text, "ranks": ranks }));
    json!({
        "count": run.count,
        "missing": run.missing,
        "time_ns": run.time_ns(),
        "threads": run.threads(),
        "efficiency": efficiency(run.efficiency),
        "regions": run.regions.iter().map(|one| region(one, run)).collect::<Vec<Value>>(),
        "findings": run.findings.iter().map(|one| finding(one, run)).collect::<Vec<Value>>(),
        "remarks": remarks.collect::<Vec<Value>>(),
        "list": list.collect::<Vec<Value>>(),
    })
}

fn efficiency(found: Option<RankEfficiency>) -> Value {
    let Some(found) = found else { return Value::Null };
    json!({
        "parallel_percent": 100.0 * found.parallel,
        "rank_balance_percent": 100.0 * found.rank_balance,
        "communication_percent": found.communication.map(|factor| 100.0 * factor),
        "threads": efficiency_json::efficiency(Some(found.threads)),
    })
}

fn region(region: &RankRegion, run: &Ranks) -> Value {
    let (slowest, max) = region.slowest();
    let (quickest, min) = region.quickest(run.ranks.iter().map(|rank| rank.rank));
    let times = region.times.iter().map(|(rank, time)| json!({ "rank": rank, "ns": time.ns, "calls": time.calls }));
    json!({
        "place": place(&region.location),
        "calls": region.calls(),
        "max_threads": region.max_threads,
        "nested": region.nested,
        "min_ns": min,
        "min_rank": quickest,
        "mean_ns": region.mean_ns(run.ranks.len()),
        "max_ns": max,
        "max_rank": slowest,
        "total_ns": region.total_ns(),
        "thread_ns": region.shares.thread as u64,
        "work_ns": region.shares.work as u64,
        "efficiency": efficiency(RankEfficiency::of_region(region, run.ranks.len())),
        "times": times.collect::<Vec<Value>>(),
    })
}

fn finding(finding: &RankFinding, run: &Ranks) -> Value {
    let (found, (worst, _)) = (&finding.worst, finding.worst_rank());
    let gains = finding.gains.iter().map(|(rank, ns)| json!({ "rank": rank, "gain_ns": ns }));
    json!({
        "cause": found.cause.name(),
        "place": found.place.as_ref().map(place),
        "sentence": found.sentence,
        "evidence": found.evidence,
        "advice": found.advice,
        "gain_ns": finding.gain_ns,
        "gain_percent": 100.0 * finding.gain_ns as f64 / run.time_ns().max(1) as f64,
        "worst_rank": worst,
        "ranks": gains.collect::<Vec<Value>>(),
        "confidence": found.confidence.name(),
    })
}

/// A construct of several processes: it has no address.
fn place(location: &Location) -> Value {
    json!({ "name": location.plain(), "function": location.function, "file": location.file, "line": location.line })
}
