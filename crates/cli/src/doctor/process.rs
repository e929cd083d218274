//! A running process: the OpenMP runtimes that are mapped into it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::file;
use super::findings::Findings;
use crate::elf::{Elf, is_runtime_name};
use crate::failure::{Failure, reason};

/// Examines a process by what `/proc` tells about it, then its program.
pub fn examine(pid: i32, ferromp: &Elf, findings: &mut Findings) -> Result<(), Failure> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::new(format!("{pid}: neither a file nor a running process")),
        _ => Failure::new(format!("cannot look into process {pid}: {}", reason(&error))),
    })?;
    let exe = std::fs::read_link(format!("/proc/{pid}/exe"))
        .map_err(|error| Failure::new(format!("cannot look into process {pid}: {}", reason(&error))))?;
    findings.line("process", format_args!("{pid}, runs {}", exe.display()));
    let ours = ferromp.path.canonicalize().unwrap_or_else(|_| ferromp.path.clone());
    let mapped = mapped_files(&maps);
    let mut label = "loaded";
    let is_ours = |path: &Path| {
        path == ours || path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libferromp.so"))
    };
    for path in mapped.iter().filter(|path| is_runtime(path) || is_ours(path)) {
        findings.line(label, path.display());
        label = "";
    }
    if mapped.iter().any(|path| is_ours(path)) {
        findings.line("reached", "yes: it runs on ferromp");
        return Ok(());
    }
    if label == "loaded" {
        findings.line(label, "no OpenMP runtime (yet)");
    }
    findings.line("", "a running process keeps its runtime; for the next start:");
    findings.gap();
    file::examine(&exe, ferromp, findings)
}

fn is_runtime(path: &Path) -> bool {
    path.file_name().is_some_and(|name| is_runtime_name(&name.to_string_lossy()))
}

/// The files in a process's memory map.
fn mapped_files(maps: &str) -> BTreeSet<PathBuf> {
    let path = |line: &str| line.find('/').map(|start| PathBuf::from(&line[start..]));
    maps.lines().filter_map(path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_with_spaces_are_read_whole() {
        let maps = "7f00-7f01 r-xp 00000000 08:01 42   /opt/my lib/libgomp.so.1\n7f01-7f02 rw-p 0 00:00 0\n";
        let files = mapped_files(maps);
        assert_eq!(files.iter().collect::<Vec<_>>(), [Path::new("/opt/my lib/libgomp.so.1")]);
    }
}
