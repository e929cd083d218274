//! What a finding is, and what the rules look at.

use super::cause::Cause;
use crate::Site;
use crate::analysis::{GainKind, Region, Summary, Wait};
use crate::reader::Trace;
use crate::symbols::{Location, Symbolizer};
use std::rc::Rc;

/// One cause of lost time.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Why.
    pub cause: Cause,
    /// The construct to change.
    pub site: Site,
    /// The region around it; the same place if it is the region itself.
    pub region: Site,
    /// What is wrong, in one sentence without the place.
    pub sentence: String,
    /// Up to three numbers that show it.
    pub evidence: Vec<String>,
    /// What to try.
    pub advice: &'static str,
    /// What the run would be shorter by, as an estimate.
    pub gain_ns: u64,
    /// How sure the rule is.
    pub confidence: Confidence,
    /// The line of the code, where samples tell it better than the construct.
    pub line: Option<Rc<Location>>,
    /// The change that a replay makes for the gain, and at which construct; none if no replay can tell it.
    pub change: Option<(GainKind, Site)>,
}

impl Finding {
    /// The place of what is to be changed.
    pub fn location(&self, symbols: &mut Symbolizer) -> Rc<Location> {
        match &self.line {
            Some(line) => line.clone(),
            None => symbols.locate_directive(self.site, self.cause.directive()),
        }
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// The trace allows other explanations.
    Possible,
    /// The trace shows the loss, and the usual cause of it.
    Likely,
    /// The trace shows loss and cause.
    Sure,
}

impl Confidence {
    /// For the report.
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Possible => "possible",
            Confidence::Likely => "likely",
            Confidence::Sure => "sure",
        }
    }
}

/// What the rules look at.
pub struct Run<'a> {
    pub trace: &'a Trace,
    pub summary: &'a Summary,
    pub symbols: &'a mut Symbolizer,
    /// CPUs that the process may use.
    pub cpus: u64,
}

impl<'a> Run<'a> {
    /// The parallel region, not inside another one, that takes most of the run's time.
    pub fn longest(&self) -> Option<&'a Region> {
        let regions = self.summary.regions.iter().filter(|region| region.max_threads > 1 && region.nested == 0);
        regions.max_by_key(|region| region.total_ns)
    }

    /// The waiting in a region.
    pub fn waits(&self, region: Site) -> impl Iterator<Item = &Wait> {
        self.summary.waits.iter().filter(move |wait| wait.region == region)
    }

    /// Threads of the largest team.
    pub fn threads(&self) -> u64 {
        self.summary.regions.iter().map(|region| region.max_threads).max().unwrap_or(1)
    }
}

/// A sum that stays at the largest number: traces may be damaged.
pub fn total(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}

/// `part` of `whole` in percent, without decimals.
pub fn percent(part: u64, whole: u64) -> u64 {
    (100.0 * part as f64 / whole.max(1) as f64).round() as u64
}

/// How often something happened, in words.
pub fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
