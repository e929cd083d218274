//! Starts the benchmark, which is a program of its own, with what it needs built and installed.

use crate::sh::{self, Result};
use crate::{dist, setup};
use std::path::Path;

/// `cargo xtask bench WORDS`.
pub fn run(words: &[String]) -> Result {
    setup::system(&[&setup::DEMO, &setup::TESTS])?;
    let python = setup::python()?;
    let about_ompt = words.first().is_some_and(|word| word == "ompt");
    if about_ompt {
        // This build comes first, because both builds leave their archive in the same place, and the ordinary one must
        // stay.
        dist::build_without_ompt(&sh::target().join("bench/without-ompt"))?;
        sh::cargo(["build", "--quiet", "--release", "--package", "ferromp-bench", "--examples"]).check()?;
    }
    dist::build(&sh::root().join("dist"), false)?;
    if about_ompt {
        dist::link_shuffled(&sh::target().join("bench/with-ompt"))?;
    }
    start(&["--release"], words, &python)
}

/// `cargo xtask bench --check` for a prefix that is built. The programs that are timed are the same as ever; what
/// starts them is built as the tests are.
pub fn check(python: &Path) -> Result {
    start(&[], &["--check".to_owned()], python)
}

fn start(profile: &[&str], words: &[String], python: &Path) -> Result {
    sh::cargo(["run", "--quiet", "--package", "ferromp-bench"])
        .args(profile)
        .args(["--"])
        .args(words)
        .env("FERROMP_BENCH_LIBIOMP5", setup::libiomp5(python)?)
        .check()
}
