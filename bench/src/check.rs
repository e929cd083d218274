//! Whether ferromp is as fast as it is said to be, within margins that a busy machine keeps:
//! `cargo xtask bench --check`.

use crate::options::Options;
use crate::rounds::measure;
use crate::sample::Bench;
use crate::stats::Row;

/// A row fails at so many times its limit.
const MARGIN: f64 = 1.5;
/// A row that fails is measured so many more times, since another process may have had a CPU. It fails if it does each
/// time.
const MORE: usize = 3;

/// Measures the constructs on all runtimes. The error names each row on which ferromp is far behind.
pub fn run(bench: &Bench, options: &Options, constructs: &[&'static str]) -> Result<(), String> {
    let slow = |row: &Row| row.to_better.worse() > MARGIN * row.limit;
    let all: Vec<Row> = measure(bench, options, constructs)?.iter().map(Row::new).collect();
    let count = all.len();
    let mut behind = Vec::new();
    for mut row in all {
        for _ in 0..MORE {
            if !slow(&row) {
                break;
            }
            let mut again = options.clone();
            again.threads = vec![row.threads];
            let series = measure(bench, &again, &[row.construct])?;
            row = series.iter().map(Row::new).next().ok_or("no samples")?;
        }
        if slow(&row) {
            let Row { construct, threads, to_better, limit, .. } = row;
            let worse = to_better.worse();
            behind
                .push(format!("{construct} at {threads} threads takes {worse:.2} times the better peer ({limit:.1})"));
        }
    }
    if behind.is_empty() {
        println!("{count} rows, none of them {MARGIN} times over its limit");
        return Ok(());
    }
    Err(format!("{} times in a row, {}", MORE + 1, behind.join("; ")))
}
