//! `cargo xtask package`: Debian packages, an RPM, a tarball and a Python wheel, from one build of the prefix. Each is
//! made by a tool of its own world: cargo-deb, rpmbuild, tar and hatchling. `packaging/README.md` says what they hold.

mod deb;
mod root;
mod rpm;
mod stage;
mod tarball;
mod wheel;

use crate::sh::{self, Result, cargo, cmd};
use crate::{dist, setup};
use stage::Stage;
use std::path::{Path, PathBuf};

pub use root::{clean_root, try_on};

/// The folder of the finished packages.
fn folder() -> PathBuf {
    sh::target().join("packages")
}

/// Builds the prefix and makes every package.
pub fn package() -> Result {
    setup::system(&[&setup::DEMO, &setup::PACKAGES])?;
    setup::optional();
    let prefix = sh::root().join("dist");
    dist::build(&prefix, false)?;
    of_prefix(&prefix)
}

/// Makes every package from a prefix that is built.
pub fn of_prefix(prefix: &Path) -> Result {
    let out = folder();
    sh::fresh_dir(&out)?;
    sh::step("packages: stripped files");
    let stage = Stage::make(prefix)?;
    sh::step("packages: Debian");
    deb::make(&out)?;
    sh::step("packages: tarball");
    tarball::make(&stage, &out)?;
    sh::step("packages: Python wheel");
    wheel::make(&stage, &out)?;
    if cmd("rpmbuild").arg("--version").succeeds() {
        sh::step("packages: RPM");
        rpm::make(&stage, &out)?;
    } else {
        eprintln!("skipped: the RPM: there is no rpmbuild; Debian's package rpm has it");
    }
    sh::step("packages: crates");
    crates()?;
    eprintln!("installed, without debug information: {:.1} MB", stage.bytes()? as f64 / 1e6);
    cmd("ls").args(["-lh", "--time-style=+"]).arg(&out).check()
}

/// The crates that others build tools on.
const CRATES: [&str; 3] = ["ferromp-ompt", "ferromp-tool-macros", "ferromp-tool"];

/// Packs the crates for a registry, compiles them from there, and makes their documentation. A warning is an error.
fn crates() -> Result {
    let named = || CRATES.iter().flat_map(|name| ["--package", name]);
    cargo(["package", "--quiet", "--allow-dirty"]).args(named()).check()?;
    cargo(["doc", "--quiet", "--no-deps"]).args(named()).env("RUSTDOCFLAGS", "-D warnings").check()
}
