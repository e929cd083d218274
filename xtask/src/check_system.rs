//! `cargo xtask check-system`: what clang's own OpenMP runtime breaks, by the checking tool on the programs of the
//! corpus (`conformance/src/bin/check_system.rs`). The result is `docs/libomp-19.md`.

use crate::setup;
use crate::sh::{self, Result, cargo};

/// Runs it and writes the page.
pub fn check_system() -> Result {
    setup::system(&[&setup::TESTS])?;
    cargo(["build", "--quiet", "--package", "ferromp-checker"]).check()?;
    let page = cargo(["run", "--quiet", "--package", "ferromp-conformance", "--bin", "check_system"]).read()?;
    sh::write(&sh::root().join("docs/libomp-19.md"), page.as_bytes())
}
