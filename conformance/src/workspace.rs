//! Where the repository is, and what names the folder of the runtime.

use std::path::Path;

/// Name of the variable that chooses the runtime.
pub const CHOICE: &str = "FERROMP_CORPUS_RUNTIME";

/// The root of the repository.
pub fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap_or(package)
}
