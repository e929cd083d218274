//! A terminal on which this command draws while a program runs: the program's own output is held back meanwhile, and
//! keys are read without waiting for a line.

use std::fs::File;
use std::io::{IsTerminal, Seek, Write, stderr, stdin, stdout};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was taken from the terminal. By default nothing.
#[derive(Default)]
pub struct Screen {
    /// What the program writes to the terminal, as stdout and as stderr.
    held: [Option<File>; 2],
    keys: Option<Keys>,
    /// Whether stdin is the terminal that keys are read from.
    stdin: bool,
    /// Whether the terminal shows the view.
    shown: Arc<AtomicBool>,
}

/// The terminal's mode before.
struct Keys {
    before: libc::termios,
}

impl Screen {
    /// Takes stderr's terminal. None if stderr is no terminal, or files for the program's output cannot be made.
    /// `interrupts`: Ctrl-C is a signal, and not a key.
    pub fn take(interrupts: bool) -> Option<Screen> {
        if !stderr().is_terminal() {
            return None;
        }
        let stdout = if stdout().is_terminal() { Some(tempfile::tempfile().ok()?) } else { None };
        let held = [stdout, Some(tempfile::tempfile().ok()?)];
        let keys = Keys::take(interrupts);
        let screen = Screen { held, stdin: keys.is_some(), keys, shown: Arc::new(AtomicBool::new(true)) };
        // The alternate screen, without a cursor.
        draw("\x1b[?1049h\x1b[?25l");
        Some(screen)
    }

    /// A handle that tells whether the view is shown, for the thread that draws.
    pub fn shown(&self) -> Arc<AtomicBool> {
        self.shown.clone()
    }

    /// Gives the program its streams.
    pub fn redirect(&self, command: &mut Command) {
        let [out, err] = &self.held;
        if let Some(file) = out.as_ref().and_then(|file| file.try_clone().ok()) {
            command.stdout(file);
        }
        if let Some(file) = err.as_ref().and_then(|file| file.try_clone().ok()) {
            command.stderr(file);
        }
        if self.stdin {
            command.stdin(Stdio::null());
        }
    }

    /// Gives the terminal back, with what the program has written meanwhile. A screen that is dropped does the same.
    pub fn release(self) {
        drop(self);
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let [out, err] = std::mem::take(&mut self.held);
        if err.is_none() {
            return;
        }
        if let Some(keys) = self.keys.take() {
            keys.release();
        }
        hide(&self.shown);
        let copy = |file: Option<File>, mut to: &mut dyn Write| {
            // If the terminal is gone, there is nowhere to write to.
            let _ = file.map(|mut file| file.rewind().and_then(|()| std::io::copy(&mut file, &mut to)));
        };
        copy(out, &mut stdout());
        copy(err, &mut stderr());
    }
}

/// Ends the view if it is shown.
pub fn hide(shown: &AtomicBool) {
    if shown.swap(false, Ordering::Relaxed) {
        draw("\x1b[?25h\x1b[?1049l");
    }
}

/// Writes to the terminal without changes.
pub fn draw(text: &str) {
    let _ = stderr().lock().write_all(text.as_bytes());
}

impl Keys {
    fn take(interrupts: bool) -> Option<Keys> {
        if !stdin().is_terminal() {
            return None;
        }
        // SAFETY: an all-zero termios is a valid one; the calls have pointers to live structures.
        unsafe {
            let mut before: libc::termios = std::mem::zeroed();
            if libc::tcgetattr(libc::STDIN_FILENO, &mut before) != 0 {
                return None;
            }
            let mut mode = before;
            mode.c_lflag &= !(libc::ICANON | libc::ECHO);
            if !interrupts {
                mode.c_lflag &= !libc::ISIG;
            }
            (libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &mode) == 0).then_some(Keys { before })
        }
    }

    fn release(self) {
        // SAFETY: the call has a pointer to a live structure.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &self.before) };
    }
}

/// Whether a key was pressed that ends the view: `q`, or Ctrl-C where it is a key. Does not wait.
pub fn quits() -> bool {
    let mut ready = libc::pollfd { fd: libc::STDIN_FILENO, events: libc::POLLIN, revents: 0 };
    let mut keys = [0u8; 64];
    // SAFETY: the calls have pointers to live memory of the given lengths.
    let read = unsafe {
        if libc::poll(&mut ready, 1, 0) <= 0 || ready.revents & libc::POLLIN == 0 {
            return false;
        }
        libc::read(libc::STDIN_FILENO, keys.as_mut_ptr().cast(), keys.len())
    };
    keys.iter().take(usize::try_from(read).unwrap_or(0)).any(|key| matches!(key, b'q' | b'Q' | 3))
}
