//! Which part of a trace reports and exports are about: a window of time, some regions, or both. All events are read
//! from the start nevertheless, so that what was opened before the window is known.

use crate::Site;
use rustc_hash::FxHashSet;

/// A window of time, in nanoseconds since the start of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Its begin.
    pub from_ns: u64,
    /// Its end, not before the begin.
    pub to_ns: u64,
}

/// The regions that a part is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// The constructs.
    pub sites: FxHashSet<Site>,
    /// What users call the constructs, for headers.
    pub names: Vec<String>,
}

/// The part of a trace that everything read of the trace is about. The default is the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The window, if there is one.
    pub window: Option<Window>,
    /// The regions, if not everything is selected. What is inside an instance of a region is selected with it.
    pub regions: Option<Regions>,
}

impl Selection {
    /// Whether nothing is left out.
    pub fn is_all(&self) -> bool {
        self.window.is_none() && self.regions.is_none()
    }

    /// Whether the instances of a construct are selected, wherever they are.
    pub(crate) fn names(&self, site: Site) -> bool {
        self.regions.as_ref().is_some_and(|regions| regions.sites.contains(&site))
    }

    /// What is selected, in words, one fact a line; nothing for the whole trace.
    pub fn describe(&self) -> Vec<String> {
        let window = self.window.map(|Window { from_ns, to_ns }| {
            format!("{} to {} from the start of the recording", moment(from_ns), moment(to_ns))
        });
        let regions = self.regions.iter().flat_map(|regions| &regions.names).map(|name| format!("region {name}"));
        window.into_iter().chain(regions).collect()
    }

    /// Begin and end of the window; all time if there is none.
    pub fn edges(&self) -> (u64, u64) {
        self.window.map_or((0, u64::MAX), |window| (window.from_ns, window.to_ns.max(window.from_ns)))
    }
}

/// A moment in the unit that suits it, with all its digits.
pub fn moment(ns: u64) -> String {
    let (scale, unit) = match ns {
        0..1_000 => (1, "ns"),
        1_000..1_000_000 => (1_000, "us"),
        1_000_000..1_000_000_000 => (1_000_000, "ms"),
        _ => (1_000_000_000, "s"),
    };
    let digits = scale.to_string().len() - 1;
    let fraction = format!("{:0digits$}", ns % scale);
    let fraction = if scale == 1 { "" } else { fraction.trim_end_matches('0') };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction} {unit}", ns / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_have_all_their_digits() {
        for (ns, text) in [(0, "0 ns"), (999, "999 ns"), (1_500_000_000, "1.5 s"), (2_000_010, "2.00001 ms")] {
            assert_eq!(moment(ns), text);
        }
        assert_eq!(moment(3_000), "3 us");
    }
}
