//! Folders that appear only when they are complete.

use std::path::Path;

use crate::failure::Failure;
use crate::unfinished::Unfinished;

/// Lets `fill` make the files of the folder `path`. An existing folder is replaced only with `force`, and only if
/// `is_ours` says of it that this command has made it.
///
/// The folder gets its name only when it is complete. Until then it has an unguessable name, and a signal that ends the
/// command removes it.
pub fn write<T>(
    path: &Path,
    force: bool,
    is_ours: impl Fn(&Path) -> bool,
    fill: impl FnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let exists = path.symlink_metadata().is_ok();
    if exists && !force {
        return Err(Failure::new(format!("{}: exists already; --force replaces it", path.display())));
    }
    if exists && !(path.is_dir() && is_ours(path)) {
        let line = format!("{}: exists and is no export of this format; name another folder", path.display());
        return Err(Failure::new(line));
    }
    let refused = |error: std::io::Error| Failure::file("write", path, &error);
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name =
        path.file_name().ok_or_else(|| Failure::new("the output has no name: name a folder with -o"))?.to_owned();
    name.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&name).suffix(".partial").permissions(std::os::unix::fs::PermissionsExt::from_mode(0o777));
    let made = Unfinished::make(|| builder.tempdir_in(parent), |partial| partial.path());
    let (unfinished, partial) = made.map_err(refused)?;
    // The former folder stands aside, so that nothing of it is left among the new files.
    let (made, former) = (partial.path().join("new"), partial.path().join("former"));
    std::fs::create_dir(&made).map_err(refused)?;
    let filled = fill(&made)?;
    if exists {
        std::fs::rename(path, &former).map_err(refused)?;
    }
    if let Err(error) = std::fs::rename(&made, path) {
        // If that fails as well, there is nothing more to do.
        let _ = std::fs::rename(&former, path);
        return Err(refused(error));
    }
    drop(unfinished);
    Ok(filled)
}
