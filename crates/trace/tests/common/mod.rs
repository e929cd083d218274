//! Shared by the tests that record: builds the recorder, compiles C programs, runs them under the system's libomp.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The recorder's shared library, built by the cargo that runs the test, in the folder of the test's own build.
pub static RECORDER: LazyLock<PathBuf> = LazyLock::new(|| {
    // The test lies in <target>/<profile>/deps.
    let profile = std::env::current_exe().unwrap().ancestors().nth(2).unwrap().to_path_buf();
    let target = profile.parent().unwrap().to_path_buf();
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--package", "ferromp-trace", "--lib"]).current_dir(env!("CARGO_MANIFEST_DIR"));
    cargo.env("CARGO_TARGET_DIR", &target);
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    assert!(cargo.status().unwrap().success(), "building the recorder failed");
    profile.join("libferromp_trace.so")
});

/// Compiles `<name>.c` of `tests/programs` with debug information: into `<name>`, or, if that is what is asked for,
/// into the shared library `lib<name>.so`.
pub fn compile(dir: &Path, output: &str) -> PathBuf {
    let library = output.strip_prefix("lib").and_then(|name| name.strip_suffix(".so"));
    let source = format!("tests/programs/{}.c", library.unwrap_or(output));
    let options: &[&str] = if library.is_some() { &["-shared", "-fPIC"] } else { &[] };
    let path = dir.join(output);
    let mut clang = Command::new("clang-19");
    clang.args(["-g", "-O1", "-fopenmp"]).args(options).arg(source).arg("-o").arg(&path);
    let status = clang.current_dir(env!("CARGO_MANIFEST_DIR")).status();
    assert!(status.expect("clang-19 is needed").success(), "compiling {output} failed");
    path
}

/// A command that runs `program` under the recorder, into `trace`.
pub fn recorded(program: &Path, trace: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("OMP_TOOL_LIBRARIES", &*RECORDER).env("FERROMP_TRACE_DIR", trace);
    for name in ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "OMP_NUM_THREADS"] {
        command.env_remove(name);
    }
    command
}
