//! The Python wheel, by hatchling from `packaging/wheel`: a package that holds the prefix, and the script `ferromp`.

use super::stage::Stage;
use crate::dist::{self, VERSION, fill};
use crate::names::{self, Needed};
use crate::setup;
use crate::sh::{self, Result, cmd};
use std::path::Path;

/// The files of the template.
const TEMPLATE: [&str; 6] = [
    "pyproject.toml",
    "platform_tag.py",
    "README.md",
    "ferromp/__init__.py",
    "ferromp/__main__.py",
    "ferromp/notebook.py",
];

/// What the wheel holds of the prefix: the command, and what the command uses.
const PARTS: [&str; 4] = ["bin", "include", "lib", "share/gdb"];

/// Makes the wheel in `out`. The tag promises what `glibc::verify` checks: glibc 2.17.
pub fn make(stage: &Stage, out: &Path) -> Result {
    let python = setup::wheel_tools()?;
    let folder = sh::target().join("release/package/wheel");
    let prefix = folder.join("ferromp/prefix");
    sh::fresh_dir(&prefix.join("share"))?;
    let platform = format!("manylinux_2_17_{}", std::env::consts::ARCH);
    for name in TEMPLATE {
        let values = [("version", VERSION), ("platform", platform.as_str())];
        fill(&format!("packaging/wheel/{name}"), &folder.join(name), &values)?;
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fill(licence, &folder.join(licence), &[])?;
    }
    for part in PARTS {
        cmd("cp").arg("-a").arg(stage.prefix().join(part)).arg(prefix.join(part)).check()?;
    }
    // A package of one environment is no runtime for the whole machine.
    let system = prefix.join("lib/system");
    std::fs::remove_dir_all(&system).map_err(|error| format!("{}: {error}", system.display()))?;
    let further = dist::runtime_names()?;
    let further: Vec<&str> = further.iter().map(String::as_str).collect();
    let beside = Needed { library: "libferromp.so", path: Some("$ORIGIN") };
    names::make(&prefix.join("lib"), &further, &dist::version_script(), &beside)?;
    cmd(python)
        .args(["-m", "hatchling", "build", "--target", "wheel", "--directory"])
        .arg(out)
        .inside(&folder)
        .env("SOURCE_DATE_EPOCH", "315532800")
        .read()
        .map(drop)
}
