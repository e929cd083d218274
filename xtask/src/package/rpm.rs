//! The RPMs `ferromp` and `ferromp-devel`, by rpmbuild from `packaging/rpm/ferromp.spec`. cargo-generate-rpm cannot
//! package links, which the names of the runtime are.

use super::stage::Stage;
use crate::dist::VERSION;
use crate::sh::{self, Result, cmd};
use std::path::Path;

/// Makes the packages in `out`.
pub fn make(stage: &Stage, out: &Path) -> Result {
    let top = sh::target().join("rpmbuild");
    sh::fresh_dir(&top)?;
    let define = |name: &str, value: &str| [String::from("--define"), format!("{name} {value}")];
    cmd("rpmbuild")
        .args(["-bb", "--quiet", "--nodeps"])
        .args(define("_topdir", &top.display().to_string()))
        .args(define("_rpmdir", &out.display().to_string()))
        .args(define("_rpmfilename", "%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm"))
        .args(define("_binary_payload", "w6.xzdio"))
        .args(define("ferromp_version", VERSION))
        .args(define("stage", &stage.prefix().display().to_string()))
        .arg(sh::root().join("packaging/rpm/ferromp.spec"))
        .check()?;
    sh::fresh_dir(&top)
}
