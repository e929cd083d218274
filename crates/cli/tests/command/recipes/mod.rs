//! `docs/recipes.md`: the files and commands of each recipe, carried out. A recipe about a system that a test cannot
//! have, such as Slurm, has a stand-in for the system's commands; the page says so.

mod actions;
mod build_systems;
mod container;
mod gdb_mi;
mod jupyter;
mod pod;
mod slurm;

use crate::common;
use crate::page::{Block, Ground, blocks, commands, docs};

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Does with a lock what `ferromp check` finds wrong.
const WRONG: &str = "#include <omp.h>\nint main(void) {\n omp_lock_t lock;\n omp_init_lock(&lock);\n \
                     omp_set_lock(&lock);\n omp_destroy_lock(&lock);\n return 0;\n}\n";

/// A recipe of the page, and the folder in which it is followed.
struct Recipe {
    ground: Ground,
    blocks: Vec<Block>,
}

impl Recipe {
    /// The recipe with this title, in a folder that has the program's source and the recipe's files.
    fn new(title: &str) -> Recipe {
        let page = std::fs::read_to_string(docs().join("recipes.md")).unwrap();
        let (_, rest) = page.split_once(&format!("\n## {title}\n")).unwrap_or_else(|| panic!("no recipe {title}"));
        let section = rest.split("\n## ").next().unwrap();
        let recipe = Recipe { ground: Ground::new(), blocks: blocks(section) };
        std::fs::copy(docs().join("../demo/heat.c"), recipe.ground.folder().join("heat.c")).unwrap();
        for block in &recipe.blocks {
            if let Some(file) = &block.file {
                recipe.write(file, &block.text);
            }
        }
        recipe
    }

    /// Writes a file of the recipe.
    fn write(&self, name: &str, text: &str) {
        let path = self.ground.folder().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }

    /// Puts a shell script under a command's name in front of the path.
    fn stand_in(&self, name: &str, script: &str) {
        self.write(&format!("bin/{name}"), &format!("#!/bin/sh\n{script}"));
        let path = self.ground.folder().join("bin").join(name);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// The text of a file of the recipe.
    fn file(&self, name: &str) -> &str {
        let block = self.blocks.iter().find(|block| block.file.as_deref() == Some(name));
        &block.unwrap_or_else(|| panic!("the recipe has no file {name}")).text
    }

    /// The commands of the recipe with the output that the page shows.
    fn commands(&self) -> Vec<(String, String)> {
        let console = self.blocks.iter().filter(|block| block.language == "console");
        console.flat_map(|block| commands(&block.text)).map(|(line, shown)| (line.to_owned(), shown)).collect()
    }

    /// Runs the commands, which all succeed. Returns what each of them said.
    fn follow(&mut self) -> Vec<String> {
        let commands = self.commands();
        assert!(!commands.is_empty(), "the recipe has commands");
        commands
            .into_iter()
            .map(|(line, shown)| {
                let said = self.ground.run(&line);
                for part in shown.lines().filter(|part| *part != "…") {
                    let begin = part.split('…').next().unwrap();
                    assert!(said.lines().any(|line| line.starts_with(begin)), "{line}: {part} in {said}");
                }
                said
            })
            .collect()
    }

    /// Builds the program as the page's first block says.
    fn build(&mut self) {
        let page = std::fs::read_to_string(docs().join("recipes.md")).unwrap();
        let first = blocks(&page).into_iter().next().unwrap();
        assert_eq!(first.language, "sh");
        self.ground.run(first.text.trim());
    }
}

/// What a YAML text says, read by Python's parser; none, with a line that says so, if Python has none.
fn yaml(text: &str) -> Option<Value> {
    let read = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout, default=str)";
    let mut python = common::command(python().to_str()?);
    let done = python.args(["-c", read]).write_stdin(text).output().ok();
    match done.filter(|done| done.status.success()) {
        Some(done) => Some(serde_json::from_slice(&done.stdout).unwrap()),
        None => {
            eprintln!("skipped: Python has no parser for YAML: cargo xtask setup");
            None
        }
    }
}

/// The Python of the tests.
fn python() -> PathBuf {
    let beside = docs().join("../target/python/bin/python");
    std::env::var_os("FERROMP_TEST_PYTHON").map_or(beside, PathBuf::from)
}

/// Whether a command can be started. Says that the test is skipped if not.
fn has(name: &str) -> bool {
    let there = Command::new(name).arg("--version").output().is_ok_and(|done| done.status.success());
    if !there {
        eprintln!("skipped: there is no {name}");
    }
    there
}

/// Each recipe is in the page's list, and the other way round. The pages that it leads to are there.
#[test]
fn the_list_of_recipes_and_the_links_are_complete() {
    let page = std::fs::read_to_string(docs().join("recipes.md")).unwrap();
    let titles: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let listed: Vec<(&str, &str)> =
        page.lines().filter_map(|line| line.strip_prefix("- [")?.strip_suffix(')')?.split_once("](#")).collect();
    assert_eq!(titles, listed.iter().map(|(title, _)| *title).collect::<Vec<_>>());
    for (title, anchor) in listed {
        let kept = title.to_lowercase().replace(' ', "-");
        let kept: String = kept.chars().filter(|letter| letter.is_alphanumeric() || *letter == '-').collect();
        assert_eq!(kept, anchor);
    }
    let links = page.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    for link in links.filter(|link| !link.starts_with('#') && !link.starts_with("http")) {
        assert!(docs().join(link.split('#').next().unwrap()).exists(), "{link}");
    }
}
