//! What differs between two versions of a program, as text.

use super::layout::{Cell, Name, Row, Sheet, wrapped};
use super::scaling::name;
use super::style::{Choice, Style};
use crate::compare::{self, Diff, Run, Subject, Tolerance, Verdict};
use crate::escape;
use crate::units::{duration, percent};
use std::collections::BTreeSet;

/// Smaller changes are left out unless all are asked for, in percent of the run.
const LEAST_PERCENT: f64 = 0.1;

/// The comparison, several lines.
pub fn diff(diff: &Diff, before: &[Run], after: &[Run], style: &Style) -> String {
    let mut out = side("before", before, style) + &side("after", after, style);
    out += &warnings(diff, before, after, style);
    let run = [&diff.run, &diff.serial];
    out += &format!("\n{}", sheet("The run", "part", &run, &run, diff).draw(style));
    let tables = [
        ("Parallel regions", "region", &diff.regions),
        ("Waiting of all threads, at barriers and for tasks and locks", "waited at", &diff.waits),
        ("Findings: what each could gain", "finding", &diff.findings),
    ];
    let mut same = Vec::new();
    for (title, first, rows) in tables {
        let rows: Vec<&compare::Row> = rows.iter().filter(|row| row.before_ns() > 0 || row.after_ns() > 0).collect();
        let shown: Vec<&compare::Row> =
            rows.iter().copied().filter(|row| shows(row, diff, style)).take(style.most_rows()).collect();
        match (shown.len(), rows.len()) {
            (_, 0) => {}
            (0, left) => same.push(format!("{first} ({})", counted(left))),
            _ => out += &format!("\n{}", sheet(title, first, &shown, &rows, diff).draw(style)),
        }
    }
    if !same.is_empty() {
        let same = format!("Without a change above noise and 0.1 % of the run: {}. --all shows them.", same.join(", "));
        out += &format!("\n{}", wrapped(&same, 0, style.width));
    }
    out
}

/// Whether a row is shown: all are if that is asked for, otherwise those with a change that matters.
fn shows(row: &compare::Row, diff: &Diff, style: &Style) -> bool {
    let run = diff.run.before_ns().max(diff.run.after_ns()) as f64;
    let large = row.change_ns().unsigned_abs() as f64 >= LEAST_PERCENT / 100.0 * run && row.change_ns() != 0;
    style.choice == Choice::All || (large && row.verdict(diff.tells) != Verdict::Noise)
}

fn counted(rows: usize) -> String {
    format!("{rows} row{}", if rows == 1 { "" } else { "s" })
}

/// The name of a row in a sentence.
fn subject(row: &compare::Row) -> String {
    match &row.subject {
        Subject::Run => "the run".into(),
        Subject::Serial => "outside of parallel regions".into(),
        Subject::Construct(..) => row.place().map_or(String::new(), |place| place.name.clone()),
    }
}

/// What got slower by more than is allowed, a line each, or a line that nothing did.
pub fn slower(allowed: Tolerance, rows: &[&compare::Row]) -> String {
    let allowed = match allowed {
        Tolerance::Percent(percent) => format!("{percent} %"),
        Tolerance::Ns(ns) => duration(ns),
    };
    if rows.is_empty() {
        return format!("\nNothing that matters got slower by more than {allowed}.\n");
    }
    let rows: String = rows.iter().map(|row| format!("  {}\n", escape::line(&change(row)))).collect();
    format!("\nSlower by more than {allowed}:\n{rows}")
}

/// A row in a sentence: `solve (heat.c:34): 4.00 ms before, 5.00 ms after, +25.0 %`.
fn change(row: &compare::Row) -> String {
    let percent = row.percent().map_or(String::new(), |percent| format!(", {percent:+.1} %"));
    let (before, after) = (duration(row.before_ns()), duration(row.after_ns()));
    format!("{}: {before} before, {after} after{percent}", subject(row))
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
    for (name, runs) in [("before", before), ("after", after)] {
        let problems: BTreeSet<&String> = runs.iter().flat_map(|run| &run.problems).collect();
        for problem in problems {
            out += &style.warning(&format!("{name}: {problem}"));
        }
    }
    for run in before.iter().chain(after).filter(|run| run.unfinished) {
        out += &style.warning(&format!("{}: the program did not end in good order, or still runs", run.name));
    }
    out
}

/// A table of the rows that are shown, of these rows.
fn sheet(title: &str, first: &'static str, shown: &[&compare::Row], rows: &[&compare::Row], diff: &Diff) -> Sheet {
    let left = rows.len() - shown.len();
    let note = format!("and {} with smaller changes, or within noise: --all", counted(left));
    Sheet {
        title: title.into(),
        header: vec![first, "before", "after", "change", "%", "± % before", "± % after", "chance", "verdict"],
        rows: shown.iter().map(|row| line(row, diff)).collect(),
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
