//! Every test, from a bare machine: set-up, prefix, tidy, models, then one run of all the rest, whose count comes last.
//! A step that fails does not keep the later ones from running; the exit status tells of any.

use crate::sh::{self, Result, cargo};
use crate::{dist, setup, tidy};

/// Runs everything. The error names the steps that failed.
pub fn test() -> Result {
    setup::system(&[&setup::DEMO, &setup::TESTS])?;
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
    note("tidy", tidy::tidy());
    sh::step("loom models");
    note("loom models", models());
    sh::step("documentation examples");
    note("documentation examples", cargo(["test", "--quiet", "--workspace", "--doc"]).check());

    sh::step("unit tests, command, recorder, conformance corpus, clients");
    note("checking tool", cargo(["build", "--quiet", "--package", "ferromp-checker"]).check());
    if !failed.is_empty() {
        eprintln!("xtask: failed so far: {}", failed.join(", "));
    }
    // The runner's own count is the last thing that a passing run prints.
    let nextest = cargo(["nextest", "--version"]).succeeds();
    let run = if nextest {
        ["nextest", "run", "--workspace", "--no-fail-fast"]
    } else {
        ["test", "--workspace", "--no-fail-fast", "--quiet"]
    };
    let tests = cargo(run).env("FERROMP_TEST_PYTHON", &python).check();
    if let Err(why) = tests {
        eprintln!("xtask: {why}");
        failed.push("tests");
    }
    match failed.len() {
        0 => Ok(()),
        _ => Err(format!("failed: {}", failed.join(", "))),
    }
}

/// The models of barrier, parking, deque and task termination. They are built with another configuration of every atomic, so
/// they have a target folder of their own.
fn models() -> Result {
    cargo(["test", "--quiet", "--release", "--package", "ferromp-runtime", "--test", "loom_*"])
        .env("RUSTFLAGS", "--cfg loom")
        .env("CARGO_TARGET_DIR", sh::target().join("loom"))
        .check()
}
