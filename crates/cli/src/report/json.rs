//! The summary as JSON. Times are nanoseconds; every field that `analysis::Summary` names has the same name here, and
//! places are spelled out beside their addresses.

use ferromp_trace::Site;
use ferromp_trace::analysis::{Summary, sync_name, target_name};
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

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
                "max_threads": region.max_threads,
                "total_ns": region.total_ns,
                "max_ns": region.max_ns,
                "thread_ns": region.thread_ns,
                "work_ns": region.work_ns,
                "barrier_ns": region.barrier_ns,
                "sync_ns": region.sync_ns,
                "idle_ns": region.idle_ns,
                "runtime_ns": region.runtime_ns,
                "imbalance_percent": region.imbalance(),
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
            "causes": causes,
        }));
    }
    let locks: Vec<Value> = summary
        .locks
        .iter()
        .map(|lock| {
            json!({
                "kind": lock.kind_name(),
                "place": place(symbols, lock.codeptr.into()),
                "objects": lock.objects,
                "count": lock.count,
                "wait_ns": lock.wait_ns,
                "max_wait_ns": lock.max_wait_ns,
                "hold_ns": lock.hold_ns,
            })
        })
        .collect();
    let tasks: Vec<Value> = summary
        .tasks
        .iter()
        .map(|site| {
            json!({
                "place": place(symbols, site.site()),
                "created": site.created,
                "completed": site.completed,
                "stolen": site.stolen,
                "total_ns": site.total_ns,
                "mean_ns": site.mean_ns(),
                "min_ns": site.min_ns,
                "max_ns": site.max_ns,
            })
        })
        .collect();
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
    json!({
        "folder": trace.dir,
        "program": meta.program,
        "argv": meta.argv,
        "pid": meta.pid,
        "hostname": meta.hostname,
        "rank": meta.rank,
        "runtime": meta.runtime,
        "cpus": meta.cpus,
        "start_unix_ns": meta.start_unix_ns,
        "finished": meta.finished,
        "damage": super::damage::damage(trace, symbols),
        "wall_ns": summary.wall_ns,
        "serial_ns": summary.serial_ns,
        "threads": summary.threads,
        "events": summary.events,
        "lost": summary.lost,
        "missed_threads": meta.missed_threads,
        "no_openmp": summary.no_openmp,
        "regions": regions,
        "waits": waits,
        "locks": locks,
        "tasks": tasks,
        "devices": devices,
        "targets": targets,
    })
}

/// A construct or call, and what is known about it.
fn place(symbols: &mut Symbolizer, site: Site) -> Value {
    let location = symbols.locate(site);
    json!({
        "name": location.long(),
        "address": format!("{:#x}", site.codeptr),
        "construct_function": (site.function != 0).then(|| format!("{:#x}", site.function)),
        "function": location.function,
        "inlined_into": location.inlined_into,
        "file": location.file,
        "line": location.line,
        "module": location.module,
    })
}
