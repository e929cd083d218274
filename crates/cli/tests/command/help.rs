//! Every help text, as users see it.

use crate::common;

use std::path::Path;

fn help(words: &[&str]) -> String {
    let done = common::ferromp(Path::new("/nowhere")).args(words).output().unwrap();
    assert!(done.status.success() && done.stderr.is_empty());
    common::text(&done.stdout)
}

#[test]
fn the_overview() {
    insta::assert_snapshot!(help(&["--help"]));
}

#[test]
fn each_subcommand() {
    for name in ["trace", "report", "export", "check", "run", "debug", "doctor", "completions"] {
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
