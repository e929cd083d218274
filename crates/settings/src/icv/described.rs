//! Tests of `variables.txt`, from which the manual page of the runtime is made: that the file describes what the table
//! of variables reads, in the words of the lines about unusable values.

use super::testing::from_variables;
use super::variables;

/// What every user reads about the variables.
const TEXT: &str = include_str!("../../variables.txt");

/// A value that no variable takes.
const UNUSABLE: &str = "\u{7f}~";

/// Variables that rows of other names read; see `precedence.rs` and `place/request.rs`.
const READ_WITH_OTHERS: [&str; 4] = ["FERROMP_FSROOT", "GOMP_STACKSIZE", "KMP_STACKSIZE", "KMP_TEAMS_PROC_BIND"];

/// The blocks about variables: name, value, default, description.
fn described() -> Vec<(&'static str, Option<&'static str>, Option<&'static str>, String)> {
    let blocks = TEXT.split("\n\n").map(str::trim).filter(|block| !block.starts_with(['#', '=']));
    let described = blocks.map(|block| {
        let (name, rest) = block.split_once('\n').unwrap_or((block, ""));
        let field = |field| rest.lines().find_map(|line| line.strip_prefix(field));
        let text = rest.lines().filter(|line| !line.starts_with("value: ") && !line.starts_with("default: "));
        (name, field("value: "), field("default: "), text.collect::<Vec<_>>().join(" "))
    });
    described.collect()
}

#[test]
fn the_file_describes_each_variable_once() {
    let mut names: Vec<&str> = described().iter().map(|(name, ..)| *name).collect();
    names.sort_unstable();
    let mut read = [variables::names(|_| true), READ_WITH_OTHERS.to_vec()].concat();
    read.sort_unstable();
    assert_eq!(names, read);
    for (name, _, default, text) in described() {
        assert!(default.is_some(), "{name}: no default");
        assert!(text.ends_with('.') && text.len() > 10, "{name}: {text:?}");
    }
}

#[test]
fn the_file_says_what_the_runtime_says_of_a_value_that_it_cannot_use() {
    for (name, value, default, _) in described() {
        let (_, complaints) = from_variables(&[(name, UNUSABLE)]);
        let Some(complaint) = complaints.iter().find(|complaint| complaint.contains(&format!("{name}="))) else {
            continue;
        };
        let instead = complaint.trim().rsplit_once("; using ").map_or("the default", |(_, instead)| instead);
        // An unreadable value of a variable that is true or false counts as false, whatever the default is.
        let agrees = ["the default", "false"].contains(&instead)
            || default.is_some_and(|default| default.contains(instead.trim_matches('\'')));
        assert!(agrees, "{name}: the file says {default:?}, the runtime {complaint:?}");
        // Lists of other runtimes' own notation name the word that they do not know.
        let Some(value) = value else { continue };
        assert!(complaint.contains(value), "{name}: the file says {value:?}, the runtime {complaint:?}");
    }
}
