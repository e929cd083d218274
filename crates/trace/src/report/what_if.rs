//! What a change would bring, as text.

use super::layout::wrapped;
use super::tables::path_sheet;
use super::{Style, duration};
use crate::Site;
use crate::escape;
use crate::reader::Trace;
use crate::replay::WhatIf;
use crate::symbols::Symbolizer;

/// Steps of the changed run's critical path.
const STEPS: usize = 5;

/// The run as it was and as it would be, several lines, ending with a line feed.
pub fn what_if(trace: &Trace, what_if: &WhatIf, symbols: &mut Symbolizer, style: &Style) -> String {
    let WhatIf { changes, assumptions, before, after } = what_if;
    let line = |text: String| wrapped(&escape::line(&text), 0, style.width);
    let mut out: String = wrapped(&format!("{}, if {}", trace.meta.command(), changes.join(" and ")), 0, style.width)
        .lines()
        .map(|line| style.title(line))
        .collect();
    out += &line(format!(
        "measured {}, replayed {} with typical delays",
        duration(before.measured_ns),
        duration(before.replayed_ns)
    ));
    let gain = what_if.gain_ns();
    let (ns, word) = if gain < 0 { (gain.unsigned_abs(), "longer") } else { (gain.unsigned_abs(), "shorter") };
    out += &line(format!(
        "predicted {}: {} {word} than replayed, {:.1} %",
        duration(after.length_ns),
        duration(ns),
        what_if.gain_percent().abs()
    ));
    if let Some(step) = after.steps.first() {
        let at = match step.site == Site::default() {
            true => String::new(),
            false => format!(" {}", symbols.locate(step.site).long()),
        };
        out += &line(format!("the next limit: {}{at}, {:.0} % of that run", step.what.name(), after.percent(step)));
    }
    for assumption in assumptions {
        out += &line(format!("assumed: {assumption}"));
    }
    let sheet = path_sheet(after, "The critical path of that run".into(), symbols, style.rows.unwrap_or(STEPS));
    out + "\n" + &sheet.draw(style)
}
