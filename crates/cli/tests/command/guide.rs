//! `docs/guide.md`: its commands work, in the order in which they stand there, and the report names the cause and the
//! line that the guide names. The guide's changes of the source are applied between the commands.

use crate::common;
use crate::page::{Block, Ground, blocks, commands, docs};

use std::path::Path;

/// Runs of a command whose finding differs from the guide's: times of one run say little on a busy machine.
const TRIES: usize = 6;

/// What a report names first.
#[derive(Debug, PartialEq)]
enum First {
    /// The cause and the line.
    Finding(String, String),
    Nothing,
}

/// Changes the source as a `diff` says.
fn patch(folder: &Path, diff: &str) {
    let mut command = common::command("patch");
    command.args(["--fuzz=0", "snow.c"]).current_dir(folder).write_stdin(format!("{diff}\n"));
    command.assert().success();
}

/// The first finding of a report, if the text has findings or says that there are none.
fn first(text: &str) -> Option<First> {
    if text.contains("No findings: ") {
        return Some(First::Nothing);
    }
    let (_, finding) = text.split_once("\n  1. ")?;
    let cause = finding.split_once("), ")?.1.split_once(':')?.0;
    let line = finding.split_once("(snow.c:")?.1.split_once(')')?.0;
    Some(First::Finding(cause.to_owned(), line.to_owned()))
}

#[test]
fn the_guide_says_what_the_commands_say() {
    if std::thread::available_parallelism().is_ok_and(|count| count.get() < 2) {
        eprintln!("skipped: this machine has one CPU, and the guide's program needs two");
        return;
    }
    let guide = std::fs::read_to_string(docs().join("guide.md")).unwrap();
    let mut ground = Ground::new();
    std::fs::copy(docs().join("guide/snow.c"), ground.folder().join("snow.c")).unwrap();
    let mut findings = 0;
    for Block { language, line, text, .. } in blocks(&guide) {
        match &*language {
            "diff" => patch(ground.folder(), &text),
            "console" => {
                for (command, shown) in commands(&text) {
                    let mut said = ground.run(command);
                    let Some(wanted) = first(&shown).filter(|_| command.starts_with("ferromp trace ")) else {
                        assert!(!command.starts_with("./") || said == shown, "guide.md:{line}: {command}: {said}");
                        continue;
                    };
                    findings += 1;
                    for _ in 1..TRIES {
                        if first(&said).as_ref() == Some(&wanted) {
                            break;
                        }
                        said = ground.run(&command.replace("ferromp trace ", "ferromp trace --force "));
                    }
                    assert_eq!(first(&said), Some(wanted), "guide.md:{line}: {command}: {said}");
                }
            }
            other => panic!("guide.md:{line}: what is a block of {other:?}?"),
        }
    }
    assert_eq!(findings, 6, "each step begins with a finding, and the last one has none");
}

#[test]
fn the_guides_pictures_and_pages_are_there() {
    let guide = std::fs::read_to_string(docs().join("guide.md")).unwrap();
    let links: Vec<&str> =
        guide.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(link, _)| link)).collect();
    let pictures = links.iter().filter(|link| link.ends_with(".png")).count();
    assert_eq!(pictures, 2);
    for link in links.iter().filter(|link| !link.starts_with('#')) {
        let file = docs().join(link);
        let size = file.metadata().unwrap_or_else(|error| panic!("{link}: {error}")).len();
        assert!(!link.ends_with(".png") || size < 150_000, "{link}: {size} bytes");
    }
}
