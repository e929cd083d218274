//! Where ferromp's libraries are: beside the command, in a prefix that may be moved as a whole. The layout is
//! `bin/ferromp`, `lib/libferromp.so` with its other names, `lib/libferromp-trace.so`, `lib/libferromp-mpi.so`,
//! `lib/libferromp-check.so`, `lib/libompd.so`, `share/gdb`.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Names under which programs ask for an OpenMP runtime; each is a symlink to `libferromp.so` in `lib`.
pub fn runtime_names() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("../../runtime/names.txt").lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("libferromp"))
}

/// A prefix whose runtime was found.
pub struct Prefix {
    /// The prefix itself, an absolute path.
    pub root: PathBuf,
}

impl Prefix {
    /// Finds the prefix: `FERROMP_PREFIX` if set, otherwise the folder above the one of this executable. A prefix
    /// without a runtime is a failure that names the missing file.
    pub fn find() -> Result<Self, Failure> {
        let (root, how) = match std::env::var_os("FERROMP_PREFIX").filter(|value| !value.is_empty()) {
            Some(value) => (PathBuf::from(value), "FERROMP_PREFIX names a folder without it"),
            None => (beside_executable()?, "is this command outside of its installation? Set FERROMP_PREFIX"),
        };
        let root = std::path::absolute(&root).map_err(|error| Failure::file("find", &root, &error))?;
        let prefix = Self { root };
        require(&prefix.runtime(), how)?;
        Ok(prefix)
    }

    /// `lib`, which goes first into `LD_LIBRARY_PATH`.
    pub fn lib(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// The OpenMP runtime, which is preloaded.
    pub fn runtime(&self) -> PathBuf {
        self.lib().join("libferromp.so")
    }

    /// The recorder, an OMPT tool. Missing is a failure that names the file.
    pub fn recorder(&self) -> Result<PathBuf, Failure> {
        let recorder = self.lib().join("libferromp-trace.so");
        require(&recorder, "the installation is incomplete")?;
        Ok(recorder)
    }

    /// The library that shows MPI calls to the recorder, which is preloaded. Missing is a failure that names the file.
    pub fn mpi(&self) -> Result<PathBuf, Failure> {
        let library = self.lib().join("libferromp-mpi.so");
        require(&library, "the installation is incomplete")?;
        Ok(library)
    }

    /// The checker, an OMPT tool. Missing is a failure that names the file.
    pub fn checker(&self) -> Result<PathBuf, Failure> {
        let checker = self.lib().join("libferromp-check.so");
        require(&checker, "the installation is incomplete")?;
        Ok(checker)
    }

    /// The library that debuggers load. Missing is a failure that names the file.
    pub fn debugger_library(&self) -> Result<PathBuf, Failure> {
        let library = self.lib().join("libompd.so");
        require(&library, "the installation is incomplete")?;
        Ok(library)
    }

    /// The plug-in for gdb. Missing is a failure that names the file.
    pub fn gdb_plugin(&self) -> Result<PathBuf, Failure> {
        let plugin = self.root.join("share/gdb/ferromp.py");
        require(&plugin, "the installation is incomplete")?;
        Ok(plugin)
    }
}

/// `<exe>/../..`, with symlinks to the executable followed.
fn beside_executable() -> Result<PathBuf, Failure> {
    let exe = std::env::current_exe()
        .and_then(|exe| exe.canonicalize())
        .map_err(|error| Failure::new(format!("cannot find my own file: {}", crate::failure::reason(&error))))?;
    let root = exe.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    Ok(root.to_path_buf())
}

fn require(file: &Path, how: &str) -> Result<(), Failure> {
    if file.is_file() {
        return Ok(());
    }
    Err(Failure::new(format!("{} is missing: {how}", file.display())))
}
