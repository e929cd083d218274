//! The Debian packages `ferromp`, `ferromp-dev` and `ferromp-dbg`, by cargo-deb. `crates/cli/Cargo.toml` describes
//! them.

use crate::dist::VERSION;
use crate::setup;
use crate::sh::{self, Result, cmd};
use std::path::Path;

/// Where the description is.
const MANIFEST: &str = "crates/cli/Cargo.toml";

/// Makes the packages in `out`, from the stage.
pub fn make(out: &Path) -> Result {
    let text = std::fs::read_to_string(sh::root().join(MANIFEST)).map_err(|error| format!("{MANIFEST}: {error}"))?;
    let depends = format!("depends = \"ferromp (= {VERSION}-1)\"");
    if text.matches(&depends).count() != 2 {
        return Err(format!("{MANIFEST}: ferromp-dev and ferromp-dbg must have the line: {depends}"));
    }
    let cargo_deb = setup::cargo_deb()?;
    for variant in [&[][..], &["--variant", "dev"], &["--variant", "dbg"]] {
        cmd(&cargo_deb)
            .args(["--package", "ferromp-cli", "--no-build", "--no-strip", "--quiet"])
            .args(variant)
            .arg("--output")
            .arg(out)
            .check()?;
    }
    Ok(())
}
