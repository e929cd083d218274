//! The folder that a run is recorded into: its name, and what happens if the folder exists already.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use ferromp_trace::store::{folder, lock};

use crate::failure::Failure;

/// The folder made for a run.
pub struct Output {
    /// The path as the user knows it: as given, or relative to the current folder.
    pub shown: PathBuf,
    /// The absolute path, because the program may change its current folder.
    pub path: PathBuf,
    /// True if this run created the folder.
    made: bool,
}

impl Output {
    /// Creates the folder, named by `template` or after the program.
    ///
    /// An existing folder is used if it is empty. With `force` it is also used if it holds a trace, which is then
    /// removed. Files that are no part of a trace are never removed, nor is a trace behind a link. A folder of another
    /// user is refused, because its owner could put links into it.
    pub fn create(template: Option<&Path>, program: &Path, force: bool) -> Result<Self, Failure> {
        let rank = folder::mpi_rank();
        let shown = match template {
            Some(template) => {
                let line = || Failure::new(format!("{}: the name of a trace folder must be UTF-8", template.display()));
                let template = template.to_str().ok_or_else(line)?;
                let name = folder::expand(template, &folder::hostname(), std::process::id(), rank);
                match rank {
                    // All ranks get the same name.
                    Some(rank) if name == folder::expand(template, "", 0, None) => {
                        format!("{name}/{}", folder::rank_folder(rank))
                    }
                    _ => name,
                }
            }
            None => folder::default_name(&program.to_string_lossy(), std::process::id()),
        };
        let shown = PathBuf::from(shown);
        let path = std::path::absolute(&shown).map_err(|error| Failure::file("make", &shown, &error))?;
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(|error| Failure::file("make", parent, &error))?;
        }
        let made = match std::fs::create_dir(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                take_over(&shown, force)?;
                false
            }
            Err(error) => {
                let failure = Failure::file("make", &shown, &error);
                let way_out = if template.is_none() { "; -o DIR records elsewhere" } else { "" };
                return Err(Failure { line: failure.line + way_out, ..failure });
            }
        };
        Ok(Self { shown, path, made })
    }

    /// The folder's name in the recorder's spelling: text that looks like a placeholder is escaped.
    ///
    /// The recorder makes a folder of its own for each MPI rank, unless the name says that it holds the rank already.
    pub fn for_recorder(&self) -> String {
        let path = self.path.to_string_lossy().replace('%', "%%");
        let rank = folder::mpi_rank().map(|rank| rank.to_string());
        match rank.and_then(|rank| path.strip_suffix(&rank).map(str::to_owned)) {
            Some(start) => start + "%r",
            None => path,
        }
    }

    /// Removes the folder if this run made it and nothing was recorded into it.
    pub fn discard(&self) {
        if self.made {
            // On a full disk, a trace without a description is left behind. Anything else stays.
            let _ = remove(&self.path, &self.path);
            let _ = std::fs::remove_dir(&self.path);
        }
    }
}

/// Prepares an existing folder for a recording.
fn take_over(path: &Path, force: bool) -> Result<(), Failure> {
    let shown = path.display();
    if !path.is_dir() {
        return Err(Failure::new(format!("{shown}: exists and is not a folder")));
    }
    let data = std::fs::metadata(path).map_err(|error| Failure::file("read", path, &error))?;
    // SAFETY: the call takes no pointers and always succeeds.
    if data.uid() != unsafe { libc::geteuid() } {
        return Err(Failure::new(format!("{shown}: belongs to another user; name another folder")));
    }
    let mut entries = std::fs::read_dir(path).map_err(|error| Failure::file("read", path, &error))?;
    if entries.next().is_none() {
        return Ok(());
    }
    match (folder::traces_in(path), force) {
        (Ok(traces), true) if traces.iter().any(|trace| lock::state(trace) == lock::State::Runs) => {
            Err(Failure::new(format!("{shown}: a program still records into it; name another folder")))
        }
        (Ok(traces), true) => {
            // A trace behind a link lies elsewhere, and is another run's.
            if let Some(link) = traces.iter().find_map(|trace| link_to(trace, path)) {
                let line = format!("{}: is a link to a trace, which --force does not remove", link.display());
                return Err(Failure::new(line + "; name another folder"));
            }
            // Traces inside of others first, so that the others' folders are empty in the end.
            traces.iter().rev().try_for_each(|trace| remove(trace, path))
        }
        (Ok(_), false) => Err(Failure::new(format!("{shown}: holds a trace already; --force replaces it"))),
        (Err(_), _) => {
            Err(Failure::new(format!("{shown}: exists and holds other files than a trace; name another folder")))
        }
    }
}

/// The link in a trace's path: the folder `root` itself, or one below.
fn link_to<'a>(trace: &'a Path, root: &Path) -> Option<&'a Path> {
    let inside = trace.ancestors().take_while(|folder| folder.starts_with(root));
    // A slash at the end would stand for what the link leads to.
    inside.map(|folder| folder.components().as_path()).filter(|folder| folder.is_symlink()).last()
}

/// Removes one trace's files, and its folder unless that is `keep` or holds something else.
fn remove(trace: &Path, keep: &Path) -> Result<(), Failure> {
    // The file that identifies a trace goes last. An interrupted removal thus leaves a folder that still counts as a
    // trace.
    let files = folder::files_of_trace(trace).map_err(|error| Failure::new(error.to_string()))?;
    for file in files {
        match std::fs::remove_file(&file) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Failure::file("remove", &file, &error));
            }
            _ => {}
        }
    }
    if trace != keep {
        let _ = std::fs::remove_dir(trace);
    }
    Ok(())
}
