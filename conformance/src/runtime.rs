//! The OpenMP runtime that the compiled programs run on: ferromp's `dist/lib`, or the compilers' own. The environment
//! variable `FERROMP_CORPUS_RUNTIME` chooses: unset for `dist/lib`, `stock`, or another folder of ferromp.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use crate::compile::Compiler;
use crate::root::{self, Choice};
pub use crate::workspace::{CHOICE, workspace};

/// A runtime to run programs on.
#[derive(Debug, Clone)]
pub enum Runtime {
    /// libomp for clang, libgomp for gcc and gfortran: this validates the programs themselves.
    Stock,
    /// ferromp, from this folder, with this checking tool.
    Ferromp { lib: PathBuf, checker: PathBuf },
}

impl Runtime {
    /// As [`Runtime::prepare`], for a program of this compiler. Debian has the libraries of LLVM's releases outside of
    /// the folders that the loader searches.
    pub fn prepare_for(&self, compiler: Compiler, command: &mut Command) {
        self.prepare(command);
        if let (Runtime::Stock, Compiler::Clang | Compiler::Offload | Compiler::Flang) = (self, compiler)
            && let Some(release) = compiler.release()
        {
            command.env("LD_LIBRARY_PATH", format!("/usr/lib/llvm-{release}/lib"));
        }
    }

    /// The runtime that the environment chooses. The error says what is missing and how to make it.
    pub fn chosen() -> Result<Runtime, String> {
        let lib = match env::var(CHOICE) {
            Ok(choice) if choice == "stock" => return Ok(Runtime::Stock),
            Ok(folder) => PathBuf::from(folder),
            Err(_) => workspace().join("dist/lib"),
        };
        let library = lib.join("libferromp.so");
        if !library.exists() {
            return Err(format!(
                "{} is missing: run `cargo xtask build` first, or set {CHOICE}=stock to run on the compilers' own runtimes",
                library.display()
            ));
        }
        let lib = lib.canonicalize().map_err(|why| format!("{}: {why}", lib.display()))?;
        // In a root, the delivered library is used, because the libraries that cargo builds for tests need this
        // machine's C library.
        let delivered = Some(lib.join("libferromp-check.so"))
            .filter(|path| root::chosen().is_ok_and(Choice::is_elsewhere) && path.exists());
        let checker = delivered.map_or_else(find_checker, Ok)?;
        Ok(Runtime::Ferromp { lib, checker })
    }

    /// Prepares a command: no OpenMP variable is inherited, and the chosen runtime comes first.
    pub fn prepare(&self, command: &mut Command) {
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            if ["OMP_", "KMP_", "GOMP_", "LIBOMP_", "FERROMP_", "LD_PRELOAD", "LD_LIBRARY_PATH"]
                .iter()
                .any(|p| text.starts_with(p))
            {
                command.env_remove(&name);
            }
        }
        if let Runtime::Ferromp { lib, .. } = self {
            command.env("LD_LIBRARY_PATH", lib).env("LD_PRELOAD", lib.join("libferromp.so"));
        }
    }
}

/// The checking tool `libferromp_checker.so`, which cargo leaves beside the test executables or one folder above.
pub fn find_checker() -> Result<PathBuf, String> {
    const NAME: &str = "libferromp_checker.so";
    let test = env::current_exe().map_err(|why| format!("cannot find the test executable: {why}"))?;
    let found = test.ancestors().skip(1).take(2).map(|folder| folder.join(NAME)).find(|path| path.exists());
    found.ok_or_else(|| {
        format!(
            "{NAME} is missing near {}: run `cargo build -p ferromp-checker` with the same profile first",
            test.display()
        )
    })
}
