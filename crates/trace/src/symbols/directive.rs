//! The line of a directive in the source. gcc gives the call of a construct inside a region the line of a neighbouring
//! statement: that of the statement before. The return address has the line of the statement after. The directive
//! stands between the two.

use super::{Location, Symbolizer, excerpt};
use crate::Site;
use std::rc::Rc;

/// The directive stands at most this many lines above the statement after it.
const FARTHEST: usize = 40;
/// A loop's directive stands at most this many lines above the first line of its body.
const LOOP_HEAD: usize = 2;

impl Symbolizer {
    /// As [`Symbolizer::locate`], with the line of the nearest OpenMP directive that has one of `words`, such as
    /// `critical`. If the source is not there, or has no such directive near the call, it is the line of the call.
    pub fn locate_directive(&mut self, site: Site, words: &[&str]) -> Rc<Location> {
        let location = self.locate(site);
        match self.directive_line(site, &location, words) {
            Some(line) => Rc::new(Location { line: Some(line), ..(*location).clone() }),
            None => location,
        }
    }

    fn directive_line(&mut self, site: Site, location: &Location, words: &[&str]) -> Option<u32> {
        self.between_statements(site, location, words).or_else(|| after_loop(location, words))
    }

    fn between_statements(&mut self, site: Site, location: &Location, words: &[&str]) -> Option<u32> {
        let call = location.line? as usize;
        let text = excerpt::source(location)?;
        let lines: Vec<&str> = text.lines().collect();
        let is_directive_at =
            |number: usize| number > 0 && lines.get(number - 1).is_some_and(|line| is_directive(line, words));
        if is_directive_at(call) {
            return Some(call as u32);
        }
        if lines.get(call.checked_sub(1)?).is_some_and(|line| is_directive(line, &["parallel"])) {
            // The place is a region's, and the directive stands in it.
            return (call + 1..=call + FARTHEST).find(|number| is_directive_at(*number)).map(|line| line as u32);
        }
        let (file, address) = self.find(site.codeptr)?;
        let lines_of_file = file.lines.as_ref()?;
        // The functions that are inlined at the call, counted from the outermost, are those of the directive.
        let depth = lines_of_file.frames(address.checked_sub(1)?).len();
        let after = lines_of_file.frames(address);
        let frame = after.get(after.len().checked_sub(depth)?)?;
        if frame.file != location.file {
            return None;
        }
        let after = frame.line? as usize;
        let first = call.min(after).saturating_sub(3).max(after.saturating_sub(FARTHEST));
        (first..=call.max(after)).rev().find(|number| is_directive_at(*number)).map(|line| line as u32)
    }
}

/// The directive after a loop: gcc may give the call the line of the worksharing loop before. A barrier is not looked
/// for, because the call may be that of the loop's own.
fn after_loop(location: &Location, words: &[&str]) -> Option<u32> {
    let call = location.line? as usize;
    let text = excerpt::source(location)?;
    let lines: Vec<&str> = text.lines().collect();
    let has = |number: usize, words: &[&str]| {
        number > 0 && lines.get(number - 1).is_some_and(|line| is_directive(line, words))
    };
    if !(call.saturating_sub(LOOP_HEAD)..=call).any(|number| has(number, &["for", "do", "sections"])) {
        return None;
    }
    let words: Vec<&str> = words.iter().copied().filter(|word| *word != "barrier").collect();
    (call + 1..=call + FARTHEST).find(|number| has(*number, &words)).map(|line| line as u32)
}

/// Whether a line of source is an OpenMP directive, in C, C++ or Fortran, that has one of the words.
fn is_directive(line: &str, words: &[&str]) -> bool {
    let line = line.trim_start().to_ascii_lowercase();
    let rest = ["#pragma omp ", "!$omp ", "c$omp ", "*$omp "].iter().find_map(|sentinel| line.strip_prefix(sentinel));
    let is_word = |word: &str| words.contains(&word);
    rest.is_some_and(|rest| {
        let directive = rest.split(['!', '/', '(']).next().unwrap_or_default();
        let mut found = directive.split_whitespace();
        !rest.trim_start().starts_with("end") && found.any(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_all_languages_are_found() {
        assert!(is_directive("  #pragma omp critical (name) // a comment", &["critical"]));
        assert!(is_directive("!$omp ordered", &["critical", "ordered"]));
        assert!(is_directive("  !$OMP PARALLEL DO SCHEDULE(guided)", &["do", "for"]));
        assert!(!is_directive("!$omp end critical", &["critical"]));
        assert!(!is_directive("#pragma omp parallel // critical", &["critical"]));
        assert!(!is_directive("critical();", &["critical"]));
    }
}
