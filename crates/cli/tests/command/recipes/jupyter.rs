//! `%%ferromp` in a notebook: the cells of the recipe in a kernel, then cells that fail.

use super::{Recipe, python};
use crate::{common, page};

use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;

/// Uses OpenMP, and then fails in its last line.
const FAILING: &str = "%%ferromp --no-html -o kept
import numpy
from sklearn.cluster import KMeans
KMeans(2, n_init=1).fit(numpy.eye(300))
print(unknown)";

/// Imports a module of the notebook's folder, and leaves a process behind that has the cell's pipes.
const BACKGROUND: &str = "%%ferromp --no-html --quiet --output 100%
import subprocess, beside, numpy
from sklearn.cluster import KMeans
KMeans(2, n_init=1).fit(numpy.eye(300))
print(beside.word)
left = subprocess.Popen(['sleep', '300'])
open('left', 'w').write(str(left.pid))
print('last é')";

/// Lays out the package of the wheel: the template's files beside a prefix with the command of this build.
fn package(site: &Path) {
    let template = page::docs().join("../packaging/wheel/ferromp");
    let to = site.join("ferromp");
    std::fs::create_dir_all(to.join("prefix/bin")).unwrap();
    for file in std::fs::read_dir(template).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_some_and(|kind| kind == "py") {
            std::fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
        }
    }
    symlink(assert_cmd::cargo::cargo_bin("ferromp"), to.join("prefix/bin/ferromp")).unwrap();
}

/// The outputs of the cells, a list each. None, with a line, if Python has no kernel for notebooks.
fn run(folder: &Path, cells: &[String]) -> Option<Vec<Vec<Value>>> {
    let python = python();
    let mut probe = common::command(python.to_str().unwrap());
    let has_kernel = probe.args(["-c", "import nbclient, ipykernel"]).output().is_ok_and(|done| done.status.success());
    if !has_kernel {
        eprintln!("skipped: Python has no nbclient or no ipykernel: cargo xtask setup");
        return None;
    }
    let site = folder.join("site");
    package(&site);
    let mut command = common::command(python.to_str().unwrap());
    command.arg(page::docs().join("../crates/cli/tests/command/recipes/notebook.py")).arg(folder);
    command.env("PYTHONPATH", &site).env("HOME", folder).env("OMP_NUM_THREADS", "2");
    command.env("FERROMP_PREFIX", common::prefix()).write_stdin(serde_json::to_string(cells).unwrap());
    let done = command.timeout(std::time::Duration::from_secs(150)).output().unwrap();
    assert!(done.status.success(), "{}", common::text(&done.stderr));
    Some(serde_json::from_slice(&done.stdout).unwrap())
}

/// What a cell wrote to a stream.
fn stream(outputs: &[Value], name: &str) -> String {
    let texts = outputs.iter().filter(|output| output["output_type"] == "stream" && output["name"] == name);
    texts.map(|output| output["text"].as_str().unwrap()).collect()
}

/// The line of a cell's error, with its kind.
fn error(outputs: &[Value]) -> Option<(&str, &str)> {
    let error = outputs.iter().find(|output| output["output_type"] == "error")?;
    Some((error["ename"].as_str()?, error["evalue"].as_str()?))
}

/// The page that a cell shows.
fn frame(outputs: &[Value]) -> Option<&str> {
    outputs.iter().find_map(|output| output["data"]["text/html"].as_str())
}

#[test]
fn a_cell_is_traced_and_its_report_shown() {
    let recipe = Recipe::new("Jupyter");
    let folder = recipe.ground.folder();
    let mut cells: Vec<String> =
        recipe.blocks.iter().filter(|block| block.language == "python").map(|block| block.text.clone()).collect();
    let shown = cells.len();
    cells.extend([
        FAILING.to_owned(),
        "%%ferromp --no-html -o kept\nprint(1)".to_owned(),
        "%%ferromp --sample\n1".to_owned(),
        "%%ferromp --height tall\n1".to_owned(),
        "%%ferromp --no-html\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)".to_owned(),
        "%%ferromp --help\n1".to_owned(),
        BACKGROUND.to_owned(),
        "import os, signal; os.kill(int(open('left').read()), signal.SIGTERM)".to_owned(),
        "%%ferromp -o run-%p\n1".to_owned(),
    ]);
    std::fs::write(folder.join("beside.py"), "word = 'of the folder'").unwrap();
    let Some(outputs) = run(folder, &cells) else { return };
    let [loaded, traced, ..] = &outputs[..] else { panic!("the recipe has two cells") };
    assert_eq!(loaded, &Vec::<Value>::new());
    assert_eq!(error(traced), None, "{traced:?}");
    let said = stream(traced, "stdout");
    assert!(said.starts_with("inertia ") && said.contains("Parallel regions (%"), "{said}");
    let page = frame(traced).expect("a page is shown");
    assert!(page.starts_with("<iframe sandbox=\"allow-scripts\" style=") && page.len() > 50_000, "{}", page.len());
    assert!(page.contains("srcdoc=\"&lt;!doctype html&gt;") && !page.contains("<script"), "the page is quoted");

    let [raised, taken, misspelt, wrong, killed, help, background, ended, placeholder] = &outputs[shown..] else {
        panic!("nine further cells")
    };
    // The traceback has the line of the cell; the trace is kept.
    let (said, why) = (stream(raised, "stderr"), error(raised));
    assert!(said.contains("cell.py\", line 5, in <module>") && said.contains("NameError"), "{said}");
    assert_eq!(why, Some(("CellFailed", "the cell's process ended with status 1")));
    assert!(frame(raised).is_none() && folder.join("kept").is_dir());
    let said = stream(taken, "stderr");
    assert!(said.starts_with("ferromp: ") && said.contains("kept") && stream(taken, "stdout").is_empty(), "{taken:?}");
    assert!(stream(misspelt, "stderr").starts_with("ferromp: unexpected argument '--sample'"), "{misspelt:?}");
    assert_eq!(error(misspelt), Some(("CellFailed", "the cell's process ended with status 125")));
    let why = "%%ferromp: argument --height: invalid int value: 'tall'";
    assert_eq!(error(wrong), Some(("CellFailed", why)));
    let why = error(killed).map(|(_, why)| why.to_owned()).unwrap_or_default();
    assert!(why.contains("signal 9") || why.contains("137"), "{killed:?}");
    assert!(error(help).is_none() && stream(help, "stdout").contains("--no-html"), "{help:?}");
    // The cell ends long before what it left in the background.
    let said = stream(background, "stdout");
    assert!(error(background).is_none() && said.starts_with("of the folder\nlast é\n"), "{background:?}");
    assert!(folder.join("100%").is_dir());
    assert_eq!(error(ended), None, "the process in the background is still there");
    let why = "%%ferromp: run-%p: the folder's name can have no placeholders such as %p";
    assert_eq!(error(placeholder), Some(("CellFailed", why)));
}
