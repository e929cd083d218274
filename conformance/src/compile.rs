//! Compiles corpus programs, and keeps the results under a name made of everything that went into them.
//! A changed source, header, option or compiler therefore gives another file, and an unchanged one is never built twice.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// A compiler whose OpenMP programs the runtime has to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// clang and clang++ 19: the kmpc doors, libomp. Target regions are the host's.
    Clang,
    /// clang and clang++ 19 with device code for the host's own processor: besides, the doors of libomptarget.
    Offload,
    /// gcc and g++ 12: the GOMP doors, libgomp.
    Gcc,
    /// gfortran 12: the GOMP doors and the Fortran spelling of the routines.
    Gfortran,
    /// flang 19: the kmpc doors, libomp, and `bind(c)` interfaces for most routines. Not every machine has it.
    Flang,
}

/// Makes clang compile target regions for a host device too.
const OFFLOAD: &str = "-fopenmp-targets=x86_64-pc-linux-gnu";

/// What Debian calls flang 19.
const FLANG_COMMAND: &str = "flang-new-19";

/// The language of a source, by its extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
    Fortran,
}

impl Language {
    /// The language of a file name; `None` for anything that is no program (headers, include files).
    pub fn of(path: &Path) -> Option<Language> {
        match path.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cpp" => Some(Language::Cpp),
            "f90" => Some(Language::Fortran),
            _ => None,
        }
    }

    /// Every compiler of the language, for programs that do not ask for device code.
    pub fn compilers(self) -> &'static [Compiler] {
        match self {
            Language::C | Language::Cpp => &[Compiler::Clang, Compiler::Gcc],
            Language::Fortran => &[Compiler::Gfortran, Compiler::Flang],
        }
    }
}

impl Compiler {
    /// The compiler that a directive names.
    pub fn named(name: &str) -> Result<Compiler, String> {
        match name {
            "clang" => Ok(Compiler::Clang),
            "offload" => Ok(Compiler::Offload),
            "gcc" => Ok(Compiler::Gcc),
            "gfortran" => Ok(Compiler::Gfortran),
            "flang" => Ok(Compiler::Flang),
            other => Err(format!("unknown compiler `{other}`")),
        }
    }

    /// Its name in directives and in the names of tests.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Clang => "clang",
            Compiler::Offload => "offload",
            Compiler::Gcc => "gcc",
            Compiler::Gfortran => "gfortran",
            Compiler::Flang => "flang",
        }
    }

    /// Whether this machine has it. Every compiler but flang is taken for granted, so that a missing one fails.
    pub fn present(self) -> bool {
        static FLANG: OnceLock<bool> = OnceLock::new();
        self != Compiler::Flang || *FLANG.get_or_init(|| Command::new(FLANG_COMMAND).arg("--version").output().is_ok())
    }

    fn command(self, language: Language) -> &'static str {
        match (self, language) {
            (Compiler::Clang | Compiler::Offload, Language::Cpp) => "clang++-19",
            (Compiler::Clang | Compiler::Offload, _) => "clang-19",
            (Compiler::Gcc, Language::Cpp) => "g++",
            (Compiler::Gcc, _) => "gcc",
            (Compiler::Gfortran, _) => "gfortran",
            (Compiler::Flang, _) => FLANG_COMMAND,
        }
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
    /// Builds it, or finds it already built. The error holds the command line and what the compiler said.
    pub fn build(&self) -> Result<PathBuf, String> {
        let language = Language::of(self.source).ok_or_else(|| format!("{}: unknown language", self.source.display()))?;
        let mut command = Command::new(self.compiler.command(language));
        command.args(["-O1", "-g", "-fopenmp"]);
        match language {
            // flang has no options for warnings.
            _ if self.compiler == Compiler::Flang => &mut command,
            Language::Fortran => command.args(["-Wall", "-Wno-unused-dummy-argument", "-Wno-maybe-uninitialized"]),
            _ => command.args(["-Wall", "-Werror=unknown-pragmas"]),
        };
        if self.compiler == Compiler::Offload {
            command.arg(OFFLOAD);
        }
        if self.shared {
            command.args(["-shared", "-fPIC"]);
        }
        command.arg("-I").arg(self.include).args(self.flags).arg(self.source);
        command.args(self.libs.iter().map(|lib| format!("-l{lib}")));

        let output = self.cache.join(format!("{}-{}-{:016x}", stem(self.source), self.compiler.name(), self.digest(&command)?));
        if output.exists() {
            return Ok(output);
        }
        fs::create_dir_all(self.cache).map_err(|why| format!("{}: {why}", self.cache.display()))?;
        let partial = output.with_extension(format!("{}-{:?}", std::process::id(), std::thread::current().id()));
        command.arg("-o").arg(&partial);
        // Fortran compilers write module files into the current folder.
        command.current_dir(self.cache);
        let result = command.output().map_err(|why| format!("{}: {why}", self.compiler.command(language)))?;
        if !result.status.success() {
            return Err(format!("does not compile: {command:?}\n{}", String::from_utf8_lossy(&result.stderr)));
        }
        // Whoever comes first gives the file its name: it may run by now, and is looked at from outside.
        let linked = fs::hard_link(&partial, &output);
        fs::remove_file(&partial).map_err(|why| format!("{}: {why}", partial.display()))?;
        match linked {
            Err(why) if !output.exists() => Err(format!("{}: {why}", output.display())),
            _ => Ok(output),
        }
    }

    /// A digest of the command line, the source and the headers, those beside the source too.
    fn digest(&self, command: &Command) -> Result<u64, String> {
        let read = |path: &Path| fs::read(path).map_err(|why| format!("{}: {why}", path.display()));
        let mut hasher = DefaultHasher::new();
        format!("{command:?}").hash(&mut hasher);
        read(self.source)?.hash(&mut hasher);
        let mut headers = Vec::new();
        for folder in [self.include, self.source.parent().unwrap_or(self.include)] {
            let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
            let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
            headers.extend(files.filter(|path| path.is_file() && path.extension().is_some_and(|e| e == "h" || e == "inc")));
        }
        headers.sort();
        for header in headers {
            read(&header)?.hash(&mut hasher);
        }
        Ok(hasher.finish())
    }
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
