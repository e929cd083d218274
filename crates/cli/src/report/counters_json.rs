//! Counters as JSON. The fields have the names of `analysis::CounterSums`.

use ferromp_trace::Site;
use ferromp_trace::analysis::{Count, CounterSums};
use serde_json::{Map, Value, json};

/// The counts by region and by thread; null if none were recorded. `place` gives the JSON of a construct's place.
pub fn counters(sums: &CounterSums, place: &mut dyn FnMut(Site) -> Value) -> Value {
    if sums.names.is_empty() {
        return Value::Null;
    }
    let counts = |counts: &[Count]| -> Value {
        let named = sums.names.iter().zip(counts);
        let named = named.map(|(name, count)| (name.clone(), json!({ "value": count.value, "share": count.share })));
        let ratios: Map<String, Value> =
            sums.ratios(counts).into_iter().map(|(name, ratio)| (name.to_owned(), ratio.into())).collect();
        json!({ "counts": named.collect::<Map<String, Value>>(), "ratios": ratios })
    };
    let mut regions = Vec::new();
    for (site, of_region) in &sums.regions {
        regions.push(json!({ "place": place(*site), "counted": counts(of_region) }));
    }
    let threads = sums.threads.iter().map(|(number, of)| json!({ "number": number, "counted": counts(of) }));
    json!({
        "names": sums.names,
        "regions": regions,
        "serial": counts(&sums.serial),
        "idle": counts(&sums.idle),
        "threads": threads.collect::<Vec<Value>>(),
        "missed_threads": sums.missed_threads,
    })
}
