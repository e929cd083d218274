//! How a program scales, as text: a table of the runs, two sentences, and a table of what stops it.

use super::layout::{Cell, Name, Row, Sheet, wrapped};
use super::style::Style;
use crate::compare::{Kind, Limit, Measure, Place, Point, Scaling};
use crate::escape;
use crate::symbols::Location;
use crate::units::{duration, percent};
use std::rc::Rc;

/// What is said of the time outside of regions.
const OUTSIDE: &str = "outside of parallel regions";

/// The comparison, several lines.
pub fn scaling(scaling: &Scaling, style: &Style) -> String {
    let mut out = points(&scaling.points).draw(style);
    for point in scaling.points.iter().filter(|point| point.threads > point.cpus && point.cpus > 0) {
        out += &style.warning(&format!(
            "{}: {} threads on {} CPU{}: waiting for a CPU counts as work",
            point.name,
            point.threads,
            point.cpus,
            if point.cpus == 1 { "" } else { "s" }
        ));
    }
    out += &format!("\n{}", wrapped(&kind(scaling), 0, style.width));
    out += &wrapped(&escape::line(&stop(scaling)), 0, style.width);
    if !scaling.limits.is_empty() {
        out += &format!("\n{}", limits(&scaling.limits, style.most_rows()).draw(style));
    }
    out
}

fn points(points: &[Point]) -> Sheet {
    let row = |point: &Point| {
        let several = if point.runs > 1 { format!(" (median of {})", point.runs) } else { String::new() };
        let share = |value: Option<f64>| value.map_or(Cell::Number(String::new()), |value| Cell::share(100.0 * value));
        let efficiency = point.efficiency;
        let cells = vec![
            Cell::count(point.threads),
            Cell::time(point.time_ns),
            Cell::Number(format!("{:.2}", point.speedup)),
            share(Some(point.scaling_efficiency)),
            share(Some(point.computation)),
            share(efficiency.map(|found| found.parallel)),
            share(efficiency.map(|found| found.amdahl)),
            share(efficiency.map(|found| found.load_balance)),
            share(efficiency.map(|found| found.serialisation)),
            share(efficiency.map(|found| found.transfer)),
        ];
        Row { name: Name::Text(escape::line(&point.name).into_owned() + &several), cells }
    };
    Sheet {
        title:
            "Scaling (%: of the ideal speedup; computation: useful time against the first; efficiency and its factors)"
                .into(),
        header: vec![
            "run",
            "threads",
            "time",
            "speedup",
            "%",
            "computation",
            "efficiency",
            "Amdahl",
            "balance",
            "serialis.",
            "transfer",
        ],
        rows: points.iter().map(row).collect(),
        notes: Vec::new(),
    }
}

fn kind(scaling: &Scaling) -> String {
    let (growth, threads) = (number(scaling.growth), number(scaling.threads_growth()));
    let what = match scaling.kind {
        Kind::Strong => "Strong scaling, the work stays the same",
        Kind::Weak => "Weak scaling, the work grows with the threads",
        Kind::Mixed => "Neither strong nor weak scaling, the work grows, but less than the threads",
    };
    let how = match scaling.measure {
        Measure::Iterations => format!("the loops have {growth} times the iterations"),
        Measure::CpuTime => format!("it takes {growth} times the CPU time"),
    };
    format!("{what}: with {threads} times the threads, {how}.")
}

/// With two decimals unless they are zeros.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

fn stop(scaling: &Scaling) -> String {
    let (Some(first), Some(last)) = (scaling.points.first(), scaling.points.last()) else { return String::new() };
    let Some(limit) = scaling.limits.first() else {
        return format!(
            "With {} threads, no region loses more than 2 % of the run against ideal scaling.",
            last.threads
        );
    };
    let place = limit.place.as_ref().map_or(OUTSIDE, |place| &place.name);
    let why = match limit.factor {
        Some((name, before, after)) => format!(
            ", mainly by {name}: {} % with {} thread{}, {} % with {}",
            percent(100.0 * before),
            first.threads,
            if first.threads == 1 { "" } else { "s" },
            percent(100.0 * after),
            last.threads
        ),
        None => String::new(),
    };
    let loss = duration(limit.loss_ns());
    format!("What stops the scaling: {place} loses {loss} with {} threads against ideal{why}.", last.threads)
}

fn limits(limits: &[Limit], most: usize) -> Sheet {
    let row = |limit: &Limit| {
        let factor = |value: fn((&'static str, f64, f64)) -> f64| {
            limit.factor.map_or(Cell::Number(String::new()), |factor| Cell::share(100.0 * value(factor)))
        };
        let cells = vec![
            Cell::time(limit.first_ns),
            Cell::time(limit.last_ns),
            Cell::time(limit.ideal_ns),
            Cell::time(limit.loss_ns()),
            Cell::text(limit.factor.map_or("", |(name, ..)| name)),
            factor(|(_, first, _)| first),
            factor(|(.., last)| last),
        ];
        Row { name: limit.place.as_ref().map_or(Name::Text(OUTSIDE.into()), |place| name(place, String::new())), cells }
    };
    let left = limits.len().saturating_sub(most);
    Sheet {
        title: "What loses most against ideal scaling, between the first and the last".into(),
        header: vec!["region", "first", "last", "ideal", "lost", "mainly by", "% first", "% last"],
        rows: limits.iter().take(most).map(row).collect(),
        notes: (left > 0).then(|| format!("and {left} more with smaller losses")).into_iter().collect(),
    }
}

/// The name of a row about a construct of several runs, and words that follow it.
pub(super) fn name(place: &Place, what: String) -> Name {
    let location = Location {
        function: place.function.clone().filter(|_| place.line.is_some()),
        file: place.file.as_ref().map(Into::into),
        line: place.line,
        // Shown where no line is known.
        symbol: Some(place.name.clone()),
        ..Location::default()
    };
    Name::Place(Rc::new(location), what)
}
