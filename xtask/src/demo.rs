//! Two real programs, traced: Debian's `gm`, which gcc built years ago, and a heat-equation solver that clang builds
//! now. Nothing of either is changed; the demo shows what a user sees after `ferromp trace`.

use crate::sh::{self, Result, cmd};
use crate::{dist, setup};
use std::path::Path;

/// Sets up, builds, traces both programs, and names the folders and what to type next.
pub fn demo() -> Result {
    setup::system(&[&setup::DEMO])?;
    let prefix = sh::root().join("dist");
    dist::build(&prefix, false)?;
    let ferromp = prefix.join("bin/ferromp");

    let work = sh::target().join("demo");
    sh::make_dir(&work)?;
    let (gm_trace, heat_trace) = (work.join("trace-gm"), work.join("trace-heat"));
    for old in [&gm_trace, &heat_trace] {
        if old.exists() {
            std::fs::remove_dir_all(old).map_err(|e| format!("{}: {e}", old.display()))?;
        }
    }

    sh::step("gm (built by gcc, from Debian) makes an image and blurs it, on ferromp");
    let (image, blurred) = (work.join("plasma.ppm"), work.join("blurred.ppm"));
    cmd("gm").args(["convert", "-size", "1600x1200", "plasma:tomato-steelblue"]).arg(&image).check()?;
    trace(&ferromp, &gm_trace).arg("gm").arg("convert").arg(&image).args(["-blur", "0x6"]).arg(&blurred).check()?;

    sh::step("heat (built by clang now) solves the heat equation, on ferromp");
    let heat = work.join("heat");
    build_heat(&heat)?;
    trace(&ferromp, &heat_trace).arg(&heat).check()?;

    println!("\nThe traces:\n  {}\n  {}", gm_trace.display(), heat_trace.display());
    println!("Type next, and open the file in https://ui.perfetto.dev:");
    println!("  {} export {} --to perfetto", ferromp.display(), heat_trace.display());
    println!("Or trace a program of your own:\n  {} trace -- ./app", ferromp.display());
    Ok(())
}

/// Builds the heat solver with debug information, so that the report has files and lines.
pub fn build_heat(to: &Path) -> Result {
    cmd("clang-19").args(["-O2", "-g", "-fopenmp", "demo/heat.c", "-lm", "-o"]).arg(to).check()
}

fn trace(ferromp: &Path, folder: &Path) -> sh::Cmd {
    cmd(ferromp).arg("trace").arg("-o").arg(folder).arg("--")
}
