//! What is merged: the traces of ranks in the given folders.

use std::fmt;
use std::path::{Path, PathBuf};

use ferromp_trace::store::{Meta, folder, lock, meta};

use crate::failure::Failure;

/// What a trace is called in the merged run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// A rank.
    Rank(u32),
    /// A process without a rank, on a host.
    Process(String, u32),
}

/// A folder that becomes a part of the merged run.
#[derive(Debug)]
pub struct Source {
    pub name: Name,
    pub path: PathBuf,
    /// The ranks of the job, if the trace tells.
    pub ranks: Option<u32>,
}

impl Name {
    /// The rank, if it is one.
    pub fn rank(&self) -> Option<u32> {
        match self {
            Name::Rank(rank) => Some(*rank),
            Name::Process(..) => None,
        }
    }

    /// How many folders deep the trace's files lie. The folder of a rank has the traces of the rank's programs as well.
    /// That of another process may be the run's own folder, and what is in it is merged by itself.
    pub fn deepest(&self) -> usize {
        match self {
            Name::Rank(_) => 2,
            Name::Process(..) => 1,
        }
    }

    /// The name of the folder in the merged run.
    pub fn folder(&self) -> String {
        match self {
            Name::Rank(rank) => folder::rank_folder(*rank),
            Name::Process(host, pid) => format!("process-{}-{pid}", host.replace(['/', '\0'], "_")),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Rank(rank) => write!(out, "rank {rank}"),
            Name::Process(host, pid) => write!(out, "process {pid} on {host}"),
        }
    }
}

/// The traces in some folders, and what is wrong with folders that have none or have traces that cannot be read.
///
/// # Errors
/// If a program still records into one of the traces: its files would go on changing in two places.
pub fn find(folders: &[PathBuf]) -> Result<(Vec<Source>, Vec<Failure>), Failure> {
    let (mut sources, mut problems) = (Vec::new(), Vec::new());
    for folder in folders {
        let before = sources.len() + problems.len();
        match candidates(folder) {
            Ok(all) => {
                for path in all {
                    match source(&path) {
                        Ok(source) => sources.extend(source),
                        Err(failure) => problems.push(failure),
                    }
                }
                if sources.len() + problems.len() == before {
                    problems.push(Failure::new(format!("{}: has no trace of a rank", folder.display())));
                }
            }
            Err(error) => problems.push(Failure::file("read", folder, &error)),
        }
    }
    if let Some(source) = sources.iter().find(|source| lock::state(&source.path) == lock::State::Runs) {
        return Err(Failure::new(format!("{}: a program still records into it", source.path.display())));
    }
    Ok((sources, problems))
}

/// Whether a folder is a trace.
pub fn is_trace(path: &Path) -> bool {
    path.join(meta::FILE).exists()
}

/// The folder itself if it is the trace of a rank, else the folders in it that are traces or are named for ranks.
/// Sorted by name.
fn candidates(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let is_rank =
        |path: &Path| Meta::read(path).is_ok_and(|meta| meta.rank.is_some()) || folder::rank_of(path).is_some();
    if is_trace(folder) && is_rank(folder) {
        return Ok(vec![folder.to_path_buf()]);
    }
    let entries: std::io::Result<Vec<_>> = std::fs::read_dir(folder)?.collect();
    let paths = entries?.into_iter().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.is_dir() && (is_trace(path) || folder::rank_of(path).is_some())).collect();
    paths.sort();
    if is_trace(folder) {
        paths.insert(0, folder.to_path_buf());
    }
    Ok(paths)
}

/// The source of a folder. A trace without a readable description has the rank of its folder's name.
fn source(path: &Path) -> Result<Option<Source>, Failure> {
    let of = |name, ranks| Ok(Some(Source { name, path: path.to_path_buf(), ranks }));
    match (Meta::read(path), folder::rank_of(path)) {
        (Ok(Meta { rank: Some(rank), ranks, .. }), _) => of(Name::Rank(rank), ranks),
        (Ok(meta), _) => of(Name::Process(meta.hostname, meta.pid), None),
        // What can be read of the threads may still be of use to somebody.
        (Err(_), Some(rank)) if is_trace(path) => of(Name::Rank(rank), None),
        (Err(_), Some(_)) => Err(Failure::new(format!("{}: holds no trace", path.display()))),
        (Err(error), None) => Err(crate::report::failure(error)),
    }
}
