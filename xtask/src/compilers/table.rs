//! Tables and lists of names, one a line, with comments.

use crate::sh::Result;
use std::path::Path;

/// The table of what ferromp serves.
pub const SERVED: &str = "conformance/abi/served.txt";

/// The lines of a table or list that are no comments.
pub fn entries(path: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    Ok(lines.filter(|line| !line.is_empty()).map(str::to_owned).collect())
}
