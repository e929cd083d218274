//! Files that are written from tables in the source: the header for tools in C, and the page about events. The
//! repository has these files, and `cargo xtask tidy` fails if one of them is out of date.

use crate::sh::{self, Result, cargo};

/// A file, and the example of a package that prints it.
struct Generated {
    file: &'static str,
    package: &'static str,
    example: &'static str,
}

const GENERATED: [Generated; 2] = [
    Generated { file: "crates/ompt/include/omp-tools.h", package: "ferromp-ompd", example: "header" },
    Generated { file: "docs/ompt-events.md", package: "ferromp-runtime", example: "answers" },
];

/// Writes every file.
pub fn generate() -> Result {
    for generated in &GENERATED {
        sh::write(&sh::root().join(generated.file), generated.text()?.as_bytes())?;
        eprintln!("wrote {}", generated.file);
    }
    Ok(())
}

/// A finding for each file that is out of date.
pub fn outdated() -> Result<Vec<String>> {
    let mut found = Vec::new();
    for generated in &GENERATED {
        // A missing file counts as out of date.
        let text = std::fs::read_to_string(sh::root().join(generated.file)).unwrap_or_default();
        if text != generated.text()? {
            found.push(format!("{}: is not current: cargo xtask generate", generated.file));
        }
    }
    Ok(found)
}

impl Generated {
    fn text(&self) -> Result<String> {
        cargo(["run", "--quiet", "--package", self.package, "--example", self.example]).read()
    }
}
