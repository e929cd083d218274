//! Compiles corpus programs, and keeps the results under a name made of everything that went into them. A changed
//! source, header, option or compiler therefore gives another file, and an unchanged one is never built twice.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

pub use crate::compiler::{Compiler, Language};
use crate::root;
use crate::run::{self, Ending};

/// How long a compiler may take. With all cores busy some take half a minute.
const LIMIT: Duration = Duration::from_secs(300);

/// Makes clang compile target regions for a host device too.
const OFFLOAD: &str = "-fopenmp-targets=x86_64-pc-linux-gnu";

/// The first release of clang whose default is OpenMP 5.1.
const WITH_51: u32 = 17;

/// What Debian calls flang 19.
const FLANG_COMMAND: &str = "flang-new-19";

impl Compiler {
    /// Whether programs of this compiler are built and run. If the environment chooses compilers (`root.rs`), only
    /// these are used; otherwise all on this machine. Every compiler except flang is assumed to exist, so that a
    /// missing one fails the tests.
    pub fn present(self) -> bool {
        static FLANG: OnceLock<bool> = OnceLock::new();
        let named = root::chosen().ok().and_then(|choice| choice.names(self));
        let here = || {
            self != Compiler::Flang
                || *FLANG.get_or_init(|| Command::new(FLANG_COMMAND).arg("--version").output().is_ok())
        };
        named.unwrap_or_else(here)
    }

    /// The number of the release, `19` of 19.1.7, as the compiler reports it; `None` if it reports none.
    pub fn release(self) -> Option<u32> {
        release_in(&self.version()?)
    }

    /// The compiler's own description, read once a process; `None` if the compiler cannot be run.
    pub fn version(self) -> Option<String> {
        static SAID: Mutex<Vec<(Compiler, Option<String>)>> = Mutex::new(Vec::new());
        let mut all = SAID.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(compiler, _)| *compiler == self) {
            return known.clone();
        }
        let language =
            if matches!(self, Compiler::Gfortran | Compiler::Flang) { Language::Fortran } else { Language::C };
        let ask = || {
            let mut command = Command::new(self.command(language).ok()?);
            command.arg("--version");
            let said = root::chosen().ok()?.wrap(command).output().ok()?;
            String::from_utf8_lossy(&said.stdout).lines().next().map(str::to_owned)
        };
        let said = ask();
        all.push((self, said.clone()));
        said
    }

    fn command(self, language: Language) -> Result<String, String> {
        if let Some(chosen) = root::chosen()?.command(self, language)? {
            return Ok(chosen);
        }
        let usual = match (self, language) {
            (Compiler::Clang | Compiler::Offload, Language::Cpp) => "clang++-19",
            (Compiler::Clang | Compiler::Offload, _) => "clang-19",
            (Compiler::Gcc, Language::Cpp) => "g++",
            (Compiler::Gcc, _) => "gcc",
            (Compiler::Gfortran, _) => "gfortran",
            (Compiler::Flang, _) => FLANG_COMMAND,
        };
        Ok(usual.to_owned())
    }
}

/// What to build.
pub struct Job<'a> {
    pub compiler: Compiler,
    pub source: &'a Path,
    /// A shared library instead of an executable.
    pub shared: bool,
    /// Options that precede the source.
    pub flags: &'a [String],
    /// Libraries, by the name that follows `-l`.
    pub libs: &'a [String],
    /// Folder with the headers of the corpus.
    pub include: &'a Path,
    /// Folder that keeps what was built.
    pub cache: &'a Path,
}

impl Job<'_> {
    /// Builds the file, or finds it already built. The error has the command line and the compiler's messages.
    pub fn build(&self) -> Result<PathBuf, String> {
        let language =
            Language::of(self.source).ok_or_else(|| format!("{}: unknown language", self.source.display()))?;
        let name = self.compiler.command(language)?;
        let mut command = Command::new(&name);
        command.args(["-O1", "-g", "-fopenmp"]);
        match language {
            // flang has no options for warnings.
            _ if self.compiler == Compiler::Flang => &mut command,
            Language::Fortran => command.args(["-Wall", "-Wno-unused-dummy-argument", "-Wno-maybe-uninitialized"]),
            Language::Cpp => command.args(["-Wall", "-Werror=unknown-pragmas"]),
            // Without this option, a routine that an older header lacks would be taken for one that returns an int.
            Language::C => command.args(["-Wall", "-Werror=unknown-pragmas", "-Werror=implicit-function-declaration"]),
        };
        if self.compiler == Compiler::Offload {
            command.arg(OFFLOAD);
        }
        if matches!(self.compiler, Compiler::Clang | Compiler::Offload)
            && self.compiler.release().is_some_and(|release| release < WITH_51)
        {
            command.arg("-fopenmp-version=51");
        }
        // Debian's gcc 9 and 10 look for a device compiler that is in a package of its own.
        if matches!(self.compiler, Compiler::Gcc | Compiler::Gfortran)
            && self.compiler.release().is_some_and(|release| release < 11)
        {
            command.arg("-foffload=disable");
        }
        if self.shared {
            command.args(["-shared", "-fPIC"]);
        }
        command.arg("-I").arg(self.include).args(self.flags).arg(self.source);
        command.args(self.libs.iter().map(|lib| format!("-l{lib}")));

        let output =
            self.cache.join(format!("{}-{}-{:016x}", stem(self.source), self.compiler.name(), self.digest(&command)?));
        if output.exists() {
            return Ok(output);
        }
        fs::create_dir_all(self.cache).map_err(|why| format!("{}: {why}", self.cache.display()))?;
        let partial = output.with_extension(format!("{}-{:?}", std::process::id(), std::thread::current().id()));
        command.arg("-o").arg(&partial);
        // Fortran compilers write module files into the current folder.
        command.current_dir(self.cache);
        let mut command = root::chosen()?.wrap(command);
        // Some compilers never end with some programs.
        let result = run::run(&mut command, LIMIT, self.cache)?;
        match result.ending {
            Ending::Exited(0) => {}
            Ending::Exited(_) => return Err(format!("does not compile: {command:?}\n{}", result.stderr)),
            other => return Err(format!("does not compile: {name} {}\n{}", other.describe(LIMIT), result.stderr)),
        }
        // The first build gives the file its name. A later build must not replace it, because the file may already run.
        let linked = fs::hard_link(&partial, &output);
        fs::remove_file(&partial).map_err(|why| format!("{}: {why}", partial.display()))?;
        match linked {
            Err(why) if !output.exists() => Err(format!("{}: {why}", output.display())),
            _ => Ok(output),
        }
    }

    /// A digest of the command line, the compiler's version and root, the source and the headers, including those
    /// beside the source.
    fn digest(&self, command: &Command) -> Result<u64, String> {
        let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
        let mut hasher = DefaultHasher::new();
        format!("{command:?}").hash(&mut hasher);
        (self.compiler.version(), root::chosen()?.label()).hash(&mut hasher);
        read(self.source)?.hash(&mut hasher);
        let mut headers = Vec::new();
        for folder in [self.include, self.source.parent().unwrap_or(self.include)] {
            let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
            let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
            headers.extend(
                files.filter(|path| path.is_file() && path.extension().is_some_and(|e| e == "h" || e == "inc")),
            );
        }
        headers.sort();
        for header in headers {
            read(&header)?.hash(&mut hasher);
        }
        Ok(hasher.finish())
    }
}

/// The first number of the version in the first line of what compilers say on `--version`: the last word before what
/// stands in brackets at the end (clang), or that word itself (gcc), such as `16.2.0`.
fn release_in(said: &str) -> Option<u32> {
    let line = said.lines().next()?;
    let version = match line.split_once(" version ") {
        Some((_, rest)) => rest.split_whitespace().next()?,
        None => line.rsplit(") ").next()?.split_whitespace().next()?,
    };
    version.split('.').next()?.parse().ok()
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::release_in;

    #[test]
    fn compilers_say_their_release() {
        for (said, release) in [
            ("gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright", 12),
            ("GNU Fortran (Debian 16.2.0-4) 16.2.0", 16),
            ("gcc-9 (Debian 9.3.0-22) 9.3.0", 9),
            ("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64", 19),
            ("Debian flang version 23.1.4 (2)", 23),
            ("flang-new version 16.0.6", 16),
            ("clang version 24.0.0git (https://example.org 0123)", 24),
        ] {
            assert_eq!(release_in(said), Some(release), "{said}");
        }
        assert_eq!(release_in("no compiler"), None);
    }
}
