//! Running commands: a thin layer over `std::process` whose errors name the command.
//! Also the two places that everything refers to: the project's root and cargo's target folder.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An error is one line for the user.
pub type Result<T = ()> = std::result::Result<T, String>;

/// The project's root folder, above `xtask/`. Cargo gives it at run time, because checkouts that share a target folder
/// also share this program.
pub fn root() -> PathBuf {
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&manifest).parent().expect("xtask lies in the project").to_path_buf()
}

/// Cargo's target folder, `CARGO_TARGET_DIR` included.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(dir) => root().join(dir),
        None => root().join("target"),
    }
}

/// `path` relative to the user's current folder, as an absolute path.
pub fn absolute(path: &Path) -> PathBuf {
    std::env::current_dir().unwrap_or_default().join(path)
}

/// A command whose failure becomes one line that names it.
pub struct Cmd(Command);

/// A command that runs in the project's root.
pub fn cmd(program: impl AsRef<OsStr>) -> Cmd {
    let mut command = Command::new(program);
    command.current_dir(root());
    Cmd(command)
}

/// The cargo that runs us, with these first arguments.
pub fn cargo<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(args: I) -> Cmd {
    cmd(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())).args(args)
}

impl Cmd {
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Cmd {
        self.0.arg(arg);
        self
    }

    pub fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, args: I) -> Cmd {
        self.0.args(args);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Cmd {
        self.0.env(name, value);
        self
    }

    /// In this folder, in place of the project's root.
    pub fn inside(mut self, folder: &Path) -> Cmd {
        self.0.current_dir(folder);
        self
    }

    /// Runs it with our own output; an error unless it exits with 0.
    pub fn check(mut self) -> Result {
        let shown = self.shown();
        let status = self.0.status().map_err(|e| format!("{shown}: {e}"))?;
        if status.success() { Ok(()) } else { Err(format!("{shown}: {status}")) }
    }

    /// Runs it, passes its stdout on and shows each line of it to `look`; an error unless it exits with 0.
    pub fn each_line(mut self, mut look: impl FnMut(&str)) -> Result {
        let shown = self.shown();
        let mut child = self.0.stdout(Stdio::piped()).spawn().map_err(|e| format!("{shown}: {e}"))?;
        for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n')) {
            let line = line.map_err(|e| format!("{shown}: {e}"))?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            look(&line);
        }
        let status = child.wait().map_err(|e| format!("{shown}: {e}"))?;
        if status.success() { Ok(()) } else { Err(format!("{shown}: {status}")) }
    }

    /// Runs it and returns what it wrote to stdout; its stderr is ours.
    pub fn read(mut self) -> Result<String> {
        let shown = self.shown();
        let out = self.0.stderr(Stdio::inherit()).output().map_err(|e| format!("{shown}: {e}"))?;
        if !out.status.success() {
            return Err(format!("{shown}: {}", out.status));
        }
        String::from_utf8(out.stdout).map_err(|e| format!("{shown}: {e}"))
    }

    /// Whether it exits with 0; nothing is shown.
    pub fn succeeds(mut self) -> bool {
        self.0.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
    }

    fn shown(&self) -> String {
        let mut words = vec![self.0.get_program().to_string_lossy().into_owned()];
        words.extend(self.0.get_args().map(|a| a.to_string_lossy().into_owned()));
        let mut line = words.join(" ");
        if line.len() > 300 {
            let end = (0..=300).rev().find(|&i| line.is_char_boundary(i)).unwrap_or(0);
            line.truncate(end);
            line.push('…');
        }
        line
    }
}

/// One line on stderr that says what begins now.
pub fn step(what: &str) {
    eprintln!("\x1b[1m» {what}\x1b[0m");
}

/// Writes `text` to `path` through a temporary file beside it, so that no other process reads half a file.
pub fn write(path: &Path, text: &[u8]) -> Result {
    let partial = partial_name(path);
    std::fs::write(&partial, text).map_err(|e| format!("{}: {e}", partial.display()))?;
    rename(&partial, path)
}

/// A name beside `path` for a file that is being made.
pub fn partial_name(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}", std::process::id()))
}

pub fn rename(from: &Path, to: &Path) -> Result {
    std::fs::rename(from, to).map_err(|e| format!("{} -> {}: {e}", from.display(), to.display()))
}

pub fn make_dir(dir: &Path) -> Result {
    std::fs::create_dir_all(dir).map_err(|e| format!("{}: {e}", dir.display()))
}

/// An empty folder; what it had is removed.
pub fn fresh_dir(dir: &Path) -> Result {
    match std::fs::remove_dir_all(dir) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(format!("{}: {error}", dir.display())),
        _ => make_dir(dir),
    }
}
