//! What the things of a run are called: tasks and regions by where they were created, code addresses by the text of the
//! source line.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::journal::Journal;

/// Where a task or region was created: the steps from the initial task to it. Steps sort as the things are named.
pub(super) type Place = Vec<(Step, u64)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    Initial,
    /// The implicit or initial task with this number, of a region.
    Member,
    /// The n-th region that a task met.
    Region,
    /// The n-th explicit task that a task generated.
    Explicit,
}

/// Numbers for things in the order in which they are first met.
#[derive(Default)]
pub(super) struct Numbers(BTreeMap<String, usize>);

impl Numbers {
    pub(super) fn of(&mut self, thing: &str) -> usize {
        let next = self.0.len() + 1;
        *self.0.entry(thing.to_owned()).or_insert(next)
    }
}

/// What everything is called.
pub(super) struct Names {
    /// Of each data word that the journal numbered.
    words: BTreeMap<u64, String>,
    /// The first task of each thread.
    pub(super) threads: BTreeMap<i32, Place>,
    /// The text of the line of each code address.
    codes: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn of(journal: &Journal, source: &Path) -> Names {
        let mut places: BTreeMap<u64, Place> = BTreeMap::new();
        let mut threads: BTreeMap<i32, Place> = BTreeMap::new();
        let mut met: BTreeMap<(Place, Step), u64> = BTreeMap::new();
        let mut next = |above: &Place, step: Step| {
            let count = met.entry((above.clone(), step)).or_default();
            *count += 1;
            let mut place = above.clone();
            place.push((step, *count));
            place
        };
        for entry in &journal.entries {
            let known = |places: &BTreeMap<u64, Place>, key: &str| {
                places
                    .get(&entry.number(key))
                    .cloned()
                    .unwrap_or_else(|| panic!("unknown {key}: {entry:?}\n{}", journal.listing()))
            };
            match entry.event.as_str() {
                "parallel_begin" => {
                    let place = next(&known(&places, "task"), Step::Region);
                    places.insert(entry.number("parallel"), place);
                }
                "implicit_task" if entry.text("at") == "begin" => {
                    let region = entry.number("parallel");
                    let above = places.entry(region).or_insert_with(|| next(&Place::new(), Step::Initial)).clone();
                    let mut place = above;
                    place.push((Step::Member, entry.number("index")));
                    threads.entry(entry.thread).or_insert_with(|| place.clone());
                    places.insert(entry.number("task"), place);
                }
                "task_create" => {
                    let place = next(&known(&places, "outer"), Step::Explicit);
                    places.insert(entry.number("task"), place);
                }
                _ => {}
            }
        }
        Names { words: words(&places), threads, codes: codes(journal, source) }
    }

    pub(super) fn word(&self, text: &str) -> String {
        match text.parse::<u64>() {
            Ok(0) => "empty".to_owned(),
            Ok(number) => self.words.get(&number).cloned().unwrap_or_else(|| "unknown".to_owned()),
            Err(_) => text.to_owned(),
        }
    }

    /// As [`word`](Self::word), for a pointer that may be null.
    pub(super) fn task_or_null(&self, text: &str) -> String {
        if text == "0" { "null".to_owned() } else { self.word(text) }
    }

    pub(super) fn code(&self, text: &str) -> String {
        self.codes.get(text).cloned().unwrap_or_else(|| text.rsplit_once('+').map_or(text, |(file, _)| file).to_owned())
    }
}

/// Regions are `r0` (the initial one), `r1`, … in the order of their places, their tasks `r1.0`, explicit tasks `t1`,
/// ….
fn words(places: &BTreeMap<u64, Place>) -> BTreeMap<u64, String> {
    let sorted: BTreeSet<&Place> = places.values().collect();
    let (mut regions, mut tasks) = (0, 0);
    let mut names: BTreeMap<&Place, String> = BTreeMap::new();
    for place in sorted {
        let (step, number) = place.last().copied().expect("a place has steps");
        let name = match step {
            Step::Initial => "r0".to_owned() + &"'".repeat(number as usize - 1),
            Step::Region => {
                regions += 1;
                format!("r{regions}")
            }
            Step::Member => format!("{}.{number}", names[&place[..place.len() - 1].to_vec()]),
            Step::Explicit => {
                tasks += 1;
                format!("t{tasks}")
            }
        };
        names.insert(place, name);
    }
    places.iter().map(|(word, place)| (*word, names[place].clone())).collect()
}

/// The label of each code address of the journal that lies in the program.
fn codes(journal: &Journal, source: &Path) -> BTreeMap<String, String> {
    let keys = ["code", "instance"];
    let all: BTreeSet<&str> =
        journal.entries.iter().flat_map(|entry| keys.iter().filter_map(|key| entry.get(key))).collect();
    let inside: Vec<&str> = all.into_iter().filter(|code| journal.in_program(code)).collect();
    let text = std::fs::read_to_string(source).unwrap_or_else(|why| panic!("{}: {why}", source.display()));
    let labels = labels(&text);
    let found = journal.source_lines(&inside);
    inside
        .iter()
        .zip(found)
        .map(|(code, (file, line))| {
            let here = file.file_name() == source.file_name();
            let label = if line == 0 {
                "no line".to_owned()
            } else if here {
                labels[line - 1].clone()
            } else {
                file.file_name().unwrap_or_default().to_string_lossy().into_owned()
            };
            ((*code).to_owned(), label)
        })
        .collect()
}

/// What the lines of a source are called: by the directive or statement on them, with a number where the text comes
/// again. gcc puts the call of a `parallel` or `teams` construct on the line where the function begins that holds it:
/// such a line is called by the first of these constructs in the function.
fn labels(text: &str) -> Vec<String> {
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut labels: Vec<String> = Vec::new();
    let mut function = None;
    for (index, line) in text.lines().enumerate() {
        let statement = line.split("//").next().unwrap_or("").trim();
        let directive = statement.strip_prefix("#pragma omp ");
        let name = directive.unwrap_or(statement).trim_end_matches(|c: char| c == '{' || c == ';' || c.is_whitespace());
        let name = if name.is_empty() { statement } else { name };
        let count = seen.entry(name.to_owned()).or_default();
        *count += 1;
        let again = if *count > 1 { format!(" #{count}") } else { String::new() };
        labels.push(format!("\"{name}\"{again}"));
        let opens_region =
            directive.is_some_and(|directive| ["parallel", "teams"].iter().any(|c| directive.starts_with(c)));
        if line.starts_with(|c: char| c.is_alphabetic()) && line.contains('(') {
            function = Some(index);
        } else if opens_region && let Some(header) = function.take() {
            labels[header] = labels[index].clone();
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::labels;

    #[test]
    fn lines_are_called_by_what_stands_on_them() {
        let labels =
            labels("int x; // why\nint f(void) {\n#pragma omp parallel num_threads(2) // why\n  {\n}\nint x;\n");
        let region = "\"parallel num_threads(2)\"";
        assert_eq!(labels, ["\"int x\"", region, region, "\"{\"", "\"}\"", "\"int x\" #2"]);
    }
}
