//! Tests of CMake and Meson under `ferromp check`: they pass, and fail if the program does something wrong.

use super::{Recipe, WRONG, python};

use std::os::unix::fs::symlink;
use std::process::Command;

/// The recipe with the build system's commands in front of the path: Python's packages of them, if they are installed,
/// otherwise the system's. None, with a line, if there is none, or an older version than the recipe needs.
fn with(title: &str, commands: &[&str], least: (u32, u32)) -> Option<Recipe> {
    let recipe = Recipe::new(title);
    let own = recipe.ground.folder().join("bin");
    std::fs::create_dir(&own).unwrap();
    for name in commands {
        let packaged = python().with_file_name(name);
        if packaged.exists() {
            symlink(std::path::absolute(packaged).unwrap(), own.join(name)).unwrap();
        }
    }
    let name = commands[0];
    let packaged = own.join(name);
    let command = if packaged.exists() { packaged } else { name.into() };
    let said = Command::new(command).arg("--version").output().ok().map(|done| done.stdout).unwrap_or_default();
    let said = String::from_utf8_lossy(&said).into_owned();
    let mut numbers = said.split(|letter: char| !letter.is_ascii_digit()).filter_map(|word| word.parse::<u32>().ok());
    let version = numbers.next().zip(numbers.next());
    if version.is_some_and(|version| version >= least) {
        return Some(recipe);
    }
    let (major, minor) = least;
    eprintln!("skipped: there is no {name} {major}.{minor} or later: cargo xtask setup");
    None
}

/// Follows the recipe, then once more with a program that is wrong: the last command has another status.
fn passes_and_fails(recipe: &mut Recipe, failing: &[&str]) {
    recipe.ground.export("OMP_NUM_THREADS", "2");
    recipe.follow();
    recipe.write("heat.c", WRONG);
    let commands = recipe.commands();
    let (last, builds) = commands.split_last().unwrap();
    for (build, _) in builds.iter().filter(|(line, _)| !line.contains(" setup ")) {
        recipe.ground.run(build);
    }
    let (status, said) = recipe.ground.status(&last.0);
    assert!(status.is_some_and(|status| status != 0), "{said}");
    for part in failing {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn tests_of_cmake_fail_if_the_checker_finds_something() {
    let Some(mut recipe) = with("Tests of CMake", &["cmake", "ctest"], (3, 29)) else { return };
    passes_and_fails(&mut recipe, &["heat-check", "0% tests passed, 2 tests failed out of 2", "heat.c:6"]);
}

#[test]
fn tests_of_meson_fail_if_the_checker_finds_something() {
    let Some(mut recipe) = with("Tests of Meson", &["meson", "ninja"], (0, 60)) else { return };
    passes_and_fails(&mut recipe, &["exit status 87"]);
}
