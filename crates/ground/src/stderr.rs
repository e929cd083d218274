//! What the runtime says on standard error, and how it ends a program that cannot go on: with one line that names the
//! culprit. `cargo xtask tidy` sees to it that nothing else in the runtime aborts.

use crate::model::hardware::{AtomicBool, AtomicUsize, Ordering};
use std::fmt::Arguments;
use std::io::Write;
use std::time::Duration;

/// Writes text to standard error in one piece, so that lines of several threads or processes do not mix.
pub fn write_stderr(text: &str) {
    write_bytes(text.as_bytes());
}

fn write_bytes(text: &[u8]) {
    let mut rest = text;
    // Without the standard library's lock, which another thread may hold when the process is forked.
    while !rest.is_empty() {
        // SAFETY: writes that many bytes of the slice.
        let written = unsafe { libc::write(libc::STDERR_FILENO, rest.as_ptr().cast(), rest.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => rest = &rest[written..],
            _ if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            // There is no other place to report that standard error fails.
            _ => return,
        }
    }
}

/// Whether a thread has said why the program ends.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Ends the program at once, with the line `ferromp: WHY; aborting`. The line is made without allocating, since it may
/// be about memory.
#[cold]
pub fn abort(why: Arguments<'_>) -> ! {
    let mut bytes = [0; LONGEST];
    let line = last_line(&mut bytes, why);
    // Several threads of a team may lack the same thing at once: the first one says so for all, and ends them.
    if ENDING.swap(true, Ordering::Relaxed) {
        std::thread::sleep(Duration::from_secs(1));
    } else {
        write_bytes(line);
    }
    std::process::abort()
}

/// Bytes of the longest last line, its end included.
const LONGEST: usize = 1024;

/// The line of [`abort`], which even has its end where `why` is too long.
fn last_line<'a>(bytes: &'a mut [u8; LONGEST], why: Arguments<'_>) -> &'a [u8] {
    const END: &[u8] = b"; aborting\n";
    let mut room = &mut bytes[..LONGEST - END.len()];
    // What is too long loses its end.
    let _ = write!(room, "ferromp: {why}");
    let length = LONGEST - room.len();
    bytes[length - END.len()..length].copy_from_slice(END);
    &bytes[..length]
}

/// Ends the program because memory for `what` is missing.
#[cold]
pub fn no_memory(bytes: usize, what: &str) -> ! {
    abort(format_args!("no memory for {what} ({bytes} bytes)"))
}

/// The thread that ends the program by `exit`, as `pthread_self` has it; 0 while the program goes on.
static ENDER: AtomicUsize = AtomicUsize::new(0);

fn caller() -> usize {
    // SAFETY: the call has no preconditions.
    unsafe { libc::pthread_self() as usize }
}

/// Notes that the calling thread is inside `exit`. Returns false if another thread is.
pub fn begin_exit() -> bool {
    let own = caller();
    match ENDER.compare_exchange(0, own, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => true,
        Err(ender) => ender == own,
    }
}

/// Ends the program in the way that the specification calls error termination: buffers are written, and tools hear of
/// the end. `line` says why. If another thread ends the program already, says nothing and waits for that end. Two
/// threads in `exit` would share the exit handlers between them, and the first to be ready would end the process in the
/// middle of the other's handler, say in a tool's finaliser.
#[cold]
pub fn terminate(line: &str) -> ! {
    if !begin_exit() {
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    write_stderr(line);
    // SAFETY: takes a number, and any thread may call it. Threads of the runtime come here one at a time.
    unsafe { libc::exit(1) }
}

/// In a forked child: the program goes on, unless the forking thread is inside `exit`.
pub fn after_fork() {
    if ENDER.load(Ordering::Relaxed) != caller() {
        ENDER.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_end() {
        let mut bytes = [0; LONGEST];
        let line = last_line(&mut bytes, format_args!("{}", "x".repeat(3 * LONGEST)));
        assert_eq!(line.len(), LONGEST);
        assert!(line.starts_with(b"ferromp: xxx") && line.ends_with(b"xxx; aborting\n"));
        assert_eq!(last_line(&mut [0; LONGEST], format_args!("no")), b"ferromp: no; aborting\n");
    }
}
