//! The compilers whose programs the corpus has, and the languages that they compile.

use std::path::Path;

/// A compiler whose OpenMP programs the runtime has to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    /// clang and clang++, 19 unless another is chosen: the kmpc entry points, libomp. Target regions are the host's.
    Clang,
    /// The same clang with device code for the host's own processor: besides, the entry points of libomptarget.
    Offload,
    /// gcc and g++, 12 unless another is chosen: the GOMP entry points, libgomp.
    Gcc,
    /// gfortran, 12 as well: the GOMP entry points and the Fortran spelling of the routines.
    Gfortran,
    /// flang, 19 as well: the kmpc entry points, libomp, and `bind(c)` interfaces for most routines. Not every machine
    /// has it.
    Flang,
}

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

    /// The name in directives and in the names of tests.
    pub fn name(self) -> &'static str {
        match self {
            Compiler::Clang => "clang",
            Compiler::Offload => "offload",
            Compiler::Gcc => "gcc",
            Compiler::Gfortran => "gfortran",
            Compiler::Flang => "flang",
        }
    }
}
