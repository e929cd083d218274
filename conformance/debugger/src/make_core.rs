//! Makes core files: of a process that runs on, by gdb's `gcore`, and of one that dies, by the kernel where this
//! machine lets it.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// The kernel's setting for the names of core files.
const PATTERN: &str = "/proc/sys/kernel/core_pattern";

/// Writes the core file of a process, which runs on, into a folder. The error says why there is none.
pub fn by_gcore(pid: u32, folder: &Path) -> Result<PathBuf, String> {
    let base = folder.join("gcore");
    let mut command = Command::new("gcore");
    command.arg("-o").arg(&base).arg(pid.to_string());
    let output = command.output().map_err(|why| format!("gcore: {why}"))?;
    let core = PathBuf::from(format!("{}.{pid}", base.display()));
    if core.exists() { Ok(core) } else { Err(format!("gcore: {}", String::from_utf8_lossy(&output.stderr))) }
}

/// Runs a program that dies of a signal, in a folder of its own within this one, and finds the core file that the
/// kernel writes.
pub fn by_kernel(command: &mut Command, folder: &Path) -> Result<PathBuf, String> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let pattern = fs::read_to_string(PATTERN).map_err(|why| format!("{PATTERN}: {why}"))?;
    if pattern.starts_with(['|', '/']) {
        return Err(format!("the kernel hands core files to `{}`", pattern.trim()));
    }
    let own = folder.join(format!("core-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed)));
    fs::create_dir_all(&own).map_err(|why| format!("{}: {why}", own.display()))?;
    // SAFETY: between fork and exec it makes one system call.
    unsafe {
        command.pre_exec(|| {
            let all = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
            match libc::setrlimit(libc::RLIMIT_CORE, &all) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        });
    }
    let status = command.current_dir(&own).status().map_err(|why| format!("core files are not allowed: {why}"))?;
    let found = fs::read_dir(&own).ok().and_then(|mut files| Some(files.next()?.ok()?.path()));
    let Some(core) = found else { return Err(format!("no core file was written; the program ended with {status}")) };
    let core_at = own.with_extension("core");
    fs::rename(&core, &core_at)
        .and_then(|()| fs::remove_dir_all(&own))
        .map_err(|why| format!("{}: {why}", core.display()))?;
    if status.core_dumped() { Ok(core_at) } else { Err(format!("the program ended with {status}")) }
}
