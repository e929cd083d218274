//! Signals while a program runs under `ferromp trace`: the program gets them, the command waits. The terminal's SIGINT
//! and SIGQUIT reach the program by themselves; SIGTERM, SIGHUP, SIGUSR1 and SIGUSR2 are passed on.

use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// Signals that the program gets from this process.
const PASSED_ON: [i32; 4] = [libc::SIGTERM, libc::SIGHUP, libc::SIGUSR1, libc::SIGUSR2];
/// The process that signals are passed on to; 0 while there is none.
static CHILD: AtomicI32 = AtomicI32::new(0);
/// Signals that came before the child's process id was known, one bit each.
static EARLY: AtomicU32 = AtomicU32::new(0);

/// Sends SIGPIPE back to its default, which Rust's start-up changed: `ferromp report … | head` ends quietly,
/// and programs that are started inherit the default.
pub fn restore_sigpipe() {
    // SAFETY: SIG_DFL is a valid disposition, and this command has no handler for SIGPIPE.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
}

/// A signal's number, with its name for the signals that end most programs.
pub fn named(signal: i32) -> String {
    let name = match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        _ => return signal.to_string(),
    };
    format!("{signal} ({name})")
}

/// Holds the signals back from this process until dropped.
///
/// The guard is made before the child starts. It installs handlers instead of SIG_IGN, because `exec` resets a handler
/// to the default, but keeps SIG_IGN: the program would then ignore the signal. A signal that was ignored already stays
/// ignored, as `nohup` wants it.
pub struct Guard {
    /// Signals taken over and what they were before.
    previous: Vec<(i32, libc::sigaction)>,
}

impl Guard {
    /// Takes the signals over.
    pub fn new() -> Self {
        let mut previous = Vec::new();
        for signal in [libc::SIGINT, libc::SIGQUIT] {
            previous.extend(take_over(signal, leave_to_child));
        }
        for signal in PASSED_ON {
            previous.extend(take_over(signal, pass_on));
        }
        Self { previous }
    }

    /// Stores the child's process id, and passes on the signals that came before the id was known.
    pub fn child_started(&self, pid: i32) {
        CHILD.store(pid, Ordering::SeqCst);
        let early = EARLY.swap(0, Ordering::SeqCst);
        for signal in PASSED_ON {
            if early & (1 << signal) != 0 {
                // SAFETY: plain system call; the child has not been reaped, so the process id is its own.
                unsafe { libc::kill(pid, signal) };
            }
        }
    }

    /// Waits until the child has ended, without reaping it. Until this guard has forgotten the child, no other process
    /// can get its process id, and so receive its signals.
    pub fn wait_for_end(&self, pid: i32) -> std::io::Result<()> {
        loop {
            // SAFETY: an all-zero siginfo_t is a valid value, and waitid only writes to it.
            let status = unsafe {
                let mut info: libc::siginfo_t = std::mem::zeroed();
                libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, libc::WEXITED | libc::WNOWAIT)
            };
            if status == 0 {
                break;
            }
            let error = std::io::Error::last_os_error();
            if error.kind() != std::io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        CHILD.store(0, Ordering::SeqCst);
        Ok(())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        CHILD.store(0, Ordering::SeqCst);
        for (signal, action) in &self.previous {
            // SAFETY: the action is the one that the system returned for this signal.
            unsafe { libc::sigaction(*signal, action, std::ptr::null_mut()) };
        }
    }
}

/// Installs a handler unless the signal is ignored; gives the signal and its former action.
fn take_over(signal: i32, handler: extern "C" fn(i32)) -> Option<(i32, libc::sigaction)> {
    // SAFETY: all-zero is a valid sigaction; the handlers only use atomics and kill(), which are async-signal-safe.
    unsafe {
        let mut former: libc::sigaction = std::mem::zeroed();
        if libc::sigaction(signal, std::ptr::null(), &mut former) != 0 || former.sa_sigaction == libc::SIG_IGN {
            return None;
        }
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(signal, &action, std::ptr::null_mut());
        Some((signal, former))
    }
}

/// SIGINT and SIGQUIT: the terminal sent them to the program as well.
extern "C" fn leave_to_child(_signal: i32) {}

/// Signals sent to this process alone.
extern "C" fn pass_on(signal: i32) {
    let child = CHILD.load(Ordering::SeqCst);
    if child > 0 {
        // SAFETY: kill is async-signal-safe; the child is reaped only after CHILD has become 0.
        unsafe { libc::kill(child, signal) };
    } else {
        EARLY.fetch_or(1 << signal, Ordering::SeqCst);
    }
}
