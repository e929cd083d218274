//! How the program came to a construct.

use super::cause::Cause;
use super::finding::Finding;
use crate::Site;
use crate::analysis::Summary;
use crate::symbols::{Frame, Symbolizer};

/// Frames that a text shows at each end of a long path.
const SHOWN: usize = 3;

/// The functions by which the program came to the finding's region for the first time, each with the line of its call,
/// from `main` on. The function that encounters the region is not among them. Empty if they are not known, and for
/// serial time.
pub fn call_path(finding: &Finding, summary: &Summary, symbols: &mut Symbolizer) -> Vec<Frame> {
    if matches!(finding.cause, Cause::SerialPhase | Cause::Startup) {
        // Serial time is between regions. Samples tell by which calls it came about.
        return Vec::new();
    }
    let site = if finding.region == Site::default() { finding.site } else { finding.region };
    let Ok(found) = summary.callers.binary_search_by_key(&site, |(site, _)| *site) else { return Vec::new() };
    let mut frames: Vec<Frame> = symbols.frames(site.codeptr).into_iter().skip(1).collect();
    for address in &summary.callers[found].1 {
        frames.append(&mut symbols.frames(*address));
    }
    frames.retain(|frame| frame.line.is_some_and(|line| line > 0));
    from_main(&mut frames);
    frames
}

/// Turns frames, the innermost first, into those from `main` on, `main` first.
pub(super) fn from_main(frames: &mut Vec<Frame>) {
    let is_main = |frame: &Frame| matches!(frame.function.as_deref(), Some("main" | "MAIN__"));
    // Without debug information for `main`, what starts the program may have some.
    let starts = |frame: &Frame| {
        frame.function.as_deref().is_some_and(|name| name == "_start" || name.starts_with("__libc_start"))
    };
    let start = frames.iter().position(starts).unwrap_or(frames.len());
    let main = frames.iter().position(is_main).map_or(start, |main| main + 1);
    frames.truncate(main);
    frames.reverse();
}

/// A path as a text, of a long one the two ends; none if there are no frames.
pub fn path_text(frames: &[Frame]) -> Option<String> {
    let name = |frame: &Frame| {
        let file = frame.file.as_ref().and_then(|file| file.file_name()).unwrap_or_default().to_string_lossy();
        format!("{} ({file}:{})", frame.function.as_deref().unwrap_or("?"), frame.line.unwrap_or(0))
    };
    let mut names: Vec<String> = frames.iter().map(name).collect();
    if names.len() > 2 * SHOWN {
        let left = names.len() - 2 * SHOWN;
        names.splice(SHOWN..SHOWN + left, [format!("{left} more")]);
    }
    (!names.is_empty()).then(|| names.join(" > "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, line: u32) -> Frame {
        Frame { function: Some(function.to_owned()), file: Some("/src/a.c".into()), line: Some(line) }
    }

    #[test]
    fn a_path_begins_with_main() {
        let mut frames = vec![frame("step", 3), frame("main", 9), frame("_start", 1)];
        from_main(&mut frames);
        assert_eq!(path_text(&frames).as_deref(), Some("main (a.c:9) > step (a.c:3)"));
        assert_eq!(path_text(&[]), None);
    }

    #[test]
    fn what_starts_the_program_is_no_caller() {
        let mut frames = vec![frame("__libc_start_call_main", 58), frame("__libc_start_main_impl", 360)];
        from_main(&mut frames);
        assert_eq!(frames, []);
    }

    #[test]
    fn a_long_path_has_its_ends() {
        let frames: Vec<Frame> = (0..9).map(|line| frame("f", line)).collect();
        let text = path_text(&frames).unwrap();
        assert!(text.starts_with("f (a.c:0) > ") && text.contains("f (a.c:2) > 3 more > f (a.c:6)"), "{text}");
    }
}
