//! Several processes side by side: how much they differ, and what each has run.

use super::clocks::clocks;
use super::layout::{Cell, Name, Row, Sheet};
use super::style::Style;
use crate::analysis::{MEASURES, Process, Spread};

/// Tables that compare processes, several lines. Empty if there are fewer than two.
pub fn processes(processes: &[Process], style: &Style) -> String {
    if processes.len() < 2 {
        return String::new();
    }
    format!("{}\n{}", spreads(processes).draw(style), list(processes, style).draw(style))
}

fn spreads(processes: &[Process]) -> Sheet {
    let row = |(name, _, measure): (&str, &str, _)| {
        let spread = Spread::of(processes, measure)?;
        let cells = vec![
            Cell::time(spread.min),
            Cell::time(spread.mean),
            Cell::time(spread.max),
            Cell::text(&processes[spread.min_at].name()),
            Cell::text(&processes[spread.max_at].name()),
        ];
        Some(Row { name: Name::Text(name.into()), cells })
    };
    Sheet {
        title: format!("{} processes", processes.len()),
        header: vec!["", "min", "mean", "max", "min in", "max in"],
        rows: MEASURES.into_iter().filter_map(row).collect(),
        notes: clocks(processes).into_iter().collect(),
    }
}

/// Each process, the one that took the longest first.
fn list(processes: &[Process], style: &Style) -> Sheet {
    let mut sorted: Vec<&Process> = processes.iter().collect();
    sorted.sort_by_key(|process| std::cmp::Reverse(process.wall_ns));
    let row = |process: &&Process| Row {
        name: Name::Text(process.name()),
        cells: MEASURES
            .iter()
            .map(|(_, _, measure)| Cell::time(measure(process)))
            .chain([Cell::text(&process.command)])
            .collect(),
    };
    let left = sorted.len().saturating_sub(style.most_rows());
    Sheet {
        title: "The processes, by wall time".into(),
        header: std::iter::once("process").chain(MEASURES.map(|(name, ..)| name)).chain(["command"]).collect(),
        rows: sorted.iter().take(style.most_rows()).map(row).collect(),
        notes: (left > 0).then(|| format!("and {left} more: --rows {} or --all", sorted.len())).into_iter().collect(),
    }
}
