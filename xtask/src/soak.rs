//! `cargo xtask soak`: the corpus in random order under random settings (`conformance/src/soak.rs`), on the library in
//! `dist/`. Without options this is the long soak, whose result is written to `docs/soak.md`.

use crate::sh::{self, Result, cargo};

/// The soak that is one of the tests.
const SHORT: [&str; 2] = ["--minutes", "1"];

/// The soak that is one of the tests.
pub fn short() -> Result {
    run(&SHORT.map(str::to_owned)).1
}

/// The soak with these options. Without options, its last line goes to `docs/soak.md`.
pub fn soak(options: &[String]) -> Result {
    let (summary, result) = run(options);
    if options.is_empty() && !summary.is_empty() {
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let page = format!(
            "# Soak\n\nThe last run of `cargo xtask soak`: 20 minutes on {cpus} CPUs. The soak runs programs of the corpus in random \
             order, each\nwith a random number of threads and random settings.\n\n```\n{summary}\n```\n"
        );
        sh::make_dir(&sh::root().join("docs"))?;
        sh::write(&sh::root().join("docs/soak.md"), page.as_bytes())?;
    }
    result
}

/// Runs the soak. Returns its summary, which is the last line that it prints, and whether it passed.
fn run(options: &[String]) -> (String, Result) {
    if let Err(why) = cargo(["build", "--quiet", "--package", "ferromp-checker"]).check() {
        return (String::new(), Err(why));
    }
    let keep = sh::target().join("soak");
    let mut summary = String::new();
    let result = cargo(["run", "--quiet", "--package", "ferromp-conformance", "--bin", "soak", "--", "--keep"])
        .arg(keep)
        .args(options)
        .each_line(|line| summary = line.to_owned());
    (summary, result)
}
