//! `cargo xtask header`: compiles sources of tools that lie elsewhere against our `omp-tools.h` in place of the
//! compilers' header. The report says for each source whether it compiles. `docs/tools.md` lists the tools that were
//! tried.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::sh::{self, Result};

/// The header's name.
const NAME: &str = "omp-tools.h";

/// Compiles each source, with the options behind `--`, by gcc and by clang; an error if one does not compile, or has
/// taken another header than ours.
pub fn header(words: &[String]) -> Result {
    let (sources, options) = match words.iter().position(|word| word == "--") {
        Some(place) => (&words[..place], &words[place + 1..]),
        None => (words, &[][..]),
    };
    if sources.is_empty() {
        return Err("usage: cargo xtask header SOURCE... [-- COMPILER OPTIONS]".into());
    }
    let mut failed = 0;
    for source in sources {
        let source = sh::absolute(&PathBuf::from(source));
        for compiler in compilers(&source) {
            match compile(compiler, &source, options) {
                Ok(()) => println!("{compiler}: {}: compiles", source.display()),
                Err(why) => {
                    failed += 1;
                    println!("{compiler}: {}: {why}", source.display());
                }
            }
        }
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} did not compile")) }
}

fn compilers(source: &Path) -> [&'static str; 2] {
    match source.extension().and_then(|extension| extension.to_str()) {
        Some("c") => ["gcc", "clang-19"],
        _ => ["g++", "clang++-19"],
    }
}

/// The options come from the user, and name files relative to the user's folder.
fn compile(compiler: &str, source: &Path, options: &[String]) -> Result {
    let include = sh::root().join("crates/ompt/include");
    let mut command = Command::new(compiler);
    // -H names every header that is read.
    command.args(["-H", "-fsyntax-only", "-fopenmp", "-I"]).arg(&include).args(options).arg(source);
    let output = command.output().map_err(|why| format!("{compiler}: {why}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let error = said.lines().find(|line| line.contains("error")).unwrap_or("it does not compile");
        return Err(error.to_owned());
    }
    let read: Vec<&str> = said.lines().filter(|line| line.starts_with('.') && line.ends_with(NAME)).collect();
    let ours = include.join(NAME).display().to_string();
    match read.iter().find(|line| !line.ends_with(&ours)) {
        Some(other) => Err(format!("it brings its own: {}", other.trim_start_matches(['.', ' ']))),
        None if read.is_empty() => Err(format!("it does not include {NAME}")),
        None => Ok(()),
    }
}
