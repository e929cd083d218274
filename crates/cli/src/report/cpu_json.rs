//! Threads and their time on CPUs, as JSON. The fields have the names of `analysis::CpuTime` and `analysis::ThreadRow`.

use ferromp_trace::analysis::{CpuTime, Summary};
use ferromp_trace::store::Meta;
use ferromp_trace::store::limits::Throttled;
use serde_json::{Value, json};

/// Time on the CPU.
pub fn cpu(time: &CpuTime) -> Value {
    json!({
        "cpu_ns": time.cpu_ns,
        "work_ns": time.work_ns,
        "blocked_ns": time.blocked_ns,
        "preempted_ns": time.preempted_ns,
        "shared_ns": time.shared_ns,
        "needless_ns": time.needless_ns,
        "spin_ns": time.spin_ns,
        "voluntary": time.voluntary,
        "involuntary": time.involuntary,
        "migrations": time.migrations,
        "minor_faults": time.minor_faults,
        "major_faults": time.major_faults,
    })
}

/// The program's threads.
pub fn threads(summary: &Summary) -> Vec<Value> {
    let rows = summary.thread_rows.iter().map(|row| {
        json!({
            "number": row.number,
            "tid": row.tid,
            "name": row.name,
            "device": row.device.map(|device| device as i32),
            "begin_ns": row.begin_ns,
            "end_ns": row.end_ns,
            "work_ns": row.work_ns,
            "serial_ns": row.serial_ns,
            "wait_ns": row.wait_ns,
            "runtime_ns": row.runtime_ns,
            "idle_ns": row.idle_ns,
            "cpu": cpu(&row.cpu),
            "cpus": row.cpus,
        })
    });
    rows.collect()
}

/// What the system granted the process.
pub fn limits(meta: &Meta, throttled: Option<Throttled>) -> Value {
    json!({
        "cpus_online": meta.cpus_online,
        "cpu_quota": meta.cpu_quota,
        "throttled_periods": throttled.map(|throttled| throttled.periods),
        "throttled_ns": throttled.map(|throttled| throttled.ns),
    })
}
