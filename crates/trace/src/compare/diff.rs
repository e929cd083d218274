//! What differs between runs of two versions of a program: regions, waiting and findings, before and after.
//! `docs/diff.md` says how constructs are matched and how noise is told from change.

use super::noise::{LEVEL, larger_and_smaller, tells};
use super::place::{Place, pairs};
use super::run::{Measured, Run};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A region counts for [`Diff::slower`] if it takes more than this part of the run, before or after.
const MATTERS: f64 = 0.02;

/// What differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Diff {
    /// Whether there are enough runs to tell change from noise.
    pub tells: bool,
    /// The time of the run.
    pub run: Row,
    /// The time outside of regions.
    pub serial: Row,
    /// Parallel regions. These and the other rows are sorted by the absolute change, the largest first.
    pub regions: Vec<Row>,
    /// Waiting, of all threads.
    pub waits: Vec<Row>,
    /// Findings, by their gains.
    pub findings: Vec<Row>,
}

/// What a row is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Subject {
    /// The run.
    Run,
    /// The time outside of regions.
    Serial,
    /// A construct, by its place before and after. One of them is missing if it is new or removed.
    Construct(Option<Rc<Place>>, Option<Rc<Place>>),
}

/// A time before and after.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is the time of.
    pub subject: Subject,
    /// One time for each run before, in nanoseconds; 0 for a run without the construct.
    pub before: Vec<u64>,
    /// And after.
    pub after: Vec<u64>,
}

/// What the times say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is there only after.
    New,
    /// It is there only before.
    Removed,
    /// It takes longer.
    Slower,
    /// It takes less time.
    Faster,
    /// Chance alone may have brought the difference.
    Noise,
    /// There are too few runs to say more.
    Unknown,
}

impl Verdict {
    /// The name for reports and scripts.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::New => "new",
            Verdict::Removed => "removed",
            Verdict::Slower => "slower",
            Verdict::Faster => "faster",
            Verdict::Noise => "noise",
            Verdict::Unknown => "unknown",
        }
    }
}

/// By how much something may get slower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// In percent of the time before.
    Percent(f64),
    /// In nanoseconds.
    Ns(u64),
}

/// What got slower by more than is allowed.
pub type Slower<'a> = Vec<&'a Row>;

impl Diff {
    /// Compares the runs of two versions.
    pub fn of(before: &[Run], after: &[Run]) -> Diff {
        let times = |runs: &[Run], time: fn(&Run) -> u64| runs.iter().map(time).collect::<Vec<u64>>();
        let row = |subject, time| Row { subject, before: times(before, time), after: times(after, time) };
        Diff {
            tells: tells(before.len(), after.len()),
            run: row(Subject::Run, Run::time_ns),
            serial: row(Subject::Serial, |run| run.serial_ns),
            regions: rows(before, after, |run| &run.regions),
            waits: rows(before, after, |run| &run.waits),
            findings: rows(before, after, |run| &run.findings),
        }
    }

    /// The run, the time outside of regions, and the regions that take more than a fiftieth of the run, of these those
    /// that got slower by more than is allowed. What is new has no time before and is left out, what may be noise as
    /// well.
    pub fn slower(&self, tolerance: Tolerance) -> Slower<'_> {
        let matters = |row: &&Row| {
            let share = |time: u64, run: u64| time as f64 > MATTERS * run as f64;
            share(row.before_ns(), self.run.before_ns()) || share(row.after_ns(), self.run.after_ns())
        };
        let rows = [&self.run, &self.serial].into_iter().chain(&self.regions).filter(matters);
        rows.filter(|row| {
            let verdict = row.verdict(self.tells);
            matches!(verdict, Verdict::Slower | Verdict::Unknown) && row.exceeds(tolerance)
        })
        .collect()
    }
}

impl Row {
    /// The median before.
    pub fn before_ns(&self) -> u64 {
        median(&self.before)
    }

    /// The median after.
    pub fn after_ns(&self) -> u64 {
        median(&self.after)
    }

    /// After minus before.
    pub fn change_ns(&self) -> i64 {
        let (before, after) = (self.before_ns(), self.after_ns());
        let size = i64::try_from(before.abs_diff(after)).unwrap_or(i64::MAX);
        if after < before { -size } else { size }
    }

    /// The change in percent of the time before; none if there was none.
    pub fn percent(&self) -> Option<f64> {
        let before = self.before_ns();
        (before > 0).then(|| 100.0 * self.change_ns() as f64 / before as f64)
    }

    /// Whether the time grew by more than is allowed.
    fn exceeds(&self, tolerance: Tolerance) -> bool {
        match tolerance {
            Tolerance::Percent(most) => self.percent().is_some_and(|by| by > most),
            Tolerance::Ns(most) => self.after_ns().saturating_sub(self.before_ns()) > most,
        }
    }

    /// The probability that chance alone brings as large a change in the same direction.
    pub fn chance(&self) -> f64 {
        let (larger, smaller) = larger_and_smaller(&self.before, &self.after);
        larger.min(smaller)
    }

    /// What the times say; `tells` is that of the [`Diff`].
    pub fn verdict(&self, tells: bool) -> Verdict {
        match &self.subject {
            Subject::Construct(None, _) => return Verdict::New,
            Subject::Construct(_, None) => return Verdict::Removed,
            _ if !tells => return Verdict::Unknown,
            _ => {}
        }
        let (larger, smaller) = larger_and_smaller(&self.before, &self.after);
        // Rounding must not hide the only outcome that three runs a side can tell.
        let unlikely = |chance: f64| chance <= LEVEL + f64::EPSILON;
        match self.change_ns() {
            change if change > 0 && unlikely(larger) => Verdict::Slower,
            change if change < 0 && unlikely(smaller) => Verdict::Faster,
            _ => Verdict::Noise,
        }
    }

    /// The place: that after, or the one before if it is removed. None for the run and the time outside of regions.
    pub fn place(&self) -> Option<&Place> {
        match &self.subject {
            Subject::Construct(before, after) => after.as_deref().or(before.as_deref()),
            _ => None,
        }
    }
}

fn median(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let middle = sorted.len() / 2;
    match sorted[..] {
        [] => 0,
        _ if sorted.len() % 2 == 1 => sorted[middle],
        _ => sorted[middle - 1].midpoint(sorted[middle]),
    }
}

/// A row for each construct of any run.
fn rows(before: &[Run], after: &[Run], of: fn(&Run) -> &BTreeMap<Place, Measured>) -> Vec<Row> {
    let places = |runs: &[Run]| -> Vec<Place> {
        let all: BTreeSet<&Place> = runs.iter().flat_map(|run| of(run).keys()).collect();
        all.into_iter().cloned().collect()
    };
    let times = |runs: &[Run], place: Option<&Place>| -> Vec<u64> {
        let time = |run: &Run| place.and_then(|place| of(run).get(place)).map_or(0, |measured| measured.ns);
        runs.iter().map(time).collect()
    };
    let (olds, news) = (places(before), places(after));
    let row = |(old, new): (Option<usize>, Option<usize>)| {
        let (old, new) = (old.map(|index| olds[index].clone()), new.map(|index| news[index].clone()));
        let (before, after) = (times(before, old.as_ref()), times(after, new.as_ref()));
        Row { subject: Subject::Construct(old.map(Rc::new), new.map(Rc::new)), before, after }
    };
    let mut rows: Vec<Row> = pairs(&olds, &news).into_iter().map(row).collect();
    rows.sort_by(|a, b| {
        b.change_ns().unsigned_abs().cmp(&a.change_ns().unsigned_abs()).then_with(|| a.place().cmp(&b.place()))
    });
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Place {
        Place {
            kind: "region".into(),
            function: Some("main".into()),
            file: Some("heat.c".into()),
            line: Some(line),
            ..Place::default()
        }
    }

    fn run(time: u64, regions: &[(u32, u64)]) -> Run {
        let measured = |ns| Measured { ns, ..Measured::default() };
        Run {
            regions: regions.iter().map(|(line, ns)| (place(*line), measured(*ns))).collect(),
            ..Run::made_up("run", time, 2)
        }
    }

    fn lines(row: &Row) -> (Option<u32>, Option<u32>) {
        let Subject::Construct(before, after) = &row.subject else { return (None, None) };
        let line = |place: &Option<Rc<Place>>| place.as_ref().and_then(|place| place.line);
        (line(before), line(after))
    }

    #[test]
    fn rows_are_sorted_by_their_change() {
        let diff = Diff::of(&[run(1000, &[(10, 500), (20, 300)])], &[run(900, &[(12, 200), (22, 330), (80, 90)])]);
        let found: Vec<_> = diff.regions.iter().map(|row| (lines(row), row.change_ns())).collect();
        let expected = [((Some(10), Some(12)), -300), ((None, Some(80)), 90), ((Some(20), Some(22)), 30)];
        assert_eq!(found, expected);
        assert!(!diff.tells);
        assert_eq!((diff.run.change_ns(), diff.run.percent()), (-100, Some(-10.0)));
        let verdicts: Vec<_> = diff.regions.iter().map(|row| row.verdict(diff.tells)).collect();
        assert_eq!(verdicts, [Verdict::Unknown, Verdict::New, Verdict::Unknown]);
        assert_eq!(diff.regions[1].percent(), None);
    }

    #[test]
    fn noise_is_told_from_change() {
        let before = [100, 104, 97].map(|time| run(1000, &[(10, time), (20, time)]));
        let after = [(120, 99), (131, 103), (118, 98)].map(|(slow, same)| run(1010, &[(10, slow), (20, same)]));
        let diff = Diff::of(&before, &after);
        assert!(diff.tells);
        let verdicts: Vec<_> = diff.regions.iter().map(|row| (lines(row).0, row.verdict(true))).collect();
        assert_eq!(verdicts, [(Some(10), Verdict::Slower), (Some(20), Verdict::Noise)]);
        assert_eq!((diff.regions[0].before_ns(), diff.regions[0].after_ns()), (100, 120));
        assert_eq!(Diff::of(&after, &before).regions[0].verdict(true), Verdict::Faster);
    }

    #[test]
    fn what_matters_and_got_slower_fails() {
        // Of 1000, the first region has 400, the second 15.
        let diff = Diff::of(&[run(1000, &[(10, 400), (20, 10)])], &[run(1040, &[(10, 460), (20, 15)])]);
        let slower =
            |percent| diff.slower(Tolerance::Percent(percent)).iter().map(|row| lines(row).0).collect::<Vec<_>>();
        assert_eq!(slower(10.0), [Some(10)]);
        assert_eq!(slower(3.0), [None, Some(10)]);
        assert!(slower(20.0).is_empty());
        // In nanoseconds, the run and the region got slower by 40 and 60.
        assert_eq!([39, 40, 60].map(|ns| diff.slower(Tolerance::Ns(ns)).len()), [2, 1, 0]);
        // With more runs, the same is within noise.
        let noisy = |times: [u64; 3]| times.map(|time| run(1000, &[(10, time)]));
        let diff = Diff::of(&noisy([400, 410, 480]), &noisy([460, 470, 390]));
        assert!(diff.slower(Tolerance::Percent(10.0)).is_empty());
    }

    #[test]
    fn medians_of_even_numbers_are_between() {
        assert_eq!((median(&[]), median(&[4]), median(&[9, 1]), median(&[3, 100, 5, 7])), (0, 4, 5, 6));
        let row = Row { subject: Subject::Run, before: vec![u64::MAX], after: vec![0] };
        assert_eq!(row.change_ns(), -i64::MAX);
    }
}
