//! The relocatable tarball, and the recipe with which Spack installs it.

use super::stage::Stage;
use crate::dist::{VERSION, fill};
use crate::sh::{self, Result, cmd};
use std::path::Path;

/// Makes the tarball in `out`. The same files give the same tarball.
pub fn make(stage: &Stage, out: &Path) -> Result {
    let name = format!("ferromp-{VERSION}-{}-linux", std::env::consts::ARCH);
    let file = out.join(format!("{name}.tar.xz"));
    cmd("tar")
        .args(["--create", "--use-compress-program=xz -T0", "--sort=name", "--mtime=@0"])
        .args(["--owner=0", "--group=0", "--numeric-owner", "--mode=go-w"])
        .arg(format!("--transform=flags=r;s,^prefix,{name},"))
        .arg("--directory")
        .arg(stage.prefix().parent().unwrap_or(out))
        .arg("--file")
        .arg(&file)
        .arg("prefix")
        .check()?;
    let sum = cmd("sha256sum").arg(&file).read()?;
    let sum = sum.split_whitespace().next().unwrap_or_default();
    let recipe = out.join("spack/packages/ferromp");
    sh::make_dir(&recipe)?;
    fill("packaging/spack/repo.yaml", &out.join("spack/repo.yaml"), &[])?;
    fill(
        "packaging/spack/package.py.in",
        &recipe.join("package.py"),
        &[("version", VERSION), ("sha256", sum), ("file", &format!("{name}.tar.xz")), ("arch", std::env::consts::ARCH)],
    )
}
