//! Every test, from a bare machine: set-up, prefix, tidy, models, then one run of all the rest, whose count comes last.
//! Later steps run even if a step fails; the exit status says whether any failed.

use crate::sh::{self, Result, cargo};
use crate::{bench, coverage, dist, package, scale, setup, soak, tidy};
use std::path::Path;

/// Runs everything. The error names the steps that failed.
pub fn test() -> Result {
    setup::check_disk()?;
    setup::system(&[&setup::DEMO, &setup::TESTS, &setup::PACKAGES])?;
    setup::optional();
    let python = setup::python()?;
    let prefix = sh::root().join("dist");
    dist::build(&prefix, false)?;

    let mut failed = Vec::new();
    let mut note = |step: &'static str, result: Result| {
        if let Err(why) = result {
            eprintln!("xtask: {why}");
            failed.push(step);
        }
    };
    note("packages", package::of_prefix(&prefix).and_then(|()| package::clean_root()));
    note("tidy", tidy::tidy());
    sh::step("loom models");
    note("loom models", models());
    sh::step("simulated machines");
    note("simulated machines", scale::tests());
    sh::step("documentation examples");
    note("documentation examples", cargo(["test", "--quiet", "--workspace", "--doc"]).check());

    sh::step("soak");
    note("soak", soak::short());
    sh::step("benchmark: instructions, and times within wide margins");
    note("benchmark", bench::check(&python));
    sh::step("unit tests, command, recorder, conformance corpus, clients");
    if !failed.is_empty() {
        eprintln!("xtask: failed so far: {}", failed.join(", "));
    }
    coverage::clear()?;
    // The count is the last thing that a run prints, if nothing failed before it.
    let tests = if cargo(["nextest", "--version"]).succeeds() {
        cargo(["nextest", "run", "--workspace", "--no-fail-fast"]).env("FERROMP_TEST_PYTHON", &python).check()
    } else {
        cargo_test(&python)
    };
    if let Err(why) = tests {
        eprintln!("xtask: {why}");
        failed.push("tests");
    }
    if let Err(why) = coverage::check() {
        eprintln!("xtask: {why}");
        failed.push("coverage");
    }
    match failed.len() {
        0 => Ok(()),
        _ => Err(format!("failed: {}", failed.join(", "))),
    }
}

/// The models of the lock-free protocols. They are built with loom's atomics, so they have a target folder of their
/// own.
fn models() -> Result {
    cargo(["test", "--quiet", "--release", "--package", "ferromp-ground", "--package", "ferromp-runtime"])
        .args(["--test", "loom_*"])
        .env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", sh::target().join("loom"))
        .check()
}

/// All tests by `cargo test`, which counts each test program by itself; the sum of its counts is printed at the end.
fn cargo_test(python: &Path) -> Result {
    let mut sum = Count::default();
    let result = cargo(["test", "--workspace", "--no-fail-fast", "--quiet", "--lib", "--bins", "--tests"])
        .env("FERROMP_TEST_PYTHON", python)
        .each_line(|line| sum.add(line));
    let Count { passed, failed, ignored } = sum;
    println!("test result: {} tests run: {passed} passed, {failed} failed, {ignored} ignored", passed + failed);
    result
}

/// The numbers of cargo's `test result:` lines.
#[derive(Debug, Default, PartialEq)]
struct Count {
    passed: u32,
    failed: u32,
    ignored: u32,
}

impl Count {
    /// Adds the numbers of a line like `test result: ok. 5 passed; 0 failed; 1 ignored; …`; other lines add nothing.
    fn add(&mut self, line: &str) {
        let Some((_, numbers)) = line.split_once("test result: ").and_then(|(_, rest)| rest.split_once(". ")) else {
            return;
        };
        for part in numbers.split(';') {
            let mut words = part.split_whitespace();
            let Some(number) = words.next().and_then(|word| word.parse::<u32>().ok()) else { continue };
            match words.next() {
                Some("passed") => self.passed += number,
                Some("failed") => self.failed += number,
                Some("ignored") => self.ignored += number,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Count;

    #[test]
    fn counts_of_several_test_programs_add_up() {
        let mut count = Count::default();
        for line in [
            "running 6 tests",
            "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s",
        ] {
            count.add(line);
        }
        assert_eq!(count, Count { passed: 7, failed: 3, ignored: 1 });
    }
}
