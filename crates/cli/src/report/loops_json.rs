//! Worksharing loops and sections as JSON. The fields have the names of `analysis::Loop` and `analysis::Section`.

use ferromp_trace::Site;
use ferromp_trace::analysis::{Summary, work_name};
use serde_json::{Value, json};

/// The loops, `distribute` and sections constructs. `place` gives the JSON of a construct's place.
pub fn loops(summary: &Summary, place: &mut dyn FnMut(Site) -> Value) -> Vec<Value> {
    let mut loops = Vec::new();
    for one in &summary.loops {
        let sections = one.sections.iter().map(|section| {
            json!({
                "first": section.first,
                "count": section.count,
                "executions": section.executions,
                "total_ns": section.total_ns,
                "max_ns": section.max_ns,
            })
        });
        loops.push(json!({
            "kind": work_name(one.kind),
            "place": place(one.site),
            "region": place(one.region),
            "executions": one.executions,
            "max_threads": one.max_threads,
            "iterations": one.iterations,
            "chunks": one.chunks,
            "max_chunks": one.max_chunks,
            "largest_chunk": one.largest_chunk,
            "chunk_ns": one.chunk_ns,
            "mean_chunk_ns": one.mean_chunk_ns(),
            "min_chunk_ns": one.min_chunk_ns,
            "max_chunk_ns": one.max_chunk_ns,
            "lengths": one.lengths,
            "longest_chunk": one.longest.map(|chunk| json!({
                "thread": chunk.thread,
                "first": chunk.first,
                "iterations": chunk.iterations,
                "begin_ns": chunk.begin_ns,
                "ns": chunk.ns,
            })),
            "thread_ns": one.thread_ns,
            "dispatch_ns": one.dispatch_ns(),
            "busiest_ns": one.busiest_ns,
            "imbalance_percent": one.imbalance(),
            "sections": sections.collect::<Vec<Value>>(),
        }));
    }
    loops
}
