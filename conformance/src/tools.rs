//! Compiles the small OMPT tools and the programs under `tools/`, and runs programs with tools on the chosen runtime.
//! Tools are compiled by clang 19, with the `omp-tools.h` that ferromp brings.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::compile::{Compiler, Job};
use crate::run::{self, Ending, Outcome};
use crate::runtime::{Runtime, workspace};

/// Time that one run may take before it counts as hung.
const LIMIT: Duration = Duration::from_secs(40);

/// Where tools and programs are built and run.
pub struct Workshop {
    runtime: Runtime,
    /// Folder of ferromp's libraries.
    pub lib: PathBuf,
    /// Folder for what is built and written.
    pub scratch: PathBuf,
}

/// A program that is ready to be run with tools.
pub struct Run<'a> {
    workshop: &'a Workshop,
    command: Command,
    preloads: Vec<PathBuf>,
}

impl Workshop {
    /// The workshop of a test file; `scratch` is its `CARGO_TARGET_TMPDIR`.
    ///
    /// # Panics
    /// If ferromp is missing, or not what the environment chooses.
    pub fn new(scratch: &str) -> Workshop {
        let runtime = Runtime::chosen().unwrap_or_else(|why| panic!("{why}"));
        let Runtime::Ferromp { lib, .. } = &runtime else { panic!("the tests of OMPT are about ferromp alone") };
        Workshop { lib: lib.clone(), runtime, scratch: Path::new(scratch).join("tools") }
    }

    /// Builds `tools/<name>.c` as a tool, with these further compiler options. A name may have an extension of its own.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn tool(&self, name: &str, options: &[&str]) -> PathBuf {
        // A tool is no OpenMP program, and must not bring in a runtime of its own.
        let mut options: Vec<String> =
            [&["-fno-openmp"], options].concat().iter().map(|&option| option.to_owned()).collect();
        options.extend(header());
        self.build(name, Compiler::Clang, true, &options)
    }

    /// Builds `tools/<name>.c` as a program, with these further compiler options.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn program(&self, name: &str, compiler: Compiler, options: &[&str]) -> PathBuf {
        let mut options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        options.extend(header());
        self.build(name, compiler, false, &options)
    }

    /// Builds a program that lies elsewhere, with these further compiler options.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn program_at(&self, source: &Path, compiler: Compiler, options: &[String]) -> PathBuf {
        self.build_file(source, compiler, false, options)
    }

    /// Builds a library that lies elsewhere, which knows nothing of OpenMP.
    ///
    /// # Panics
    /// If it does not compile.
    pub fn library_at(&self, source: &Path) -> PathBuf {
        self.build_file(source, Compiler::Clang, true, &["-fno-openmp".to_owned()])
    }

    fn build(&self, name: &str, compiler: Compiler, shared: bool, flags: &[String]) -> PathBuf {
        let file = if name.contains('.') { name.to_owned() } else { format!("{name}.c") };
        self.build_file(&sources().join(file), compiler, shared, flags)
    }

    fn build_file(&self, source: &Path, compiler: Compiler, shared: bool, flags: &[String]) -> PathBuf {
        let folder = sources();
        // Tests run side by side, and several may want the same file.
        static BUILDING: Mutex<()> = Mutex::new(());
        let _building = BUILDING.lock().unwrap_or_else(PoisonError::into_inner);
        let libs = ["dl".to_owned(), "pthread".to_owned()];
        let job = Job { compiler, source, shared, flags, libs: &libs, include: &folder, cache: &self.scratch };
        job.build().unwrap_or_else(|why| panic!("{why}"))
    }

    /// Prepares a run of a program on the chosen runtime.
    pub fn command(&self, program: &Path) -> Run<'_> {
        let mut command = Command::new(program);
        self.runtime.prepare(&mut command);
        let preloads = vec![self.lib.join("libferromp.so")];
        Run { workshop: self, command, preloads }
    }
}

impl Run<'_> {
    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl AsRef<std::ffi::OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, arguments: &[&str]) -> Self {
        self.command.args(arguments);
        self
    }

    /// Runs it in this folder.
    #[must_use]
    pub fn within(mut self, folder: &Path) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Preloads a tool.
    #[must_use]
    pub fn preload(mut self, tool: &Path) -> Self {
        self.preloads.push(tool.to_owned());
        self
    }

    /// Names tools in `OMP_TOOL_LIBRARIES`, in this order.
    #[must_use]
    pub fn libraries(mut self, tools: &[&Path]) -> Self {
        let names: Vec<String> = tools.iter().map(|tool| tool.display().to_string()).collect();
        self.command.env("OMP_TOOL_LIBRARIES", names.join(":"));
        self
    }

    /// Names tools in `FERROMP_TOOLS`, which are all to be active, in this order.
    #[must_use]
    pub fn further(mut self, tools: &[&Path]) -> Self {
        let names: Vec<String> = tools.iter().map(|tool| tool.display().to_string()).collect();
        self.command.env("FERROMP_TOOLS", names.join(":"));
        self
    }

    /// Runs it; it has to end by itself with this status.
    ///
    /// # Panics
    /// If it cannot be started, does not end, or ends otherwise.
    pub fn finish_with(self, status: i32) -> Outcome {
        self.finish_as(|ending| matches!(ending, Ending::Exited(code) if *code == status))
    }

    /// Runs it; it has to end in a way that `is_right` accepts.
    ///
    /// # Panics
    /// As [`finish_with`](Self::finish_with).
    pub fn finish_as(mut self, is_right: impl Fn(&Ending) -> bool) -> Outcome {
        let preloads: Vec<String> = self.preloads.iter().map(|path| path.display().to_string()).collect();
        self.command.env("LD_PRELOAD", preloads.join(":"));
        let outcome = run::run(&mut self.command, LIMIT, &self.workshop.scratch).unwrap_or_else(|why| panic!("{why}"));
        assert!(
            is_right(&outcome.ending),
            "{:?} {}\n--- stdout\n{}--- stderr\n{}",
            self.command,
            outcome.ending.describe(LIMIT),
            outcome.stdout,
            outcome.stderr
        );
        outcome
    }

    /// Runs it; it has to succeed.
    ///
    /// # Panics
    /// As [`finish_with`](Self::finish_with).
    pub fn finish(self) -> Outcome {
        self.finish_with(0)
    }
}

/// Options that make a source find our `omp-tools.h` before clang's.
fn header() -> [String; 2] {
    ["-I".to_owned(), workspace().join("crates/ompt/include").display().to_string()]
}

/// Folder of the tools' and programs' sources.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tools")
}
