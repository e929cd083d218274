//! Pages of `docs` whose fenced blocks a test carries out: commands are run, and files are written.

use crate::common;

use std::path::{Path, PathBuf};
use std::time::Duration;

/// No command of a page takes longer.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A fenced block of a page.
pub struct Block {
    /// The first word behind the fence.
    pub language: String,
    /// The word behind the language: the file that the block is the text of.
    pub file: Option<String>,
    /// Line in the page.
    pub line: usize,
    /// What stands between the fences.
    pub text: String,
}

/// The folder of the pages.
pub fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").canonicalize().unwrap()
}

/// The blocks of a page, in their order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut is_open = false;
    for (line, text) in (1..).zip(page.lines()) {
        match text.strip_prefix("```") {
            Some(words) if !is_open => {
                let mut words = words.split(' ').map(str::to_owned);
                let language = words.next().unwrap_or_default();
                blocks.push(Block { language, file: words.next(), line, text: String::new() });
                is_open = true;
            }
            Some(_) => is_open = false,
            None if is_open => {
                let block = blocks.last_mut().unwrap();
                block.text = format!("{}{text}\n", block.text);
            }
            None => {}
        }
    }
    blocks
}

/// The commands of a block, each with the output that the block shows.
pub fn commands(text: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("the block begins with output: {line}"),
        }
    }
    commands
}

/// The folder in which the commands of a page run, with the variables that they have exported.
pub struct Ground {
    folder: tempfile::TempDir,
    prefix: PathBuf,
    environment: Vec<(String, String)>,
}

impl Ground {
    /// An empty folder on the built prefix, with `ferromp` in the path. Programs in the folder `bin` come before it.
    pub fn new() -> Ground {
        Ground { folder: tempfile::tempdir().unwrap(), prefix: common::prefix(), environment: Vec::new() }
    }

    /// Where the commands run.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sets a variable for the commands that follow.
    pub fn export(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Runs a line of shell. Returns the exit status and what it says on both streams.
    pub fn status(&mut self, line: &str) -> (Option<i32>, String) {
        if let Some(setting) = line.strip_prefix("export ") {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            self.export(name, value);
            return (Some(0), String::new());
        }
        self.shell(&["sh", "-c", line])
    }

    /// Runs a command with the ground's environment, as [`Ground::status`] does.
    pub fn shell(&self, words: &[&str]) -> (Option<i32>, String) {
        let ferromp = assert_cmd::cargo::cargo_bin("ferromp");
        let own = self.folder().join("bin");
        let beside = ferromp.parent().unwrap();
        let path = format!("{}:{}:{}", own.display(), beside.display(), std::env::var("PATH").unwrap());
        let mut command = common::command(words[0]);
        command.args(&words[1..]).current_dir(self.folder());
        command.env("PATH", path).env("FERROMP_PREFIX", &self.prefix).envs(self.environment.iter().cloned());
        let done = command.timeout(TIMEOUT).output().unwrap_or_else(|error| panic!("{words:?}: {error}"));
        (done.status.code(), common::text(&done.stdout) + &common::text(&done.stderr))
    }

    /// Runs a line of shell that succeeds. Returns what it says on both streams.
    pub fn run(&mut self, line: &str) -> String {
        let (status, said) = self.status(line);
        assert_eq!(status, Some(0), "{line}: {said}");
        said
    }
}
