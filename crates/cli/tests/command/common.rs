//! What the command's tests share: the command on the built prefix, and programs compiled for a test.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The built prefix: `dist` at the workspace's root, or another that `FERROMP_TEST_PREFIX` names.
pub fn prefix() -> PathBuf {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    let prefix = std::env::var_os("FERROMP_TEST_PREFIX").map_or(dist, PathBuf::from);
    let runtime = prefix.join("lib/libferromp.so");
    assert!(runtime.is_file(), "{} is missing: run cargo xtask build", runtime.display());
    prefix.canonicalize().unwrap()
}

/// `ferromp` as this build made it, on `prefix`, with nothing in the environment that changes its words.
pub fn ferromp(prefix: &Path) -> assert_cmd::Command {
    let mut command = neutral(assert_cmd::Command::cargo_bin("ferromp").unwrap());
    command.env("FERROMP_PREFIX", prefix).timeout(std::time::Duration::from_secs(120));
    command
}

/// Another command, with the same environment.
pub fn command(name: &str) -> assert_cmd::Command {
    neutral(assert_cmd::Command::new(name))
}

fn neutral(mut command: assert_cmd::Command) -> assert_cmd::Command {
    for (name, _) in std::env::vars() {
        let foreign = [
            "OMP_", "KMP_", "GOMP_", "FERROMP_", "LD_", "COLUMNS", "CLICOLOR", "NO_COLOR", "OMPI_", "PMI", "MV2_",
            "FLUX_", "SLURM_", "PALS_", "JSM_",
        ];
        if foreign.iter().any(|start| name.starts_with(start)) {
            command.env_remove(name);
        }
    }
    command.env("LC_ALL", "C");
    command
}

/// Compiles a C source text with `-fopenmp -g` into `folder`.
pub fn compile(compiler: &str, folder: &Path, name: &str, source: &str, options: &[&str]) -> PathBuf {
    let file = folder.join(name).with_extension("c");
    std::fs::write(&file, source).unwrap();
    let program = folder.join(name);
    let mut command = Command::new(compiler);
    command.args(["-O1", "-g", "-fopenmp", "-o"]).arg(&program).arg(&file).args(options);
    let done = command.output().unwrap_or_else(|error| panic!("{compiler}: {error}"));
    assert!(done.status.success(), "{compiler}: {}", String::from_utf8_lossy(&done.stderr));
    program
}

/// A text that a command wrote.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
