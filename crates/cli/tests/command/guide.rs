//! `docs/guide.md`: its commands work, in the order in which they stand there, and the report names the cause and the
//! line that the guide names. The guide's changes of the source are applied between the commands.

use crate::common;

use std::path::{Path, PathBuf};

/// Runs of a command whose finding differs from the guide's: times of one run say little on a busy machine.
const TRIES: usize = 6;

/// A fenced block of the guide.
struct Block {
    language: String,
    /// Line in the guide.
    line: usize,
    text: String,
}

/// What a report names first.
#[derive(Debug, PartialEq)]
enum First {
    /// The cause and the line.
    Finding(String, String),
    Nothing,
}

struct Ground {
    folder: tempfile::TempDir,
    prefix: PathBuf,
    environment: Vec<(String, String)>,
}

impl Ground {
    /// Runs a line of shell. Returns what it says on both streams.
    fn run(&mut self, line: &str) -> String {
        if let Some(setting) = line.strip_prefix("export ") {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            self.environment.push((name.to_owned(), value.to_owned()));
            return String::new();
        }
        let ferromp = assert_cmd::cargo::cargo_bin("ferromp");
        let path = format!("{}:{}", ferromp.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut command = common::command("sh");
        command.args(["-c", line]).current_dir(self.folder.path());
        command.env("PATH", path).env("FERROMP_PREFIX", &self.prefix).envs(self.environment.iter().cloned());
        let done = command.timeout(std::time::Duration::from_secs(120)).output().unwrap();
        let said = common::text(&done.stdout) + &common::text(&done.stderr);
        assert!(done.status.success(), "{line}: {said}");
        said
    }

    /// Changes the source as a `diff` says.
    fn patch(&self, diff: &str) {
        let mut command = common::command("patch");
        command.args(["--fuzz=0", "snow.c"]).current_dir(self.folder.path()).write_stdin(format!("{diff}\n"));
        command.assert().success();
    }
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").canonicalize().unwrap()
}

fn blocks(guide: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (line, text) in (1..).zip(guide.lines()) {
        match text.strip_prefix("```") {
            Some(language) if !is_open => {
                blocks.push(Block { language: language.to_owned(), line, text: String::new() });
                is_open = true;
            }
            Some(_) => is_open = false,
            None if is_open => {
                let block = blocks.last_mut().unwrap();
                block.text = format!("{}{text}\n", block.text);
            }
            None => {}
        }
    }
    blocks
}

/// The commands of a block, each with the output that the block shows.
fn commands(text: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("the block begins with output: {line}"),
        }
    }
    commands
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
    let mut ground = Ground { folder: tempfile::tempdir().unwrap(), prefix: common::prefix(), environment: Vec::new() };
    std::fs::copy(docs().join("guide/snow.c"), ground.folder.path().join("snow.c")).unwrap();
    let mut findings = 0;
    for Block { language, line, text } in blocks(&guide) {
        match &*language {
            "diff" => ground.patch(&text),
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
