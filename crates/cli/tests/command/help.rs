//! Every help text, as users see it.

use crate::common;

use std::path::Path;

fn help(words: &[&str]) -> String {
    let done = common::ferromp(Path::new("/nowhere")).env("COLUMNS", "80").args(words).output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty());
    common::text(&done.stdout)
}

#[test]
fn the_overview() {
    insta::assert_snapshot!(help(&["--help"]));
}

/// The subcommands.
const ALL: [&str; 13] = [
    "trace",
    "profile",
    "top",
    "report",
    "merge",
    "export",
    "check",
    "run",
    "debug",
    "doctor",
    "system",
    "completions",
    "manual",
];

#[test]
fn texts_fit_a_terminal() {
    for words in ALL.map(|name| vec![name, "--help"]).into_iter().chain([vec!["--help"], vec!["-h"]]) {
        let text = help(&words);
        let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(wide.is_empty(), "{words:?}: {wide:#?}");
    }
}

#[test]
fn each_table_has_a_flag_that_is_explained() {
    let text = help(&["report", "--help"]);
    for table in ferromp_trace::report::TABLES {
        assert!(text.contains(&format!("--{}\n          {}", table.name, table.help)), "{}: {text}", table.name);
    }
}

#[test]
fn each_subcommand() {
    for name in ALL {
        insta::assert_snapshot!(name, help(&[name, "--help"]));
    }
}

#[test]
fn completions_know_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = help(&["completions", shell]);
        for word in ["trace", "check", "doctor", "perfetto"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}
