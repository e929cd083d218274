//! What the report says first: the causes of lost time, each with its place, cost and remedy.

use super::layout::wrapped;
use super::{Style, duration};
use crate::analysis::Summary;
use crate::escape;
use crate::findings::{call_path, findings, path_text};
use crate::reader::Trace;
use crate::symbols::{Location, Symbolizer, excerpt};

/// Findings of the brief form.
const BRIEF: usize = 5;
/// Blanks left of what follows the first line of a finding.
const INDENT: usize = 5;

/// The findings after an empty line, or one line if there are none.
pub fn text(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, style: &Style) -> String {
    let found = findings(trace, summary, symbols);
    let run = summary.run_ns().max(1);
    if found.is_empty() {
        let samples = if summary.samples.rate == 0 { "; what only samples show was not looked for" } else { "" };
        let is_whole = summary.lost == 0 && trace.meta.missed_threads == 0 && trace.all_damage().is_empty();
        let whole = if is_whole { "nothing is lost" } else { "what was recorded loses nothing" };
        return titled(&format!("No findings: {whole} that could gain 2 % of the run{samples}"), style);
    }
    let mut out = titled(&format!("Findings: what the run of {} could gain", duration(run)), style);
    for (index, finding) in found.iter().enumerate().take(most(style)) {
        let percent = 100.0 * finding.gain_ns as f64 / run as f64;
        let location = finding.location(symbols);
        let head = format!("{}. {percent:.0} % ({}), {}:", index + 1, duration(finding.gain_ns), finding.cause.name());
        out += &headed(&head, &location, style.width);
        let path = path_text(&call_path(finding, summary, symbols));
        let evidence: Vec<&str> = finding.evidence.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let words = Words {
            sentence: &finding.sentence,
            place: Some(&location),
            callers: path.as_deref(),
            evidence: &evidence,
            confidence: finding.confidence.name(),
            advice: finding.advice,
        };
        out += &words.lines(style);
    }
    out += &rest(found.len(), style);
    out
}

/// What stands below the first line of a finding.
pub struct Words<'a> {
    pub sentence: &'a str,
    /// Its source lines are shown.
    pub place: Option<&'a Location>,
    pub callers: Option<&'a str>,
    pub evidence: &'a [&'a str],
    pub confidence: &'a str,
    pub advice: &'a str,
}

impl Words<'_> {
    /// Several lines.
    pub fn lines(&self, style: &Style) -> String {
        // Functions and hosts are named here.
        let mut out = wrapped(&escape::line(&format!("{}.", capital(self.sentence))), INDENT, style.width);
        if let Some(excerpt) = self.place.and_then(excerpt) {
            for (number, line) in (excerpt.first..).zip(&excerpt.lines) {
                let mark = if number == excerpt.line { '>' } else { ' ' };
                let shown: String = line.chars().take(style.width.saturating_sub(INDENT + 9)).collect();
                out += &(style.faint(&format!("{}{mark}{number:>5} | {shown}", " ".repeat(INDENT))) + "\n");
            }
        }
        if let Some(path) = self.callers {
            out += &wrapped(&escape::line(&format!("Called by {path}")), INDENT, style.width);
        }
        let evidence = format!("{} ({})", self.evidence.join("; "), self.confidence);
        out += &wrapped(&escape::line(&capital(&evidence)), INDENT, style.width);
        out + &wrapped(&format!("Try: {}", self.advice), INDENT, style.width)
    }
}

/// How many findings a report has.
pub fn most(style: &Style) -> usize {
    style.rows.unwrap_or(BRIEF)
}

/// The text with a capital letter at its begin.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A title after an empty line.
pub fn titled(text: &str, style: &Style) -> String {
    let lines = wrapped(text, 0, style.width);
    std::iter::once("\n".to_owned()).chain(lines.lines().map(|line| style.title(line))).collect()
}

/// The first line of a finding. The place goes to a line of its own if there is no room for both.
pub fn headed(head: &str, location: &Location, width: usize) -> String {
    let place = |room: usize| escape::line(&location.within(room)).into_owned();
    let beside = format!("  {head} {}", place(width.saturating_sub(head.chars().count() + 3)));
    if beside.chars().count() <= width {
        return beside + "\n";
    }
    wrapped(head, 2, width) + &format!("{}{}\n", " ".repeat(INDENT), place(width.saturating_sub(INDENT)))
}

/// A line about the findings that are left out of `count`; nothing if there are none.
pub fn rest(count: usize, style: &Style) -> String {
    let left = count.saturating_sub(most(style));
    if left == 0 { String::new() } else { format!("  and {left} more with smaller gains\n") }
}
