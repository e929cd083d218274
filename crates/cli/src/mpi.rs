//! Whether a program is one of MPI's, so that its MPI calls can be recorded.

use std::collections::BTreeSet;

use ferromp_trace::store::folder;

use crate::doctor::Search;
use crate::elf::Elf;
use crate::program::Program;

/// Programs that start others as ranks. These ranks inherit what is preloaded.
const LAUNCHERS: [&str; 8] = ["mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun", "srun", "jsrun", "aprun"];

/// Whether the program is an MPI program, as far as that shows before it runs: a launcher has started this process as a
/// rank, the program is a launcher, or it needs an MPI library, itself or through another library. Python loads MPI
/// later, so of Python's programs only those that a launcher starts are known.
pub fn is_used(program: &Program) -> bool {
    folder::mpi_rank().is_some() || program.chain.iter().any(|file| is_launcher(file)) || needs_mpi(program)
}

/// Whether a file is a launcher by its name. Debian's names have the implementation behind a point (`mpirun.mpich`).
fn is_launcher(file: &std::path::Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    LAUNCHERS
        .iter()
        .any(|launcher| name.strip_prefix(launcher).is_some_and(|rest| ["", ".openmpi", ".mpich"].contains(&rest)))
}

/// Whether the loader will load an MPI library. Only the libraries' links are read, which takes a few milliseconds.
fn needs_mpi(program: &Program) -> bool {
    let search = Search::of_this_machine();
    let mut files: Vec<Elf> = Elf::links(program.loaded()).into_iter().collect();
    let mut requested = BTreeSet::new();
    let mut next = 0;
    while next < files.len() {
        for name in files[next].needed.clone() {
            if is_mpi_library(&name) {
                return true;
            }
            if requested.insert(name.clone())
                && let Some(path) = search.find(&name, &files[next], &files[0])
            {
                files.extend(Elf::links(&path));
            }
        }
        next += 1;
    }
    false
}

/// Whether a library's name is that of an MPI library: `libmpi.so.40`, `libmpich.so.12`, `libmpifort.so.12`.
fn is_mpi_library(name: &str) -> bool {
    name.starts_with("libmpi") && name.contains(".so")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_and_libraries_are_known_by_their_names() {
        for name in ["/usr/bin/mpirun", "mpirun.openmpi", "mpiexec.mpich", "mpiexec.hydra", "srun"] {
            assert!(is_launcher(name.as_ref()), "{name}");
        }
        for name in ["mpirun.sh", "mpicc", "app", "/"] {
            assert!(!is_launcher(name.as_ref()), "{name}");
        }
        assert!(is_mpi_library("libmpi.so.40") && is_mpi_library("libmpich.so.12") && !is_mpi_library("libm.so.6"));
    }
}
