//! Runs one compiled program once, with a time limit, and says in words what it did.
//! Output goes to files rather than pipes, so that a forked child which outlives the program cannot block the runner.

use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use wait_timeout::ChildExt;

/// How a run ended.
#[derive(Debug)]
pub enum Ending {
    Exited(i32),
    Signalled(i32),
    /// Killed by the runner, with the states of its threads just before.
    TimedOut(String),
}

/// Everything a run left behind.
#[derive(Debug)]
pub struct Outcome {
    pub ending: Ending,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a command to its end or to its limit. Only a command that cannot be started is an error.
pub fn run(command: &mut Command, limit: Duration, scratch: &Path) -> Result<Outcome, String> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let explain = |path: &Path, why: std::io::Error| format!("{}: {why}", path.display());
    fs::create_dir_all(scratch).map_err(|why| explain(scratch, why))?;
    let base = format!("run-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let (out, err) = (scratch.join(format!("{base}.out")), scratch.join(format!("{base}.err")));
    command.stdin(Stdio::null());
    command.stdout(File::create(&out).map_err(|why| explain(&out, why))?);
    command.stderr(File::create(&err).map_err(|why| explain(&err, why))?);
    // A group of its own, so that children of the program die with it.
    command.process_group(0);

    let mut child = command.spawn().map_err(|why| format!("{command:?}: {why}"))?;
    let waited = child.wait_timeout(limit).map_err(|why| format!("{command:?}: {why}"))?;
    let ending = match waited {
        Some(status) => ending_of(status),
        None => Ending::TimedOut(describe_group(child.id())),
    };
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: kill takes no pointers; the group is the one created for this child.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
    child.wait().map_err(|why| format!("{command:?}: {why}"))?;

    let text = |path: &Path| {
        fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(|why| explain(path, why))
    };
    let outcome = Outcome { ending, stdout: text(&out)?, stderr: text(&err)? };
    for path in [out, err] {
        fs::remove_file(&path).map_err(|why| explain(&path, why))?;
    }
    Ok(outcome)
}

fn ending_of(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Exited(code),
        (None, signal) => Ending::Signalled(signal.unwrap_or(0)),
    }
}

/// The threads of a group's processes: the program, those that it started, and what it was started by.
fn describe_group(group: u32) -> String {
    let member = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The fields after the name, which may hold any character: state, parent, group.
        let after = stat.rsplit_once(") ").map(|(_, after)| after.to_owned()).unwrap_or_default();
        after.split(' ').nth(2).and_then(|word| word.parse().ok()) == Some(group)
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut pids: Vec<u32> = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(member).collect();
    pids.sort_unstable();
    pids.iter().map(|&pid| describe_threads(pid)).collect::<Vec<_>>().join("\n")
}

/// One line a thread: its state and the system call or kernel function that it is in.
fn describe_threads(pid: u32) -> String {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return "its threads could not be listed".to_owned();
    };
    let mut lines: Vec<String> = tasks.flatten().map(|task| describe_thread(&task.path())).collect();
    lines.sort();
    format!("{} threads:\n{}", lines.len(), lines.join("\n"))
}

fn describe_thread(task: &Path) -> String {
    let read = |name: &str| fs::read_to_string(task.join(name)).unwrap_or_default();
    let status = read("status");
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("?").trim().to_owned();
    let syscall = read("syscall");
    let id = task.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    format!("  {id}: {} wchan={} syscall={}", field("State:"), read("wchan"), syscall.trim())
}

impl Ending {
    /// The ending in words.
    pub fn describe(&self, limit: Duration) -> String {
        match self {
            Ending::Exited(code) => format!("exited with {code}"),
            Ending::Signalled(signal) => format!("was killed by signal {signal}{}", signal_name(*signal)),
            Ending::TimedOut(threads) => {
                format!("was still running after {} s and was killed; {threads}", limit.as_secs())
            }
        }
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        libc::SIGSEGV => " (SIGSEGV)",
        libc::SIGABRT => " (SIGABRT)",
        libc::SIGBUS => " (SIGBUS)",
        libc::SIGILL => " (SIGILL)",
        libc::SIGFPE => " (SIGFPE)",
        libc::SIGKILL => " (SIGKILL)",
        libc::SIGTRAP => " (SIGTRAP)",
        _ => "",
    }
}
