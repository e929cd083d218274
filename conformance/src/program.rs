//! Finds the programs of the corpus: `programs/<topic>/<name>.{c,cpp,f90}`, one test for each of them and each
//! compiler. Sources under `programs/<topic>/shared/` are parts of other programs (libraries to load), not tests.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compile::{Compiler, Language};
use crate::directives::Directives;
use crate::root;

/// One program and what it asks for.
#[derive(Debug, Clone)]
pub struct Program {
    /// Folder that it lies in: the construct it is about.
    pub topic: String,
    /// File name without extension.
    pub name: String,
    pub source: PathBuf,
    pub language: Language,
    pub directives: Directives,
}

impl Program {
    /// The compilers to build it with: those that understand it and that this machine has.
    pub fn compilers(&self) -> Vec<Compiler> {
        let with_device_code = self.directives.devices.iter().map(|_| Compiler::Offload);
        let all = || self.language.compilers().iter().copied().chain(with_device_code).collect();
        let mut compilers = self.directives.compilers.clone().unwrap_or_else(all);
        compilers.retain(|compiler| compiler.present());
        compilers
    }

    /// The name of the test with one of them.
    pub fn test_name(&self, compiler: Compiler) -> String {
        let language = match self.language {
            Language::Cpp => "++",
            _ => "",
        };
        format!("{}::{}::{}{language}", self.topic, self.name, compiler.name())
    }
}

/// Folder of the programs and of the headers that they share.
pub fn programs_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// Every program, sorted by topic and name. A program with a bad directive is an error that names it, and so is a
/// choice of compilers that cannot be used.
pub fn all() -> Result<Vec<Program>, String> {
    root::chosen()?;
    let mut programs = Vec::new();
    for topic in entries(&programs_folder())?.into_iter().filter(|path| path.is_dir()) {
        for source in entries(&topic)?.into_iter().filter(|path| path.is_file()) {
            let Some(language) = Language::of(&source) else { continue };
            let text = fs::read_to_string(&source).map_err(|why| format!("{}: {why}", source.display()))?;
            let directives = Directives::parse(&text).map_err(|why| format!("{}: {why}", source.display()))?;
            programs.push(Program { topic: file_stem(&topic), name: file_stem(&source), source, language, directives });
        }
    }
    Ok(programs)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let explain = |why| format!("{}: {why}", folder.display());
    let mut paths = fs::read_dir(folder)
        .map_err(explain)?
        .map(|entry| Ok(entry.map_err(explain)?.path()))
        .collect::<Result<Vec<_>, String>>()?;
    paths.sort();
    Ok(paths)
}

fn file_stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}
