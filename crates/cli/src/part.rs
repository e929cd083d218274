//! `--from`, `--to` and `--region`: the part of a trace that a report or an export is about. `ferromp export --to` is
//! a format, so the end of its window is `--until`, which reports understand as well.

use std::collections::BTreeMap;

use clap::Args;
use ferromp_trace::analysis;
use ferromp_trace::reader::Trace;
use ferromp_trace::selection::{Regions, Selection, Window, moment};
use ferromp_trace::symbols::{Location, Symbolizer};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::quantity::{Amount, amount};

/// How many regions with a similar name a message has.
const MOST_SIMILAR: usize = 4;

/// Above the flags in help texts.
const HEADING: &str = "Part of the trace";

/// The part, as the command line names it.
#[derive(Args, Clone, Debug, Default)]
pub struct Part {
    /// Leave out what was before: 1.5s, 200ms, 10us, 5ns or 30% from the start of the recording
    #[arg(long, value_name = "TIME", value_parser = moment_of, help_heading = HEADING)]
    from: Option<Amount>,
    /// Leave out what was after; as --from
    #[arg(long, visible_alias = "until", value_name = "TIME", value_parser = moment_of, help_heading = HEADING)]
    to: Option<Amount>,
    /// Only regions at PLACE, and what is inside: a function, file:line, or a part of a name in the table of regions
    #[arg(long, value_name = "PLACE", help_heading = HEADING)]
    region: Option<String>,
}

/// The part, as the command line of `ferromp export` names it.
#[derive(Args, Clone, Debug, Default)]
pub struct PartUntil {
    /// Leave out what was before: 1.5s, 200ms, 10us, 5ns or 30% from the start of the recording
    #[arg(long, value_name = "TIME", value_parser = moment_of, help_heading = HEADING)]
    from: Option<Amount>,
    /// Leave out what was after; as --from
    #[arg(long, value_name = "TIME", value_parser = moment_of, help_heading = HEADING)]
    until: Option<Amount>,
    /// Only regions at PLACE, and what is inside: a function, file:line, or a part of a name in the table of regions
    #[arg(long, value_name = "PLACE", help_heading = HEADING)]
    region: Option<String>,
}

impl PartUntil {
    /// The same part.
    pub fn part(&self) -> Part {
        Part { from: self.from, to: self.until, region: self.region.clone() }
    }
}

/// Reads a moment of the recording: a time from its start, or a share of its length.
fn moment_of(text: &str) -> Result<Amount, String> {
    match amount(text)? {
        Amount::Percent(percent) if percent > 100.0 => Err("the recording ends at 100%".into()),
        moment => Ok(moment),
    }
}

/// A moment of a recording of `length` nanoseconds.
fn ns(moment: Amount, length: u64) -> u64 {
    match moment {
        Amount::Ns(ns) => ns,
        Amount::Percent(percent) => (length as f64 * percent / 100.0).round() as u64,
    }
}

impl Part {
    /// Whether the part is the whole trace.
    pub fn is_all(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.region.is_none()
    }

    /// Selects the part in a trace.
    ///
    /// # Errors
    /// If the window has no time of the trace, or no region is at the place.
    pub fn select(&self, trace: &mut Trace, symbols: &mut Symbolizer) -> Result<(), Failure> {
        let window = self.window(trace)?;
        let regions = self.region.as_deref().map(|place| regions(place, trace, symbols)).transpose()?;
        trace.selection = Selection { window, regions };
        Ok(())
    }

    fn window(&self, trace: &Trace) -> Result<Option<Window>, Failure> {
        if self.from.is_none() && self.to.is_none() {
            return Ok(None);
        }
        let length = trace.duration_ns();
        let from_ns = self.from.map_or(0, |from| ns(from, length));
        let to_ns = self.to.map_or(length, |to| ns(to, length)).min(length);
        if from_ns >= length {
            let (from, length) = (moment(from_ns), moment(length));
            return Err(Failure::new(format!("--from: {from} is not before the end of the recording, {length}")));
        }
        if from_ns >= to_ns {
            let (from, to) = (moment(from_ns), moment(to_ns));
            return Err(Failure::new(format!("--from, --to: nothing is from {from} to {to}")));
        }
        Ok(Some(Window { from_ns, to_ns }))
    }
}

/// The regions of a trace at a place.
fn regions(place: &str, trace: &Trace, symbols: &mut Symbolizer) -> Result<Regions, Failure> {
    let mut progress = Progress::new("looking for regions");
    let sites = analysis::regions(trace, &mut |done, total| progress.update(done, total));
    drop(progress);
    let mut exact = Regions::default();
    let mut partly = Regions::default();
    // By the name, how similar it is.
    let mut names: BTreeMap<String, f64> = BTreeMap::new();
    for site in sites {
        let location = symbols.locate(site);
        let name = location.long();
        let found = match () {
            () if is_named(&location, place) => Some(&mut exact),
            () if name.contains(place) => Some(&mut partly),
            () => None,
        };
        if let Some(found) = found {
            found.sites.insert(site);
            if !found.names.contains(&name) {
                found.names.push(name.clone());
            }
        }
        let function = location.function.as_deref().unwrap_or_default();
        let similar = [name.as_str(), &location.short(), function].map(|known| strsim::jaro_winkler(known, place));
        names.insert(name, similar.into_iter().fold(0.0, f64::max));
    }
    [exact, partly].into_iter().find(|regions| !regions.sites.is_empty()).ok_or_else(|| none(place, names))
}

/// Whether a place is the whole name of a region's function or line.
fn is_named(location: &Location, place: &str) -> bool {
    let with_folders = location.to_string();
    let short = location.short();
    let ending = with_folders.strip_suffix(place).is_some_and(|before| before.is_empty() || before.ends_with('/'));
    location.function.as_deref() == Some(place) || short == place || ending || location.long() == place
}

fn none(place: &str, names: BTreeMap<String, f64>) -> Failure {
    let mut names: Vec<(String, f64)> = names.into_iter().collect();
    names.sort_by(|one, other| other.1.total_cmp(&one.1));
    let similar: Vec<String> = names.into_iter().take(MOST_SIMILAR).map(|(name, _)| name).collect();
    let known = match similar.as_slice() {
        [] => "it has none".to_owned(),
        names => format!("it has {}", names.join(", ")),
    };
    Failure::new(format!("--region {place}: the trace has no such parallel region; {known}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_within_the_recording() {
        assert_eq!(moment_of("100%"), Ok(Amount::Percent(100.0)));
        assert!(moment_of("101%").is_err());
    }

    #[test]
    fn a_line_is_not_the_begin_of_another() {
        let at = |line| Location {
            function: Some("solve".into()),
            file: Some("/src/heat.c".into()),
            line: Some(line),
            ..Location::default()
        };
        for place in ["heat.c:3", "src/heat.c:3", "/src/heat.c:3", "solve", "solve (heat.c:3)"] {
            assert!(is_named(&at(3), place), "{place}");
        }
        assert!(!is_named(&at(34), "heat.c:3") && !is_named(&at(3), "eat.c:3"));
    }
}
