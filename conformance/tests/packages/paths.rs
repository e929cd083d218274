//! Where the packages, the roots and this crate are.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of cargo's output, in which packages and roots lie.
pub fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in the target folder").to_path_buf()
}

/// The packages whose names begin and end like this.
pub fn packages(begin: &str, end: &str) -> Vec<PathBuf> {
    let folder = target().join("packages");
    let list =
        fs::read_dir(&folder).unwrap_or_else(|why| panic!("{}: {why}; run cargo xtask package", folder.display()));
    let mut found: Vec<PathBuf> = list.map(|entry| entry.unwrap().path()).collect();
    found.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with(begin) && name.ends_with(end)
    });
    found.sort();
    found
}

/// The one package with this beginning and end.
pub fn package(begin: &str, end: &str) -> PathBuf {
    let found = packages(begin, end);
    assert_eq!(found.len(), 1, "{begin}…{end}: {found:?}; run cargo xtask package");
    found.into_iter().next().unwrap()
}

/// The folder of this crate.
pub fn conformance() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
