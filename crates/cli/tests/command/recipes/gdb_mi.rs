//! gdb's machine interface, driven as VS Code drives it: the settings of `launch.json`, then commands of the console.

use super::{Recipe, has};
use crate::common;

use serde_json::Value;

/// Where the page says that ferromp is.
const INSTALLED: &str = "/opt/ferromp-0.2.0-x86_64-linux";

/// A word as the machine interface quotes it.
fn quoted(word: &str) -> String {
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

/// What gdb writes to the console: the texts of its stream records, joined.
fn console(said: &str) -> String {
    let texts = said.lines().filter_map(|line| line.strip_prefix("~\"")?.strip_suffix('"'));
    texts.map(|text| text.replace("\\n", "\n").replace("\\t", "\t").replace("\\\"", "\"")).collect()
}

#[test]
fn ompds_commands_answer_through_the_machine_interface() {
    if !has("gdb") {
        return;
    }
    let mut recipe = Recipe::new("VS Code and other users of gdb's machine interface");
    recipe.build();
    let folder = recipe.ground.folder().to_str().unwrap().to_owned();
    let prefix = common::prefix();
    let text = recipe.file(".vscode/launch.json").replace(INSTALLED, prefix.to_str().unwrap());
    let launch: Value = serde_json::from_str(&text.replace("${workspaceFolder}", &folder)).unwrap();
    let launch = &launch["configurations"][0];
    let word = |value: &Value| value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned();
    let words = |value: &Value| value.as_array().unwrap().iter().map(word).collect::<Vec<String>>();
    assert_eq!((&launch["type"], &launch["MIMode"]), (&"cppdbg".into(), &"gdb".into()));

    let console_command = |command: &str| format!("-interpreter-exec console {}", quoted(command));
    let mut lines = vec!["-gdb-set debuginfod enabled off".to_owned()];
    lines.extend(launch["setupCommands"].as_array().unwrap().iter().map(|one| console_command(&word(&one["text"]))));
    lines.push(format!("-environment-cd {}", word(&launch["cwd"])));
    lines.push(format!("-file-exec-and-symbols {}", word(&launch["program"])));
    lines.push(format!("-exec-arguments {}", words(&launch["args"]).join(" ")));
    for one in launch["environment"].as_array().unwrap() {
        lines.push(format!("-gdb-set environment {} {}", word(&one["name"]), word(&one["value"])));
    }
    lines.push("-break-insert heat.c:40".to_owned());
    lines.push("-exec-run".to_owned());
    let typed = recipe.blocks.iter().find(|block| block.language == "text").expect("what is typed");
    let typed: Vec<&str> = typed.text.lines().map(|line| line.strip_prefix("-exec ").unwrap()).collect();
    assert_eq!(typed, ["ompd parallel", "ompd threads", "ompd bt"]);
    lines.extend(typed.into_iter().map(console_command));
    lines.push("-gdb-exit".to_owned());

    let mut gdb = common::command("gdb");
    gdb.args(["--interpreter=mi3", "-q"]).env("HOME", &folder).write_stdin(lines.join("\n") + "\n");
    let said = common::text(&gdb.timeout(std::time::Duration::from_secs(60)).output().unwrap().stdout);
    assert!(!said.lines().any(|line| line.starts_with("^error")), "{said}");
    let shown = console(&said);
    for part in [
        "region 1: parallel, 2 threads at heat.c:34 in step; its code: step._omp_fn.0, heat.c:34",
        "does     at",
        "#0  step._omp_fn.0 () at heat.c:40",
        " main (",
    ] {
        assert!(shown.contains(part), "{part}: {shown}\n{said}");
    }
}
