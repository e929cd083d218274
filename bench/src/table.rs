//! The results as Markdown, and their place in the project's README.
//! Times are medians; ratios are medians of the ratios within a round, below 1 where ferromp is faster. The quotient of
//! the medians stands beside a ratio that differs from it.

use crate::recorder::Cost;
use crate::sample::{Program, Series};
use crate::stats::Row;
use std::fmt::Write;
use std::path::Path;

const BEGIN: &str = "<!-- bench: begin -->";
const END: &str = "<!-- bench: end -->";

/// The tables, the floor and the verdict.
pub fn markdown(rows: &[Row], events: &[Cost], floor: Option<f64>, machine: &str) -> String {
    let mut text = format!("{machine}.\n\n");
    text.push_str(&head("construct"));
    for row in rows {
        text.push_str(&line(row, time, if row.passes() { "" } else { " **miss**" }));
    }
    match floor {
        Some(nanoseconds) => {
            _ = writeln!(
                text,
                "\nThe floor of this machine, a cache line to another CPU and back: {}.",
                time(nanoseconds)
            )
        }
        None => text.push_str("\nThe floor of this machine was not measured: it has one CPU.\n"),
    }
    if !events.is_empty() {
        text.push_str(
            "\n| recorder | events | without | with | a recorded event |\n| --- | --- | ---: | ---: | ---: |\n",
        );
        for cost in events {
            _ = writeln!(
                text,
                "| {} | {}: {} | {} | {} | {} |",
                cost.construct,
                cost.events,
                cost.what,
                time(cost.without),
                time(cost.with),
                time(cost.per_event())
            );
        }
    }
    _ = writeln!(text, "\n{}", verdict(rows));
    text
}

/// The first two lines of a table of rows.
pub fn head(what: &str) -> String {
    format!(
        "| {what} | threads | ferromp (gcc) | libgomp | ratio | ferromp (clang) | libiomp5 | ratio | to the better peer |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
    )
}

/// A row's line, with its numbers as `show` writes them, and a mark behind the last ratio.
pub fn line(row: &Row, show: impl Fn(f64) -> String, mark: &str) -> String {
    let [gcc, libgomp, clang, libiomp5] = row.medians.map(show);
    let Row { construct, threads, to_libgomp, to_libiomp5, to_better, .. } = row;
    format!(
        "| {construct} | {threads} | {gcc} | {libgomp} | {to_libgomp} | {clang} | {libiomp5} | {to_libiomp5} \
         | {to_better}{mark} |\n"
    )
}

/// The rows that miss their target.
fn verdict(rows: &[Row]) -> String {
    let misses: Vec<String> = rows
        .iter()
        .filter(|row| !row.passes())
        .map(|row| {
            let worse = row.to_better.worse();
            format!("{} at {} threads ({worse:.2}, asked {:.1})", row.construct, row.threads, row.limit)
        })
        .collect();
    match misses.len() {
        0 => format!("All {} rows are where they must be:\n", rows.len()) + LIMITS,
        n => format!("{n} of {} rows miss: {}. Asked: {LIMITS}", rows.len(), misses.join(", ")),
    }
}

const LIMITS: &str = "at most 1.2 times the better peer, and with more threads than CPUs not slower than either.";

/// Every sample, for readers who want to analyse them.
pub fn raw(series: &[Series]) -> String {
    let mut text = String::from("construct,threads,round,program,nanoseconds\n");
    for one in series {
        for program in Program::ALL {
            for (round, value) in one.samples[program as usize].iter().enumerate() {
                _ = writeln!(text, "{},{},{},{},{value:.3}", one.construct, one.threads, round + 1, program.name());
            }
        }
    }
    text
}

/// Nanoseconds with three digits and a unit.
pub fn time(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        n if n.abs() >= 1e6 => (n / 1e6, "ms"),
        n if n.abs() >= 1e3 => (n / 1e3, "µs"),
        n => (n, "ns"),
    };
    let digits = if value.abs() >= 100.0 {
        0
    } else if value.abs() >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

/// Replaces what stands between the markers in the file.
pub fn into_readme(path: &Path, table: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let replaced = between_markers(&text, table)
        .ok_or_else(|| format!("{}: the markers {BEGIN} and {END} are missing", path.display()))?;
    std::fs::write(path, replaced).map_err(|e| format!("{}: {e}", path.display()))
}

fn between_markers(text: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}\n{END}{after}", table.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        assert_eq!(
            [0.5, 12.34, 123.4, 1234.0, 45_678_900.0].map(time),
            ["0.50 ns", "12.3 ns", "123 ns", "1.23 µs", "45.7 ms"]
        );
    }

    #[test]
    fn only_what_is_between_the_markers_changes() {
        let text = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        assert_eq!(between_markers(&text, "new\n"), Some(format!("a\n{BEGIN}\nnew\n{END}\nb\n")));
        assert_eq!(between_markers("no markers", "new"), None);
    }
}
