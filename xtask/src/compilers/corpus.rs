//! `cargo xtask compilers`: the corpus with each compiler of each root, a result file for each of them under
//! `target/compilers`, and the page's part about them. What fails runs once more on the compiler's own runtime.

use super::page;
use super::root::{Compiler, Root};
use crate::sh::{self, Cmd, Result, cargo, cmd};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What the command line asks for.
pub struct Options {
    /// Commands of compilers; `None` for all.
    pub only: Option<Vec<String>>,
    /// Thread counts of the programs that leave theirs to the runner.
    pub threads: String,
    /// Part of the names of programs; a part of the corpus is shown and not kept.
    pub filter: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Options { only: None, threads: "1 3 8".into(), filter: None }
    }
}

/// What came of the corpus with a compiler.
#[derive(Default, Debug, PartialEq, Eq)]
struct Outcome {
    passed: usize,
    ignored: usize,
    failures: Vec<Failure>,
}

#[derive(Default, Debug, PartialEq, Eq, Clone)]
struct Failure {
    test: String,
    /// What went wrong, in a line.
    why: String,
    /// Whether it fails on the compiler's own runtime as well.
    own: bool,
}

/// Runs the corpus with the compilers of the roots.
pub fn run(roots: &[Root], options: &Options) -> Result {
    cargo(["build", "--quiet", "--package", "ferromp-checker"]).check()?;
    let checker = sh::root().join("dist/lib/libferromp-check.so");
    if !checker.exists() {
        return Err(format!("{}: `cargo xtask build` makes it", checker.display()));
    }
    let mut some = false;
    for root in roots {
        for compiler in root.compilers()? {
            if options.only.as_ref().is_none_or(|only| only.contains(&compiler.command)) {
                some = true;
                one(&compiler, options)?;
                if options.filter.is_none() {
                    page::replace_corpus(&text(&results()?, &page::corpus()))?;
                }
            }
        }
    }
    if some { Ok(()) } else { Err("compilers: no such compiler in these roots".into()) }
}

/// The folder of result files.
fn folder() -> PathBuf {
    sh::target().join("compilers")
}

/// Runs the corpus with one compiler.
fn one(compiler: &Compiler, options: &Options) -> Result {
    sh::step(&format!("corpus: {} of {}", compiler.command, compiler.root.name));
    let version = compiler.version()?;
    let command = corpus(compiler).env("FERROMP_CORPUS_THREADS", &options.threads).args(options.filter.as_slice());
    let mut listing = String::new();
    // The runner fails if a program fails; the listing has what ran all the same.
    let ended = command.each_line(|line| {
        listing.push_str(line);
        listing.push('\n');
    });
    let mut outcome = Outcome::read(&listing);
    if let (Err(why), true) = (ended, outcome.passed + outcome.failures.len() == 0) {
        return Err(format!("{} of {}: {why}", compiler.command, compiler.root.name));
    }
    for failure in &mut outcome.failures {
        failure.own = !corpus(compiler)
            .env("FERROMP_CORPUS_RUNTIME", "stock")
            .env("FERROMP_CORPUS_THREADS", &options.threads)
            .args(["--include-ignored", "--exact", &failure.test])
            .succeeds();
        let own = if failure.own { ", and on its own runtime" } else { "" };
        eprintln!("failed{own}: {}: {}", failure.test, failure.why);
    }
    eprintln!("{} passed, {} failed, {} ignored", outcome.passed, outcome.failures.len(), outcome.ignored);
    if options.filter.is_some() {
        return Ok(());
    }
    sh::make_dir(&folder())?;
    let date = cmd("date").arg("+%F").read()?;
    let head =
        format!("{}\t{}\t{version}\t{}\t{}\n", compiler.command, compiler.root.name, date.trim(), options.threads);
    let file = folder().join(format!("{}-{}.txt", compiler.root.name, compiler.command));
    sh::write(&file, (head + &outcome.written()).as_bytes())
}

/// The corpus with one compiler.
fn corpus(compiler: &Compiler) -> Cmd {
    cargo(["test", "--quiet", "--package", "ferromp-conformance", "--test", "corpus", "--"])
        .env("FERROMP_ROOT", &compiler.root.path)
        .env("FERROMP_COMPILERS", &compiler.command)
}

impl Outcome {
    /// Reads what the runner prints: `test [reason] name ... ok`, and a paragraph for each failure.
    fn read(listing: &str) -> Outcome {
        let mut outcome = Outcome::default();
        let mut reasons: BTreeMap<&str, String> = BTreeMap::new();
        let mut lines = listing.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some((name, result)) = line.strip_prefix("test ").and_then(|rest| rest.rsplit_once(" ... ")) {
                let name = name.rsplit("] ").next().unwrap_or(name).trim();
                match result {
                    "ok" => outcome.passed += 1,
                    "ignored" => outcome.ignored += 1,
                    "FAILED" => outcome.failures.push(Failure { test: name.to_owned(), ..Failure::default() }),
                    _ => {}
                }
            } else if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" ----")) {
                let mut paragraph = Vec::new();
                while let Some(line) = lines.next_if(|line| !line.starts_with("---- ")) {
                    paragraph.push(line);
                }
                reasons.insert(name, reason(&paragraph));
            }
        }
        for failure in &mut outcome.failures {
            failure.why = reasons.remove(failure.test.as_str()).unwrap_or_default();
        }
        outcome
    }

    /// The lines of a result file after the first.
    fn written(&self) -> String {
        let mut text = format!("{}\t{}\n", self.passed, self.ignored);
        for failure in &self.failures {
            writeln!(text, "{}\t{}\t{}", failure.test, failure.own, failure.why).expect("a string grows");
        }
        text
    }

    /// Reads what [`Outcome::written`] writes.
    fn kept(text: &str) -> Option<Outcome> {
        let mut lines = text.lines();
        let (passed, ignored) = lines.next()?.split_once('\t')?;
        let failure = |line: &str| {
            let mut parts = line.splitn(3, '\t');
            Some(Failure {
                test: parts.next()?.to_owned(),
                own: parts.next()? == "true",
                why: parts.next()?.to_owned(),
            })
        };
        Some(Outcome {
            passed: passed.parse().ok()?,
            ignored: ignored.parse().ok()?,
            failures: lines.map(failure).collect::<Option<_>>()?,
        })
    }
}

/// A failure in a line: what the compiler said, or the first that was wrong with the run and, if it said something, the
/// program's own word.
fn reason(paragraph: &[&str]) -> String {
    let first = paragraph.iter().map(|line| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
    let error = || {
        paragraph
            .iter()
            .find(|line| line.contains("rror:") || line.contains("undefined reference"))
            .copied()
            .unwrap_or_default()
    };
    let said = || {
        paragraph
            .iter()
            .skip_while(|line| !line.starts_with("--- std"))
            .find(|line| !line.starts_with("---") && !line.is_empty())
    };
    let text = match first.starts_with("does not compile") {
        true => format!("does not compile: {}", error().rsplit("rror: ").next().unwrap_or_default()),
        false => format!("{first}: {}", said().unwrap_or(&"")),
    };
    // Where this machine has the project and its temporary files is of no interest.
    let folders = [sh::root(), std::env::temp_dir()];
    let text = folders.iter().fold(text, |text, folder| text.replace(&format!("{}/", folder.display()), ""));
    let text: String = text.replace(['\t', '|'], " ").chars().take(200).collect();
    text.trim_end_matches(": ").trim().to_owned()
}

/// A compiler's result: its row, and what failed.
struct Kept {
    /// Kind and release, suite: the order of the table.
    key: (String, u32, String),
    row: String,
    failures: Vec<String>,
}

/// What all result files have.
fn results() -> Result<Vec<Kept>> {
    let mut kept = Vec::new();
    let entries = std::fs::read_dir(folder()).map_err(|e| format!("{}: {e}", folder().display()))?;
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "txt"))
    {
        kept.push(read(&path)?);
    }
    Ok(kept)
}

fn read(path: &Path) -> Result<Kept> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let damaged = || format!("{}: no result of `cargo xtask compilers`", path.display());
    let (head, rest) = text.split_once('\n').ok_or_else(damaged)?;
    let head: Vec<&str> = head.split('\t').collect();
    let [command, suite, version, date, threads] = head[..] else { return Err(damaged()) };
    let outcome = Outcome::kept(rest).ok_or_else(damaged)?;
    let own = outcome.failures.iter().filter(|failure| failure.own).count();
    let row = format!(
        "| {command} | {suite} | {version} | {date} | {threads} | {} | {} | {} | {own} |",
        outcome.passed,
        outcome.ignored,
        outcome.failures.len()
    );
    let failures = outcome.failures.iter().map(|failure| {
        let own = if failure.own { " (its own runtime as well)" } else { "" };
        format!("- {command} in {suite}: `{}`{own}: {}", failure.test, failure.why)
    });
    Ok(Kept { key: key(command, suite), row, failures: failures.collect() })
}

fn key(command: &str, suite: &str) -> (String, u32, String) {
    let (kind, release) = command.rsplit_once('-').unwrap_or((command, ""));
    (kind.replace("-new", ""), release.parse().unwrap_or(0), suite.to_owned())
}

/// The page's part: a row for each result, and rows of the page as it was for compilers that have none here.
fn text(results: &[Kept], before: &str) -> String {
    let mut rows: BTreeMap<(String, u32, String), (String, Vec<String>)> = BTreeMap::new();
    for row in before.lines().filter(|line| line.starts_with("| ")).skip(2) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        if let [command, suite, ..] = cells[..] {
            let prefix = format!("- {command} in {suite}: ");
            let failures = before.lines().filter(|line| line.starts_with(&prefix)).map(str::to_owned).collect();
            rows.insert(key(command, suite), (row.to_owned(), failures));
        }
    }
    for result in results {
        rows.insert(result.key.clone(), (result.row.clone(), result.failures.clone()));
    }
    let mut text = String::from(
        "| compiler | suite | version | date | threads | passed | ignored | failed | of these on its own runtime too |\n",
    );
    text += "| --- | --- | --- | --- | --- | ---: | ---: | ---: | ---: |\n";
    for (row, _) in rows.values() {
        text += row;
        text.push('\n');
    }
    text += "\n### Failures\n\n";
    if rows.values().all(|(_, failures)| failures.is_empty()) {
        text += "None.\n";
    }
    for failure in rows.values().flat_map(|(_, failures)| failures) {
        text += failure;
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "\nrunning 4 tests\ntest a::b::gcc                ... ok\ntest [needs gcc 16] a::c::gcc ... ignored\n\
        test a::d::gcc                ... FAILED\ntest a::e::gcc++              ... FAILED\n\nfailures:\n\n---- a::d::gcc ----\n\
        does not compile: \"gcc\"\nx.c:1: error: no such thing\n\n---- a::e::gcc++ ----\n\
        with OMP_NUM_THREADS=3: the program exited with 1\nto run it alone: …\n--- stdout\nwrong | sum\n--- stderr\n\n\nfailures:\n    a::d::gcc\n";

    #[test]
    fn listing_of_the_runner_is_read_and_kept() {
        let outcome = Outcome::read(LISTING);
        assert_eq!((outcome.passed, outcome.ignored, outcome.failures.len()), (1, 1, 2));
        assert_eq!(outcome.failures[0].why, "does not compile: no such thing");
        assert_eq!(outcome.failures[1].why, "with OMP_NUM_THREADS=3: the program exited with 1: wrong   sum");
        assert_eq!(Outcome::kept(&outcome.written()), Some(outcome));
    }

    #[test]
    fn page_keeps_rows_of_compilers_that_did_not_run() {
        let kept = |command: &str, row: &str, failure: &str| Kept {
            key: key(command, "sid"),
            row: row.to_owned(),
            failures: vec![failure.to_owned()],
        };
        let before = text(
            &[
                kept("gcc-9", "| gcc-9 | sid | old |", "- gcc-9 in sid: x"),
                kept("gcc-16", "| gcc-16 | sid | old |", "- gcc-16 in sid: x"),
            ],
            "",
        );
        let after = text(&[kept("gcc-16", "| gcc-16 | sid | new |", "- gcc-16 in sid: y")], &before);
        assert!(after.contains("| gcc-9 | sid | old |\n| gcc-16 | sid | new |\n"), "{after}");
        assert!(after.ends_with("- gcc-9 in sid: x\n- gcc-16 in sid: y\n"), "{after}");
    }
}
