//! The checker's findings, and where they are written: as text when the run ends, or for `ferromp check` as one line of
//! JSON at once. With JSON, a program that hangs or is killed leaves its findings behind.

use crate::rules::{Blame, Rule};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::Write;

/// The exit status of a program that breaks the specification, or whose runtime does.
pub const STATUS: i32 = 87;
/// How many findings are written out as text.
const LINES: usize = 20;
/// How many of one rule, so that one rule does not hide the others.
const LINES_OF_ONE_RULE: usize = 5;

/// A broken rule.
pub struct Finding<'a> {
    pub rule: Rule,
    /// The thread that broke it, if it was one.
    pub thread: Option<usize>,
    pub text: &'a str,
    /// Places in the program, each with what happened there.
    pub places: &'a [(String, usize)],
    /// The event that broke it, and the thread's events before.
    pub event: String,
    pub before: Vec<String>,
    /// Whether the program may hang from here on: the finding is written at once.
    pub urgent: bool,
}

/// The findings so far.
pub struct Report {
    ignored: Vec<String>,
    file: Option<OsString>,
    json: bool,
    /// Whether runtimes must keep more than the specification's rules.
    strict: bool,
    lines: Vec<String>,
    count_of_rule: HashMap<Rule, u64>,
    /// Places at which a fault of the program was reported.
    reported: HashSet<(Rule, Vec<usize>)>,
    /// Addresses that lie in no mapping which was written down are looked up again.
    modules: Vec<(usize, usize)>,
}

impl Report {
    /// An empty report, as the environment wants it: `FERROMP_CHECKER_IGNORE` (rules, separated by commas),
    /// `FERROMP_CHECKER_OUT` (a file), `FERROMP_CHECKER_FORMAT` (`json`, else text),
    /// `FERROMP_CHECKER_STRICT` (`no` for the specification alone).
    pub fn new() -> Report {
        let ignored = std::env::var("FERROMP_CHECKER_IGNORE").unwrap_or_default();
        Report {
            ignored: ignored.split(',').map(|rule| rule.trim().to_owned()).collect(),
            file: std::env::var_os("FERROMP_CHECKER_OUT"),
            json: std::env::var_os("FERROMP_CHECKER_FORMAT").is_some_and(|format| format == "json"),
            strict: std::env::var_os("FERROMP_CHECKER_STRICT").is_none_or(|strict| strict != "no"),
            lines: Vec::new(),
            count_of_rule: HashMap::new(),
            reported: HashSet::new(),
            modules: Vec::new(),
        }
    }

    /// A run begins: the program's, or that of a forked child, which owes a report of its own.
    pub fn begin(&mut self, runtime: &str) {
        self.lines.clear();
        self.count_of_rule.clear();
        self.reported.clear();
        self.modules.clear();
        if self.json {
            let program = std::env::current_exe().unwrap_or_default();
            self.put(&json!({ "type": "start", "pid": std::process::id(), "program": program, "runtime": runtime }));
        }
    }

    /// Notes that a rule was broken.
    pub fn add(&mut self, finding: &Finding<'_>) {
        let rule = finding.rule;
        let lenient = rule.blame() == Blame::Strict && !self.strict;
        if lenient || self.ignored.iter().any(|ignored| ignored == rule.id()) {
            return;
        }
        let count = self.count_of_rule.entry(rule).or_default();
        *count += 1;
        let count = *count;
        if matches!(rule.blame(), Blame::Program | Blame::Advice) {
            let places = finding.places.iter().map(|(_, address)| *address).collect();
            if !self.reported.insert((rule, places)) {
                return;
            }
        }
        if count > LINES_OF_ONE_RULE as u64 {
            return;
        }
        if self.json {
            self.put_finding(finding);
        } else {
            self.keep_lines(finding);
        }
    }

    /// What every thread waits for at the moment; shown if the program is killed.
    pub fn waiting(&mut self, threads: &[(String, usize)]) {
        if self.json {
            self.put_modules(threads);
            let threads: Vec<Value> = threads.iter().map(|(what, at)| json!({ "what": what, "address": at })).collect();
            self.put(&json!({ "type": "waiting", "pid": std::process::id(), "threads": threads }));
        }
    }

    fn put_finding(&mut self, finding: &Finding<'_>) {
        self.put_modules(finding.places);
        let places: Vec<Value> =
            finding.places.iter().map(|(what, at)| json!({ "what": what, "address": at })).collect();
        self.put(&json!({
            "type": "finding",
            "pid": std::process::id(),
            "rule": finding.rule.id(),
            "section": finding.rule.section(),
            "blame": finding.rule.blame().word(),
            "urgent": finding.urgent,
            "thread": finding.thread,
            "text": finding.text,
            "places": places,
            "event": finding.event,
            "before": finding.before,
        }));
    }

    /// The executable mappings, unless all of the places lie in those that were written already.
    fn put_modules(&mut self, places: &[(String, usize)]) {
        let known =
            |address: usize| address == 0 || self.modules.iter().any(|(start, end)| (*start..*end).contains(&address));
        if !self.modules.is_empty() && places.iter().all(|(_, address)| known(*address)) {
            return;
        }
        let maps = std::fs::read("/proc/self/maps").unwrap_or_default();
        let maps = String::from_utf8_lossy(&maps);
        let executable = |line: &&str| line.split(' ').nth(1).is_some_and(|permissions| permissions.contains('x'));
        let lines: Vec<&str> = maps.lines().filter(executable).collect();
        let hex = |text: &str| usize::from_str_radix(text, 16).ok();
        let range = |line: &&str| {
            let (start, end) = line.split_once(' ')?.0.split_once('-')?;
            Some((hex(start)?, hex(end)?))
        };
        self.modules = lines.iter().filter_map(range).collect();
        self.put(&json!({ "type": "maps", "pid": std::process::id(), "lines": lines }));
    }

    /// Appends a line to the file in one call, so that lines of several processes do not mix.
    fn put(&self, line: &Value) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// Writes to the file, else to stderr. A failure of both can be neither mended nor reported.
    fn write(&self, text: &[u8]) {
        let open = |path| OpenOptions::new().create(true).append(true).open(path).ok();
        let _ = match self.file.as_ref().and_then(open) {
            Some(mut file) => file.write_all(text),
            None => std::io::stderr().write_all(text),
        };
    }

    fn keep_lines(&mut self, finding: &Finding<'_>) {
        let word = match finding.rule.blame() {
            Blame::Runtime | Blame::Strict => "violation",
            Blame::Program => "error",
            // Advice does not decide whether the run passed, so it is not among the counts.
            Blame::Advice => return,
        };
        let (rule, section) = (finding.rule.id(), finding.rule.section());
        let thread = finding.thread.map(|thread| format!("thread {thread}: ")).unwrap_or_default();
        let mut text = format!("ferromp-checker: {word}: {rule}: {thread}{} [{section}]\n", finding.text);
        for (what, address) in finding.places {
            text.push_str(&format!("ferromp-checker:   {what}: {address:#x}\n"));
        }
        if !finding.event.is_empty() {
            text.push_str(&format!("ferromp-checker:   by {}\n", finding.event));
        }
        for event in finding.before.iter().rev() {
            text.push_str(&format!("ferromp-checker:   after {event}\n"));
        }
        if finding.urgent {
            self.write(text.as_bytes());
        } else if self.lines.len() < LINES {
            self.lines.push(text);
        }
    }

    /// How many broken rules make the run fail.
    fn failures(&self) -> u64 {
        self.count_of_rule.iter().filter(|(rule, _)| rule.blame() != Blame::Advice).map(|(_, count)| count).sum()
    }

    /// Ends the run. As text: writes the findings and the closing line, and ends the process with [`STATUS`] if the run
    /// failed. The text is appended to the file named by `FERROMP_CHECKER_OUT`, where a forked child writes as well, or
    /// goes to stderr. As JSON: writes a line with the counts, and the reader decides.
    pub fn close(&mut self, events: u64) {
        let failures = self.failures();
        if self.json {
            let rules: HashMap<&str, u64> =
                self.count_of_rule.iter().map(|(rule, count)| (rule.id(), *count)).collect();
            return self.put(&json!({ "type": "end", "pid": std::process::id(), "events": events, "rules": rules }));
        }
        let text = format!("{}ferromp-checker: {events} events, {failures} violations\n", self.lines.concat());
        self.write(text.as_bytes());
        if failures > 0 {
            // SAFETY: flushes the program's own output, which `_exit` would lose; null means all.
            unsafe { libc::fflush(std::ptr::null_mut()) };
            // SAFETY: ends the process; no destructor runs.
            unsafe { libc::_exit(STATUS) };
        }
    }
}
