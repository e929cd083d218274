//! What the top of a page says: causes of slowness, which lead into the timeline.

use crate::Site;
use crate::analysis::Summary;
use crate::findings;
use crate::reader::Trace;
use crate::symbols::Symbolizer;

/// A cause of slowness, as the top of a page shows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// What is wrong, in a few words.
    pub title: String,
    /// Where, in words.
    pub place: String,
    /// The evidence, and what to try; each item is a line.
    pub lines: Vec<String>,
    /// Time of the run that a fix would bring; none if that is not known.
    pub gain_ns: Option<u64>,
    /// The construct that the timeline highlights.
    pub site: Option<Site>,
    /// Begin and end of the time that the timeline shows for it, in nanoseconds from the start of the recording.
    pub range_ns: Option<(u64, u64)>,
}

/// The findings of a run for its page, the one with the largest gain first.
pub fn findings(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Vec<Finding> {
    let found = findings::findings(trace, summary, symbols);
    let shown = |finding: findings::Finding| {
        let evidence: Vec<&str> = finding.evidence.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        let lines = vec![
            format!("{}.", finding.sentence),
            format!("{} ({})", evidence.join("; "), finding.confidence.name()),
            format!("Try: {}", finding.advice),
        ];
        Finding {
            title: finding.cause.name().to_owned(),
            place: finding.location(symbols).long(),
            lines,
            gain_ns: Some(finding.gain_ns),
            site: [finding.site, finding.region].into_iter().find(|site| *site != Site::default()),
            range_ns: None,
        }
    };
    found.into_iter().map(shown).collect()
}
