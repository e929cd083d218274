//! `cargo xtask scale`: the runtime's protocols on simulated machines of up to 192 cores (`docs/scale-model.md`).

use crate::sh::{self, Result, cargo};

/// The page whose last part is written by a run without options.
const PAGE: &str = "docs/scale-model.md";
/// The heading of that part.
const RESULTS: &str = "\n## Results\n";

/// Plays what `options` name and prints the tables; without options, everything, and writes the tables to the page.
pub fn scale(options: &[String]) -> Result {
    // The runtime's atomics are simulated ones in this build, so it has a target folder of its own.
    let player = cargo(["run", "--quiet", "--release", "--package", "ferromp-scale", "--"])
        .args(options)
        .env("RUSTFLAGS", "--cfg simulated")
        .env("CARGO_TARGET_DIR", sh::target().join("simulated"));
    if !options.is_empty() {
        return player.check();
    }
    let path = sh::root().join(PAGE);
    let page = std::fs::read_to_string(&path).map_err(|why| format!("{PAGE}: {why}"))?;
    let (written, _) = page.split_once(RESULTS).ok_or_else(|| format!("{PAGE} has no heading `{}`", RESULTS.trim()))?;
    let tables = player.read()?;
    sh::write(&path, format!("{written}{RESULTS}\n{}\n", tables.trim()).as_bytes())?;
    eprintln!("wrote {PAGE}");
    Ok(())
}

/// The tests of what the simulation shows.
pub fn tests() -> Result {
    cargo(["test", "--quiet", "--release", "--package", "ferromp-scale"])
        .env("RUSTFLAGS", "--cfg simulated")
        .env("CARGO_TARGET_DIR", sh::target().join("simulated"))
        .check()
}
