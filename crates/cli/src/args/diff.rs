//! Arguments of `ferromp diff`.

use std::path::PathBuf;

use clap::ValueHint;
use console::Term;
use ferromp_trace::compare::Tolerance;
use ferromp_trace::report::{Choice, Style};

use super::format::Format;
use super::look::Form;
use crate::quantity::{Amount, amount};

const DIFF_HELP: &str = "\
Examples:
  ferromp diff before after
  ferromp diff --before a1 a2 a3 --after b1 b2 b3
  ferromp diff main branch --fail-above 10%       in a CI job
  ferromp diff main branch --fail-above 50ms
  ferromp diff before after --format json > diff.json

The tables show medians, the largest change first. Regions, waiting and findings
are matched by function, file and line; a construct may have moved within its
function. What has no partner is new or removed. docs/diff.md of ferromp's
sources tells how.

With three runs or more a side, noise is told from change: chance is the
probability that runs of the same program differ as much (Mann-Whitney test, one
direction), and a change has at most 0.05. Rows within noise and changes below
0.1 % of the run are left out, --all shows them. The columns with ± have half
of the distance between the smallest and the largest run.

--fail-above looks at the run, the time outside of parallel regions, and the
regions that take more than 2 % of the run. Each that got slower by more than a
percentage of its time before, or by more than a time, is a line with both
times. What is within noise does not fail; without enough runs to know, it does.

Exit status: 0 if nothing got slower by more than --fail-above allows, 1 if
something did, 125 if a trace could not be read.";

/// Arguments of `ferromp diff`.
#[derive(clap::Args)]
#[command(
    after_help = DIFF_HELP,
    override_usage = "ferromp diff [OPTIONS] <BEFORE> <AFTER>\n       ferromp diff [OPTIONS] --before <DIR>... --after <DIR>..."
)]
pub struct DiffArgs {
    /// Trace folder before, and trace folder after
    #[arg(
        value_name = "DIR",
        value_hint = ValueHint::DirPath,
        num_args = 2,
        required_unless_present_any = ["before", "after"],
        conflicts_with_all = ["before", "after"]
    )]
    pub folders: Vec<PathBuf>,
    /// Trace folders of several runs before
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, num_args = 1.., requires = "after")]
    pub before: Vec<PathBuf>,
    /// Trace folders of several runs after
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, num_args = 1.., requires = "before")]
    pub after: Vec<PathBuf>,
    /// Exit with 1 if the run or a region that matters got slower by more: 10%, or 50ms
    #[arg(long, value_name = "LIMIT", value_parser = limit)]
    pub fail_above: Option<Tolerance>,
    /// Form of the comparison
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Show all rows, also those within noise
    #[arg(long)]
    pub all: bool,
    /// Rows of a table [default: 8, or all with --all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rows: Option<u32>,
    /// How it looks
    #[command(flatten)]
    form: Form,
}

impl DiffArgs {
    /// The style of a comparison that goes to `term`.
    pub fn style(&self, term: &Term) -> Style {
        let choice = if self.all { Choice::All } else { Choice::Brief };
        Style { rows: self.rows.map(|rows| rows as usize), choice, ..self.form.style(term) }
    }
}

/// A percentage, with or without its sign, or a time with its unit.
fn limit(text: &str) -> Result<Tolerance, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let text = if plain { format!("{text}%") } else { text.to_owned() };
    let amount = amount(&text).map_err(|_| "not a percentage such as 10%, nor a time such as 50ms")?;
    Ok(match amount {
        Amount::Ns(ns) => Tolerance::Ns(ns),
        Amount::Percent(percent) => Tolerance::Percent(percent),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_percentages_or_times() {
        let percent = |value| Ok(Tolerance::Percent(value));
        let ns = |value| Ok(Tolerance::Ns(value));
        assert_eq!((limit("10%"), limit("2.5"), limit("7 %")), (percent(10.0), percent(2.5), percent(7.0)));
        assert_eq!((limit("50ms"), limit("0.5 s")), (ns(50_000_000), ns(500_000_000)));
        assert!(
            ["", "%", "-3%", "nan", "inf", "ten", "1e999", "5h", "ms"].into_iter().all(|text| limit(text).is_err())
        );
    }
}
