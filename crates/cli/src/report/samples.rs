//! The samples of a summary as JSON.

use super::place::place;
use ferromp_trace::analysis::{HotFunction, Sampled, Samples};
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

/// All samples, by what the threads did. Lines and functions are spelled out where threads ran the program's code.
pub fn json(trace: &Trace, samples: &Samples, symbols: &mut Symbolizer) -> Value {
    let activities: Vec<Value> = samples.activities.iter().map(|sampled| activity(trace, sampled, symbols)).collect();
    json!({
        "rate": samples.rate,
        "count": samples.count,
        "missed_threads": samples.missed_threads,
        "activities": activities,
    })
}

fn activity(trace: &Trace, sampled: &Sampled, symbols: &mut Symbolizer) -> Value {
    let (mut lines, mut functions) = (Vec::new(), Vec::new());
    if sampled.doing.is_program() {
        for line in sampled.lines(trace, symbols) {
            lines.push(json!({
                "function": line.place.function,
                "file": line.place.file,
                "line": line.place.line,
                "text": line.place.long(),
                "callee": line.callee,
                "count": line.count,
            }));
        }
        for HotFunction { function, inclusive, exclusive, .. } in sampled.functions(symbols) {
            functions.push(json!({ "function": function, "inclusive": inclusive, "exclusive": exclusive }));
        }
    }
    json!({
        "activity": sampled.doing.name(),
        "place": place(symbols, sampled.doing.site()),
        "region": place(symbols, sampled.region),
        "count": sampled.count,
        "lines": lines,
        "functions": functions,
    })
}
