//! `cargo xtask clients`: the clients that are too large for each test run, PyTorch and more threads under
//! scikit-learn's own tests. Each must give on ferromp what it gives on the libgomp in its wheel; the result is written
//! to `docs/clients.md`.

use crate::sh::{self, Result, cmd};
use crate::{dist, setup};
use std::path::Path;

/// The modules of scikit-learn whose tests use OpenMP.
const SCIKIT_LEARN: [&str; 3] =
    ["cluster/tests", "ensemble/_hist_gradient_boosting/tests", "metrics/tests/test_pairwise_distances_reduction.py"];

/// Runs all of them and writes what came out. An error names those that failed.
pub fn clients() -> Result {
    setup::system(&[&setup::DEMO, &setup::TESTS])?;
    let (python, torch) = (setup::python()?, setup::torch()?);
    let prefix = sh::root().join("dist");
    dist::build(&prefix, false)?;
    let ferromp = prefix.join("bin/ferromp");

    let mut rows = Vec::new();
    for threads in [1, 2, 8] {
        sh::step(&format!("PyTorch at {threads} threads"));
        rows.push(row("PyTorch, `conformance/clients/torch_cpu.py`", threads, same_output(&ferromp, &torch, threads)));
    }
    for threads in [2, 8] {
        sh::step(&format!("scikit-learn's own tests at {threads} threads"));
        rows.push(row("scikit-learn's own tests of three modules", threads, own_tests(&ferromp, &python, threads)));
    }
    let mut page = String::from(
        "# Large clients\n\nThe last run of `cargo xtask clients`: programs from PyPI on ferromp that are too large for each test run.\n\n| client | threads | result |\n| --- | ---: | --- |\n",
    );
    let failed = rows.iter().filter(|(_, passed)| !passed).count();
    for (line, _) in &rows {
        page.push_str(line);
    }
    let versions = cmd(&torch)
        .args([
            "-c",
            "import torch, platform; print('PyTorch', torch.__version__ + ', Python', platform.python_version())",
        ])
        .read()?;
    page.push_str(&format!("\n{}; scikit-learn {}.\n", versions.trim(), setup::version("scikit-learn")));
    let docs = sh::root().join("docs");
    std::fs::create_dir_all(&docs).map_err(|why| format!("{}: {why}", docs.display()))?;
    sh::write(&docs.join("clients.md"), page.as_bytes())?;
    print!("{page}");
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} clients failed", rows.len())) }
}

/// A line of the table, and whether the client passed.
fn row(client: &str, threads: u32, result: Result<String>) -> (String, bool) {
    let passed = result.is_ok();
    let (Ok(text) | Err(text)) = result;
    (format!("| {client} | {threads} | {} |\n", text.replace('\n', " ").replace('|', "/")), passed)
}

/// PyTorch's script prints the same with and without ferromp.
fn same_output(ferromp: &Path, python: &Path, threads: u32) -> Result<String> {
    let script = sh::root().join("conformance/clients/torch_cpu.py");
    let number = threads.to_string();
    let expected = cmd(python).arg(&script).env("OMP_NUM_THREADS", &number).read()?;
    let ours = cmd(ferromp).args(["run", "--"]).arg(python).arg(&script).env("OMP_NUM_THREADS", &number).read()?;
    if expected == ours {
        Ok(format!("the same {} lines as on its own libgomp", expected.lines().count()))
    } else {
        Err(format!("differs: {expected:?} on its own libgomp, {ours:?} on ferromp"))
    }
}

/// scikit-learn's tests pass on ferromp; the result is pytest's own last line.
fn own_tests(ferromp: &Path, python: &Path, threads: u32) -> Result<String> {
    let home = cmd(python).args(["-c", "import sklearn, os; print(os.path.dirname(sklearn.__file__))"]).read()?;
    let modules = SCIKIT_LEARN.map(|module| Path::new(home.trim()).join(module));
    let output = cmd(ferromp)
        .args(["run", "--"])
        .arg(python)
        .args(["-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "--disable-warnings"])
        .args(modules)
        .env("OMP_NUM_THREADS", threads.to_string())
        .read()?;
    Ok(output.lines().last().unwrap_or_default().to_string())
}
