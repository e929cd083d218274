//! This installation: whether all its files exist, whether the loader accepts the runtime, and which variables matter.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::devices;
use super::findings::{Findings, count, some_of};
use crate::elf::Elf;
use crate::prefix::{Prefix, runtime_names};
use crate::{env, failure};

/// Variables that change what an OpenMP program or the recorder does.
const PREFIXES: [&str; 6] = ["OMP_", "KMP_", "GOMP_", "FERROMP_", "LD_PRELOAD", "LD_LIBRARY_PATH"];

/// Examines the installation that this command belongs to.
pub fn examine(findings: &mut Findings) {
    findings.line("ferromp", env!("CARGO_PKG_VERSION"));
    let prefix = match Prefix::find() {
        Ok(prefix) => prefix,
        Err(failure) => return findings.trouble("runtime", failure.line),
    };
    findings.line("installed in", prefix.root.display());
    runtime(&prefix, findings);
    match prefix.recorder() {
        Ok(path) => findings.line("recorder", path.display()),
        Err(failure) => findings.trouble("recorder", failure.line),
    }
    match prefix.checker() {
        Ok(path) => findings.line("checker", path.display()),
        Err(failure) => findings.trouble("checker", failure.line),
    }
    debugger(&prefix, findings);
    preload(&prefix, findings);
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    findings.line("CPUs", format_args!("{cpus} for this process"));
    findings.line("devices", devices::nvidia());
    environment(findings);
}

fn runtime(prefix: &Prefix, findings: &mut Findings) {
    let path = prefix.runtime();
    match Elf::read(&path) {
        Ok(elf) if elf.is_runtime() => {
            let functions = count(elf.exports.len(), "function");
            findings.line("runtime", format_args!("{} ({functions})", path.display()));
        }
        Ok(_) => findings.trouble("runtime", format_args!("{}: contains no OpenMP runtime", path.display())),
        Err(why) => findings.trouble("runtime", super::unreadable::unreadable(&path, &why).line),
    }
    let same = |name: &&str| {
        let file = prefix.lib().join(name);
        // In a Python package, which has no links, a name is a library that needs the runtime.
        std::fs::canonicalize(&file).ok() == path.canonicalize().ok()
            || Elf::read(&file).is_ok_and(|elf| elf.needed.iter().any(|needed| needed == "libferromp.so"))
    };
    let (there, absent): (Vec<&str>, Vec<&str>) = runtime_names().partition(same);
    findings.line("names", some_of(there, runtime_names().count()));
    if !absent.is_empty() {
        let absent = some_of(absent, runtime_names().count());
        findings.trouble("", format_args!("missing in {}: {absent}", prefix.lib().display()));
    }
}

/// The library for debuggers, gdb's plug-in, and a gdb that can load it. A machine without gdb lacks nothing that
/// ferromp needs.
fn debugger(prefix: &Prefix, findings: &mut Findings) {
    match prefix.debugger_library() {
        Ok(path) => findings.line("debugger", path.display()),
        Err(failure) => findings.trouble("debugger", failure.line),
    }
    match prefix.gdb_plugin() {
        Ok(path) => findings.line("", format_args!("{}, {}", path.display(), gdb(&path))),
        Err(failure) => findings.trouble("", failure.line),
    }
}

/// Has gdb load the plug-in and says how that went.
fn gdb(plugin: &Path) -> String {
    let mut source = OsString::from("source ");
    source.push(plugin);
    let tried = Command::new("gdb").args(["-nx", "--batch", "-ex"]).arg(source).args(["-ex", "show version"]).output();
    let Ok(done) = tried else { return "but there is no gdb in PATH".to_owned() };
    let (said, complaint) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    match (said.lines().next(), complaint.lines().next()) {
        (Some(version), None) => format!("which {version} loads"),
        (_, Some(why)) => format!("but gdb cannot load it: {why}"),
        (None, None) => "but gdb does not answer".to_owned(),
    }
}

/// Starts a program without any OpenMP under the preload: the loader complains on stderr if it cannot.
fn preload(prefix: &Prefix, findings: &mut Findings) {
    let probe = Path::new("/bin/true");
    let tried = env::runtime(prefix).and_then(|changes| {
        Command::new(probe)
            .envs(changes)
            .env("LD_PRELOAD", prefix.runtime())
            .env_remove("OMP_DISPLAY_ENV")
            .output()
            .map_err(|error| failure::Failure::file("start", probe, &error))
    });
    match tried {
        Ok(done) if done.status.success() && done.stderr.is_empty() => {
            findings.line("preload", "the loader accepts it")
        }
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            findings.trouble(
                "preload",
                format_args!("the loader does not accept it: {}", said.lines().next().unwrap_or("no reason given")),
            );
        }
        Err(failure) => findings.trouble("preload", failure.line),
    }
}

fn environment(findings: &mut Findings) {
    let mut set: Vec<(String, String)> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .filter(|(name, _)| PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
        .collect();
    set.sort();
    let mut label = "environment";
    for (name, value) in &set {
        findings.line(label, format_args!("{name}={value}"));
        label = "";
    }
    if set.is_empty() {
        findings.line(label, "nothing set that concerns OpenMP");
    }
}
