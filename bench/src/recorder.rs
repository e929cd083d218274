//! What the recorder costs: the same construct with and without it, over the number of events that the construct makes.
//! Measured like everything else, alternating in one run.

use crate::options::Options;
use crate::sample::{Bench, Program};
use crate::stats::median;

/// Constructs of a team of one, and the events of each. In a larger team, waiting for others would hide the cost.
const EVENTS: [(&str, f64, &str); 4] = [
    ("critical", 3.0, "acquire, acquired, released"),
    ("barrier", 4.0, "region and wait, begin and end"),
    ("single", 6.0, "work begin and end, then a barrier"),
    ("task", 3.0, "create, schedule in, schedule out"),
];

/// Nanoseconds an event on one construct.
pub struct Cost {
    pub construct: &'static str,
    pub what: &'static str,
    pub events: f64,
    pub without: f64,
    pub with: f64,
}

impl Cost {
    pub fn per_event(&self) -> f64 {
        (self.with - self.without) / self.events
    }
}

/// Measures the constructs above that the filter lets through.
pub fn measure(bench: &Bench, options: &Options) -> Result<Vec<Cost>, String> {
    let chosen =
        EVENTS.into_iter().filter(|(name, ..)| options.filter.as_ref().is_none_or(|f| name.contains(f.as_str())));
    let mut costs = Vec::new();
    for (construct, events, what) in chosen {
        let (mut without, mut with) = (Vec::new(), Vec::new());
        for round in 0..options.rounds {
            eprint!("\rrecorder, round {} of {}, {construct:<12}", round + 1, options.rounds);
            without.push(bench.sample(Program::ClangFerromp, construct, 1, options.milliseconds)?);
            with.push(bench.traced_sample(construct, 1, options.milliseconds)?);
        }
        costs.push(Cost { construct, what, events, without: median(&without), with: median(&with) });
    }
    eprintln!();
    Ok(costs)
}
