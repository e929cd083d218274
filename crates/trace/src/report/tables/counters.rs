//! Counters of the CPU and of the kernel, by region and by thread.

use super::{Source, Table};
use crate::analysis::{Count, CounterSums};
use crate::counters::Counter;
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "counters",
    help: "Counters, if recorded: by region and thread, with IPC and misses",
    brief: false,
    rows: |summary| {
        let sums = &summary.counters;
        sums.regions.len() + sums.threads.len() + [&sums.serial, &sums.idle].iter().filter(|it| !it.is_empty()).count()
    },
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (sums, symbols) = (&source.summary.counters, &mut *source.symbols);
    let cells = |counts: &[Count]| {
        let values = counts.iter().zip(&sums.names).map(|(count, name)| match Counter::find(name) {
            Some(counter) if counter.is_clock() => Cell::time(count.value),
            _ => Cell::count(count.value),
        });
        let ratios = sums.ratios(counts).into_iter().map(|(_, ratio)| Cell::Number(format!("{ratio:.2}")));
        values.chain(ratios).collect()
    };
    let mut rows = Vec::new();
    for (site, counts) in sums.regions.iter().take(most) {
        rows.push(Row { name: Name::Place(symbols.locate(*site), String::new()), cells: cells(counts) });
    }
    let others = [("outside parallel regions", &sums.serial), ("waiting at ends of regions", &sums.idle)];
    for (name, counts) in others.into_iter().filter(|(_, counts)| !counts.is_empty()) {
        rows.push(Row { name: Name::Text(name.into()), cells: cells(counts) });
    }
    for (number, counts) in sums.threads.iter().take(most) {
        rows.push(Row { name: Name::Text(format!("thread {number}")), cells: cells(counts) });
    }
    let kind = |name: &String| Counter::find(name).map_or("?", |counter| counter.kind().name);
    let none = vec![Count::default(); sums.names.len()];
    let ratios = sums.ratios(&none).into_iter().map(|(name, _)| name);
    let header = std::iter::once("counted in").chain(sums.names.iter().map(kind)).chain(ratios).collect();
    Sheet { title: "Counters, by region and by thread".into(), header, rows, notes: notes(sums, most) }
}

fn notes(sums: &CounterSums, most: usize) -> Vec<String> {
    let mut notes = Vec::new();
    let left = sums.regions.len().saturating_sub(most) + sums.threads.len().saturating_sub(most);
    if left > 0 {
        notes.push(format!("and {left} more: --{}", TABLE.name));
    }
    let user: Vec<&str> = sums.names.iter().filter_map(|name| name.strip_suffix(":u")).collect();
    if !user.is_empty() {
        notes.push(format!("counted in user code only: {}", user.join(", ")));
    }
    let estimated: Vec<String> =
        sums.estimated().iter().map(|(name, share)| format!("{name} (counted in {share} % of the time)")).collect();
    if !estimated.is_empty() {
        notes.push(format!("the CPU cannot count all of them at once; these are estimates: {}", estimated.join(", ")));
    }
    if sums.missed_threads > 0 {
        notes.push(format!(
            "the counters of {} threads could not be recorded, or not to their end",
            sums.missed_threads
        ));
    }
    notes
}
