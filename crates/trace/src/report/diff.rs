//! What differs between two versions of a program, as text.

use super::layout::{Cell, Name, Row, Sheet, wrapped};
use super::scaling::name;
use super::style::{Choice, Style};
use crate::compare::{self, Diff, Run, Subject, Verdict};
use crate::escape;
use crate::units::{duration, percent};

/// Smaller changes are left out unless all are asked for, in percent of the run.
const LEAST_PERCENT: f64 = 0.1;

/// The comparison, several lines.
pub fn diff(diff: &Diff, before: &[Run], after: &[Run], style: &Style) -> String {
    let mut out = side("before", before, style) + &side("after", after, style);
    out += &warnings(diff, before, after, style);
    let run = [&diff.run, &diff.serial];
    out += &format!("\n{}", sheet("The run", &run, diff, usize::MAX, true).draw(style));
    let all = style.choice == Choice::All;
    let tables = [
        ("Parallel regions", &diff.regions),
        ("Waiting of all threads, at barriers and for tasks and locks", &diff.waits),
        ("Findings: what each could gain", &diff.findings),
    ];
    for (title, rows) in tables {
        if !rows.is_empty() {
            let rows: Vec<&compare::Row> = rows.iter().collect();
            out += &format!("\n{}", sheet(title, &rows, diff, style.most_rows(), all).draw(style));
        }
    }
    out
}

/// The name of a row in a sentence.
pub fn subject(row: &compare::Row) -> String {
    match &row.subject {
        Subject::Run => "the run".into(),
        Subject::Serial => "outside of parallel regions".into(),
        Subject::Construct(..) => row.place().map_or(String::new(), |place| place.name.clone()),
    }
}

/// A change with its sign: `+12.3 %`.
pub fn change(percent: f64) -> String {
    format!("{percent:+.1} %")
}

fn side(name: &str, runs: &[Run], style: &Style) -> String {
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let mut programs: Vec<String> = runs.iter().map(Run::programs).collect();
    programs.dedup();
    let (least, most) = threads(runs);
    let threads = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let count = if runs.len() == 1 { String::new() } else { format!("{} runs, ", runs.len()) };
    let text = format!(
        "{name}: {} ({count}{}, {threads} thread{})",
        names.join(", "),
        programs.join("; "),
        if most == 1 { "" } else { "s" }
    );
    wrapped(&escape::line(&text), 0, style.width)
}

/// The fewest and the most threads of a run.
fn threads(runs: &[Run]) -> (u64, u64) {
    let threads = || runs.iter().map(Run::threads);
    (threads().min().unwrap_or(0), threads().max().unwrap_or(0))
}

fn warnings(diff: &Diff, before: &[Run], after: &[Run], style: &Style) -> String {
    let mut out = String::new();
    if !diff.tells {
        let sides = (before.len(), after.len());
        let why = if sides == (1, 1) { "one run a side".into() } else { format!("{} and {} runs", sides.0, sides.1) };
        out += &style.warning(&format!("{why}: noise cannot be told from change; three runs a side can tell"));
    }
    if before.iter().chain(after).any(|run| run.programs != before[0].programs) {
        out += &style.warning("the runs are of programs with different names");
    }
    if threads(before) != threads(after) {
        out += &style.warning("the runs have different numbers of threads");
    }
    for run in before.iter().chain(after).filter(|run| run.unfinished) {
        out += &style.warning(&format!("{}: the program did not end in good order, or still runs", run.name));
    }
    out
}

fn sheet(title: &str, rows: &[&compare::Row], diff: &Diff, most: usize, all: bool) -> Sheet {
    let run = diff.run.before_ns().max(diff.run.after_ns()) as f64;
    let matters = |row: &compare::Row| {
        let large = row.change_ns().unsigned_abs() as f64 >= LEAST_PERCENT / 100.0 * run;
        large && row.change_ns() != 0 && row.verdict(diff.tells) != Verdict::Noise
    };
    let shown: Vec<_> = rows.iter().filter(|row| all || matters(row)).take(most).collect();
    let left = rows.len() - shown.len();
    let note = format!("{left} row{} with smaller changes or within noise: --all", if left == 1 { "" } else { "s" });
    Sheet {
        title: title.into(),
        header: vec!["", "before", "after", "change", "%", "± % before", "± % after", "chance", ""],
        rows: shown.into_iter().map(|row| line(row, diff)).collect(),
        notes: (left > 0).then_some(note).into_iter().collect(),
    }
}

fn line(row: &compare::Row, diff: &Diff) -> Row {
    let name = match &row.subject {
        Subject::Construct(before, after) => {
            let moved = before.as_ref().zip(after.as_ref()).filter(|(before, after)| before.line != after.line);
            let was = moved.and_then(|(before, _)| before.line).map_or(String::new(), |line| format!(", was :{line}"));
            let kind = row.place().map_or("", |place| &place.kind);
            let kind = if kind == "region" { String::new() } else { format!(", {kind}") };
            row.place().map_or(Name::Text(String::new()), |place| name(place, was + &kind))
        }
        _ => Name::Text(subject(row)),
    };
    let verdict = row.verdict(diff.tells);
    let number = |text: Option<String>| Cell::Number(text.unwrap_or_default());
    let cells = vec![
        Cell::time(row.before_ns()),
        Cell::time(row.after_ns()),
        number(Some(signed(row.change_ns()))),
        number(row.percent().map(|percent| format!("{percent:+.1}"))),
        number(spread(&row.before)),
        number(spread(&row.after)),
        number(diff.tells.then(|| format!("{:.3}", row.chance()))),
        Cell::text(match verdict {
            Verdict::Unknown => "",
            Verdict::Noise => "within noise",
            other => other.name(),
        }),
    ];
    Row { name, cells }
}

/// A time with its sign.
fn signed(ns: i64) -> String {
    format!("{}{}", if ns < 0 { '-' } else { '+' }, duration(ns.unsigned_abs()))
}

/// Half of the distance between the smallest and the largest, in percent of the middle; none for a single value.
fn spread(values: &[u64]) -> Option<String> {
    let (least, most) = (*values.iter().min()?, *values.iter().max()?);
    let middle = least.midpoint(most);
    (values.len() > 1 && middle > 0).then(|| percent(50.0 * (most - least) as f64 / middle as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_are_half_of_the_range() {
        assert_eq!((spread(&[90, 110]), spread(&[7]), spread(&[0, 0])), (Some("10.0".into()), None, None));
        assert_eq!((signed(-1_500), signed(20)), ("-1.50 us".into(), "+20 ns".into()));
    }
}
