//! The table of parallel efficiencies: the run, then the regions.

use super::names::Names;
use super::tables::{Table, place};
use crate::analysis::{Efficiency, FACTORS, Region, Summary};
use serde_json::Value;

/// The table; without rows if the run has no regions.
pub fn table(summary: &Summary, names: &mut Names<'_>) -> Table {
    let [amdahl, load_balance, serialisation, transfer] = FACTORS.map(|(name, _)| (name, "percent"));
    let mut table = Table::new(
        "Parallel efficiency",
        "The efficiency is the product of the factors right of it.",
        &[
            ("region", "place"),
            ("threads", "count"),
            ("time", "ns"),
            ("efficiency", "percent"),
            amdahl,
            load_balance,
            serialisation,
            transfer,
        ],
    );
    let cells = |name: Value, threads: u64, time: u64, efficiency: &Efficiency| {
        let shares = std::iter::once(efficiency.parallel).chain(efficiency.factors());
        let shares = shares.map(|share| Value::from(100.0 * share));
        [name, threads.into(), time.into()].into_iter().chain(shares).collect::<Vec<Value>>()
    };
    let Some(run) = Efficiency::of_run(summary) else { return table };
    table.row(cells("the run".into(), summary.outermost.threads, summary.run_ns(), &run), None);
    for region in summary.regions.iter().filter(|region: &&Region| region.max_threads > 1) {
        if let Some(efficiency) = Efficiency::of_region(region) {
            let name = place(names, region.site());
            let row = cells(name, region.max_threads, region.total_ns, &efficiency);
            table.row(row, names.find(&["region"], region.site()));
        }
    }
    table
}
