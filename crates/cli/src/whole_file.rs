//! Files that appear only when they are complete.

use std::fs::Permissions;
use std::io::{BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::failure::Failure;
use crate::unfinished::Unfinished;

/// Lets `fill` write the file `path`. An existing file is replaced only with `force`.
///
/// The file gets its name only when it is complete. Until then it has an unguessable name, so no other user can place a
/// link there. A signal that ends the command removes it.
pub fn write<T>(
    path: &Path,
    force: bool,
    fill: impl FnOnce(&mut dyn Write) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if path.exists() && !force {
        return Err(Failure::new(format!("{}: exists already; --force replaces it", path.display())));
    }
    let refused = |error: std::io::Error| Failure::file("write", path, &error);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    let mut partial = tempfile::Builder::new();
    partial.prefix(&name).suffix(".partial").permissions(Permissions::from_mode(0o666));
    let made = Unfinished::make(|| partial.tempfile_in(folder), |partial| partial.path());
    let (unfinished, partial) = made.map_err(refused)?;
    let mut out = BufWriter::new(partial.as_file());
    let filled = fill(&mut out)?;
    out.flush().map_err(refused)?;
    drop(out);
    partial.persist(path).map_err(|error| refused(error.error))?;
    drop(unfinished);
    Ok(filled)
}
