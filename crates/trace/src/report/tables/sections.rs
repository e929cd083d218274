//! Sections constructs: the time of each section.

use super::table::listed;
use super::{Source, Table};
use crate::analysis::{Loop, Section};
use crate::report::layout::{Cell, Name, Row, Sheet};

pub const TABLE: Table = Table {
    name: "sections",
    help: "Sections, by number",
    brief: false,
    rows: |summary| summary.loops.iter().map(|one| one.sections.len()).sum(),
    sheet,
};

fn sheet(source: &mut Source<'_>, most: usize) -> Sheet {
    let (summary, symbols) = (source.summary, &mut *source.symbols);
    let of = |one| move |section| (one, section);
    let sections: Vec<(&Loop, &Section)> =
        summary.loops.iter().flat_map(|one| one.sections.iter().map(of(one))).collect();
    let row = |(one, section): &(&Loop, &Section)| {
        let cells = vec![
            Cell::text(&numbers(section)),
            Cell::count(section.executions),
            Cell::time(section.total_ns),
            Cell::time(section.total_ns / section.executions.max(1)),
            Cell::time(section.max_ns),
        ];
        Row { name: Name::Place(symbols.locate(one.site), String::new()), cells }
    };
    let (rows, notes) = listed(&sections, most, &TABLE, row, |(_, section)| section.total_ns);
    Sheet {
        title: "Sections".into(),
        header: vec!["construct", "section", "count", "total", "mean", "max"],
        rows,
        notes,
    }
}

/// Which sections a row is about: `2`, `1-3` for sections that a thread executes in one go, `?` for unknown ones.
fn numbers(section: &Section) -> String {
    match (section.first, section.count) {
        (0, _) => "?".to_owned(),
        (first, 0 | 1) => first.to_string(),
        (first, count) => format!("{first}-{}", first.saturating_add(count - 1)),
    }
}
