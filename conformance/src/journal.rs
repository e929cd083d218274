//! Reads the output of the tool `tools/journal.c`: every event of a run, in the order in which the events happened. The
//! tool's source describes the words of the lines.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::compile::Compiler;
use crate::tools::{self, Workshop};

/// The compilers whose entry points a test uses.
pub const COMPILERS: [Compiler; 2] = [Compiler::Clang, Compiler::Gcc];

/// Ways to wait: while the CPUs suffice, always spinning, never spinning.
pub const WAITS: [&[(&str, &str)]; 3] = [&[], &[("OMP_WAIT_POLICY", "active")], &[("OMP_WAIT_POLICY", "passive")]];

/// One line of the journal.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Place in the order of all lines.
    pub index: usize,
    /// The tool's number of the thread that spoke, -1 for one without `thread_begin`.
    pub thread: i32,
    /// The event, without `ompt_callback_`, or `mark`, `task`, `region`, ….
    pub event: String,
    values: BTreeMap<String, String>,
}

impl Entry {
    /// Whether the line has such a key.
    pub fn has(&self, key: &str) -> bool {
        self.values.contains_key(key)
    }

    /// A value as it is written.
    ///
    /// # Panics
    /// If the line has no such key.
    pub fn text(&self, key: &str) -> &str {
        self.values.get(key).unwrap_or_else(|| panic!("no `{key}` in {self:?}"))
    }

    /// A value as a number; `null` and `(nil)` are 0.
    ///
    /// # Panics
    /// If there is no such key, or it is no number.
    pub fn number(&self, key: &str) -> u64 {
        let text = self.text(key);
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None if text == "null" || text == "(nil)" => Some(0),
            None => text.parse().ok(),
        };
        number.unwrap_or_else(|| panic!("`{key}` is no number in {self:?}"))
    }

    /// A value as it is written, if the line has the key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// Whether it is this event, with all these values.
    pub fn is(&self, event: &str, values: &[(&str, &str)]) -> bool {
        self.event == event
            && values.iter().all(|(key, value)| self.values.get(*key).is_some_and(|found| found == value))
    }
}

/// The events of one run.
#[derive(Debug)]
pub struct Journal {
    pub entries: Vec<Entry>,
    program: PathBuf,
    source: PathBuf,
}

impl Journal {
    /// Runs `tools/<name>.c` with the journal tool preloaded. The program must succeed.
    ///
    /// # Panics
    /// If it does not.
    pub fn of(workshop: &Workshop, name: &str, compiler: Compiler, threads: u32, settings: &[(&str, &str)]) -> Journal {
        Self::ending(workshop, name, compiler, threads, settings, 0)
    }

    /// As [`of`](Self::of), for a program that ends with this status.
    ///
    /// # Panics
    /// If it does not.
    pub fn ending(
        workshop: &Workshop,
        name: &str,
        compiler: Compiler,
        threads: u32,
        settings: &[(&str, &str)],
        status: i32,
    ) -> Journal {
        let source = tools::sources().join(format!("{name}.c"));
        let count = threads.to_string();
        let settings = [&[("OMP_NUM_THREADS", count.as_str())], settings].concat();
        Journal::written(workshop, workshop.program(name, compiler, &[]), source, &settings, status)
    }

    /// Runs a compiled program, whose source is this, with the journal tool preloaded. It must succeed.
    ///
    /// # Panics
    /// If it does not.
    pub fn of_program(workshop: &Workshop, program: PathBuf, source: PathBuf, settings: &[(&str, &str)]) -> Journal {
        Journal::written(workshop, program, source, settings, 0)
    }

    fn written(
        workshop: &Workshop,
        program: PathBuf,
        source: PathBuf,
        settings: &[(&str, &str)],
        status: i32,
    ) -> Journal {
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let name = program.display();
        let file =
            workshop.scratch.join(format!("journal-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed)));
        let mut run = workshop.command(&program).preload(&workshop.tool("journal", &[])).env("JOURNAL", &file);
        for (name, value) in settings {
            run = run.env(name, value);
        }
        let outcome = run.finish_with(status);
        let text = std::fs::read_to_string(&file)
            .unwrap_or_else(|why| panic!("{name} left no journal: {why}\n--- stderr\n{}", outcome.stderr));
        std::fs::remove_file(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        let entries = text.lines().enumerate().map(|(index, line)| parse(index, line)).collect();
        Journal { entries, program, source }
    }

    /// Every line of an event that has all these values.
    pub fn all(&self, event: &str, values: &[(&str, &str)]) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| entry.is(event, values)).collect()
    }

    /// The only such line.
    ///
    /// # Panics
    /// If there is none or there are more.
    pub fn one(&self, event: &str, values: &[(&str, &str)]) -> &Entry {
        let found = self.all(event, values);
        assert!(found.len() == 1, "{} lines `{event}` with {values:?}, not one\n{}", found.len(), self.listing());
        found[0]
    }

    /// The value of the program's only mark of this name.
    ///
    /// # Panics
    /// If there is none or there are more.
    pub fn marked(&self, name: &str) -> u64 {
        self.one("mark", &[("name", name)]).number("value")
    }

    /// The lines between two marks of the program.
    ///
    /// # Panics
    /// If a mark is missing.
    pub fn between(&self, from: &str, to: &str) -> &[Entry] {
        let (from, to) = (self.one("mark", &[("name", from)]).index, self.one("mark", &[("name", to)]).index);
        &self.entries[from..to]
    }

    /// All of it, for a message.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for entry in self.entries.iter().take(400) {
            write!(text, "{:4} {} {}", entry.index, entry.thread, entry.event).expect("a string grows");
            for (key, value) in &entry.values {
                write!(text, " {key}={value}").expect("a string grows");
            }
            text.push('\n');
        }
        text
    }

    /// Whether a code address lies in the program itself.
    pub fn in_program(&self, code: &str) -> bool {
        let name = self.program.file_name().unwrap_or_default().to_string_lossy();
        code.rsplit_once('+').is_some_and(|(file, _)| file == name)
    }

    /// The source line of the call that returns to a code address in the program.
    ///
    /// # Panics
    /// If it lies elsewhere, or addr2line fails.
    pub fn source_line(&self, code: &str) -> usize {
        let offset = self.offset(code);
        let out = Command::new("addr2line")
            .arg("-e")
            .arg(&self.program)
            .arg(format!("{:x}", offset - 1))
            .output()
            .unwrap_or_else(|why| panic!("addr2line: {why}"));
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let line = text.trim().rsplit_once(':').and_then(|(_, rest)| rest.split_whitespace().next()?.parse().ok());
        line.unwrap_or_else(|| panic!("addr2line knows no line of {code}: {text}"))
    }

    /// What addr2line says of these code addresses, in their order: file and line of the call that returns there; line
    /// 0 where the compiler has given none.
    ///
    /// # Panics
    /// If one lies elsewhere, or addr2line fails.
    pub fn source_lines(&self, codes: &[&str]) -> Vec<(PathBuf, usize)> {
        if codes.is_empty() {
            return Vec::new();
        }
        let addresses = codes.iter().map(|code| format!("{:x}", self.offset(code) - 1));
        let out = Command::new("addr2line").arg("-e").arg(&self.program).args(addresses).output();
        let text = out
            .map(|out| String::from_utf8_lossy(&out.stdout).into_owned())
            .unwrap_or_else(|why| panic!("addr2line: {why}"));
        let line = |line: &str| {
            let (file, rest) = line.rsplit_once(':')?;
            let number = rest.split_whitespace().next()?;
            Some((PathBuf::from(file), if number == "?" { 0 } else { number.parse().ok()? }))
        };
        let found: Option<Vec<_>> = text.lines().map(line).collect();
        found
            .filter(|found| found.len() == codes.len())
            .unwrap_or_else(|| panic!("addr2line does not know all of {codes:?}: {text}"))
    }

    /// The function that was called just before a code address in the program, that is, the call that a return address
    /// follows.
    ///
    /// # Panics
    /// If no direct call ends there, or objdump fails.
    pub fn callee(&self, code: &str) -> String {
        // The length of a direct call.
        const CALL: u64 = 5;
        let offset = self.offset(code);
        let out = Command::new("objdump")
            .args(["-d", "--no-show-raw-insn"])
            .args([format!("--start-address={}", offset - CALL), format!("--stop-address={offset}")])
            .arg(&self.program)
            .output()
            .unwrap_or_else(|why| panic!("objdump: {why}"));
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let called =
            text.lines().last().and_then(|line| line.split_once("call")?.1.split_once('<')?.1.split(['@', '>']).next());
        called.unwrap_or_else(|| panic!("no call before {code}: {text}")).to_owned()
    }

    /// The offset in the program's file of a code address.
    fn offset(&self, code: &str) -> u64 {
        assert!(self.in_program(code), "{code} is not in the program\n{}", self.listing());
        let offset = code.rsplit_once("+0x").and_then(|(_, digits)| u64::from_str_radix(digits, 16).ok());
        offset.unwrap_or_else(|| panic!("{code} has no offset"))
    }

    /// The source line that ends with the comment `// <tag>`.
    ///
    /// # Panics
    /// If there is none.
    pub fn tagged_line(&self, tag: &str) -> usize {
        let text =
            std::fs::read_to_string(&self.source).unwrap_or_else(|why| panic!("{}: {why}", self.source.display()));
        let found = text.lines().position(|line| line.ends_with(&format!("// {tag}")));
        found.unwrap_or_else(|| panic!("no line of {} ends with `// {tag}`", self.source.display())) + 1
    }
}

fn parse(index: usize, line: &str) -> Entry {
    let mut words = line.split(' ');
    let thread = words.next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no journal line: {line}"));
    let event = words.next().unwrap_or_default().to_owned();
    let values =
        words.filter_map(|word| word.split_once('=')).map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    Entry { index, thread, event, values }
}
