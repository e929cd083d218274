//! Parallel efficiency and its factors as JSON, in percent.

use ferromp_trace::analysis::Efficiency;
use serde_json::{Value, json};

/// The factors; null where there is no time.
pub fn efficiency(found: Option<Efficiency>) -> Value {
    let Some(found) = found else { return Value::Null };
    json!({
        "parallel_percent": 100.0 * found.parallel,
        "amdahl_percent": 100.0 * found.amdahl,
        "load_balance_percent": 100.0 * found.load_balance,
        "serialisation_percent": 100.0 * found.serialisation,
        "transfer_percent": 100.0 * found.transfer,
    })
}
