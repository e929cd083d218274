//! Calls of MPI as JSON. The fields have the names of `analysis::MpiSite`.

use ferromp_trace::analysis::Summary;
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

use super::findings_json::known;
use super::place::place;

/// The time in MPI and the calls; null if none were recorded.
pub fn mpi(summary: &Summary, symbols: &mut Symbolizer) -> Value {
    let Some(efficiency) = summary.mpi_efficiency() else { return Value::Null };
    let calls = summary.mpi.iter().map(|site| {
        json!({
            "function": site.name(),
            "place": place(symbols, site.site),
            "count": site.count,
            "total_ns": site.total_ns,
            "max_ns": site.max_ns,
            "serial_ns": site.serial_ns,
            "region_ns": site.region_ns,
            "region": known(symbols, site.region),
            "bytes": site.bytes,
            "partners": site.partners,
            "lowest_partner": (site.partners > 0).then_some(site.lowest),
            "highest_partner": (site.partners > 0).then_some(site.highest),
        })
    });
    json!({
        "total_ns": summary.mpi_ns,
        "serial_ns": summary.mpi_serial_ns,
        "region_ns": summary.mpi_region_ns,
        "efficiency": efficiency,
        "calls": calls.collect::<Vec<Value>>(),
    })
}
