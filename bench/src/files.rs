//! Files of results, in folders that need not be there yet.

use std::path::Path;

/// Writes `text` to the file at `path`; an error names the file.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|e| format!("{}: {e}", path.display()))?;
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
