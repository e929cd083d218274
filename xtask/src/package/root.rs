//! The root folders in which tests install, use and remove the packages: a clean system, made by debootstrap.

use crate::newest::MIRROR;
use crate::setup;
use crate::sh::{self, Result, cargo, cmd};
use std::path::{Path, PathBuf};

/// What the root has besides Debian's smallest system: gcc's own runtime, and the command `module`.
const PACKAGES: &str = "libgomp1,environment-modules";

/// Ubuntu's mirror, and the suite there whose glibc is older than that of any suite on Debian's mirror.
const UBUNTU: (&str, &str) = ("http://archive.ubuntu.com/ubuntu", "bionic");
/// What Debian's smallest system has in other packages, or newer ones do not need.
const UBUNTU_PACKAGES: &str = ",setpriv,tcl";
/// The keys that Ubuntu's suites are signed with.
const UBUNTU_KEYS: &str = "/usr/share/keyrings/ubuntu-archive-keyring.gpg";

/// Makes the root that the tests copy, if it is not there. What keeps it from being made is said and is no error,
/// because the tests then say that they are skipped.
pub fn clean_root() -> Result {
    match make("bookworm") {
        Ok(_) => Ok(()),
        Err(why) => {
            eprintln!("skipped: packages on a clean system: {why}");
            Ok(())
        }
    }
}

/// Runs the packages' tests in the root of another suite of Debian or Ubuntu, such as an older one.
pub fn try_on(suite: &str) -> Result {
    make(suite).map_err(|why| format!("{suite}: {why}"))?;
    let python = setup::python()?;
    cargo(["test", "--quiet", "--package", "ferromp-conformance", "--test", "packages"])
        .env("FERROMP_TEST_SUITE", suite)
        .env("FERROMP_TEST_PYTHON", &python)
        .check()
}

/// Makes the root of a suite. Returns its folder.
fn make(suite: &str) -> Result<PathBuf> {
    let root = sh::target().join("clean-root").join(suite);
    if root.join("etc/debian_version").exists() {
        return Ok(root);
    }
    if cmd("id").arg("-u").read()?.trim() != "0" {
        return Err("only root can make it".into());
    }
    let debootstrap = Path::new("/usr/sbin/debootstrap");
    if !debootstrap.exists() {
        return Err("there is no debootstrap".into());
    }
    sh::step(&format!("{}: {suite}, by debootstrap", root.display()));
    // debootstrap does not continue what it has left half done.
    let partial = sh::partial_name(&root);
    sh::fresh_dir(&partial)?;
    let mut include = format!("--include={PACKAGES}");
    let mut bootstrap = cmd(debootstrap).arg("--variant=minbase");
    let (ubuntu, bionic) = UBUNTU;
    let mirror = if suite == bionic {
        if !Path::new(UBUNTU_KEYS).exists() {
            return Err(format!("Ubuntu's keys are missing: {UBUNTU_KEYS}, of the package ubuntu-keyring"));
        }
        bootstrap = bootstrap.arg(format!("--keyring={UBUNTU_KEYS}")).arg("--components=main,universe");
        include.push_str(UBUNTU_PACKAGES);
        ubuntu
    } else {
        MIRROR
    };
    bootstrap.arg(&include).arg(suite).arg(&partial).arg(mirror).read()?;
    sh::fresh_dir(&partial.join("var/cache/apt/archives"))?;
    sh::rename(&partial, &root)?;
    Ok(root)
}
