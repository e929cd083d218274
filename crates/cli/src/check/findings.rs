//! The checker's output: one line of JSON a finding, process by process.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use ferromp_trace::store::Modules;
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

use crate::failure::Failure;

/// The checker's name for a place on the way to the place of a finding.
const CALLED: &str = "called from";

/// A place in the program, and what happened there.
pub struct Place {
    pub what: String,
    pub address: u64,
}

/// A broken rule.
pub struct Finding {
    pub rule: String,
    pub section: String,
    pub blame: String,
    pub urgent: bool,
    pub thread: Option<u64>,
    pub text: String,
    pub places: Vec<Place>,
    pub event: String,
    pub before: Vec<String>,
}

/// One process that was checked.
pub struct Process {
    pub pid: u64,
    pub program: String,
    pub runtime: String,
    /// The number of its events; none if the process did not reach its end.
    pub events: Option<u64>,
    /// How often each rule was broken.
    pub counts: BTreeMap<String, u64>,
    pub findings: Vec<Finding>,
    /// What each thread waited for when the program was stuck.
    pub waiting: Vec<Place>,
    symbols: RefCell<Symbolizer>,
}

/// All processes, in the order in which they started.
#[derive(Default)]
pub struct Findings {
    pub processes: Vec<Process>,
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn places(value: &Value) -> Vec<Place> {
    let one = |place: &Value| Place { what: text(place, "what"), address: place["address"].as_u64().unwrap_or(0) };
    value.as_array().into_iter().flatten().map(one).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

impl Findings {
    /// Reads the checker's file. An incomplete line, left by a process that was killed, is ignored.
    pub fn read(path: &Path) -> Result<Findings, Failure> {
        let content = std::fs::read(path).map_err(|error| Failure::file("read", path, &error))?;
        let mut findings = Findings::default();
        for line in String::from_utf8_lossy(&content).lines() {
            if let Ok(value) = serde_json::from_str::<Value>(line) {
                findings.add(&value);
            }
        }
        Ok(findings)
    }

    fn add(&mut self, value: &Value) {
        let pid = value["pid"].as_u64().unwrap_or(0);
        let kind = value["type"].as_str().unwrap_or_default();
        let known = self.processes.iter().rposition(|process| process.pid == pid);
        // A process that executes another program starts again under the same number.
        let index = match known {
            Some(index) if kind != "start" => index,
            _ => {
                self.processes.push(Process::new(pid, value));
                self.processes.len() - 1
            }
        };
        self.processes[index].add(kind, value);
    }

    /// Whether the checker ran in no process.
    pub fn is_empty(&self) -> bool {
        self.processes.is_empty()
    }

    /// Whether there is a finding other than advice.
    pub fn failed(&self) -> bool {
        self.processes.iter().flat_map(|process| &process.findings).any(|finding| finding.blame != "advice")
    }

    /// The report for scripts.
    pub fn document(&self) -> Value {
        let processes: Vec<Value> = self.processes.iter().map(Process::document).collect();
        json!({ "failed": self.failed(), "processes": processes })
    }
}

impl Process {
    fn new(pid: u64, start: &Value) -> Process {
        Process {
            pid,
            program: text(start, "program"),
            runtime: text(start, "runtime"),
            events: None,
            counts: BTreeMap::new(),
            findings: Vec::new(),
            waiting: Vec::new(),
            symbols: RefCell::new(Symbolizer::new(&Modules::default())),
        }
    }

    fn add(&mut self, kind: &str, value: &Value) {
        match kind {
            "maps" => {
                *self.symbols.get_mut() = Symbolizer::new(&Modules::of_maps(&strings(&value["lines"]).join("\n")))
            }
            "waiting" => self.waiting = places(&value["threads"]),
            "finding" => self.findings.push(self.finding(value)),
            "end" => {
                self.events = value["events"].as_u64();
                let rules = value["rules"].as_object().into_iter().flatten();
                self.counts = rules.map(|(rule, count)| (rule.clone(), count.as_u64().unwrap_or(0))).collect();
            }
            _ => {}
        }
    }

    fn finding(&self, value: &Value) -> Finding {
        let mut places = places(&value["places"]);
        places.retain(|place| place.what != CALLED || !self.starts_the_program(place.address));
        Finding {
            rule: text(value, "rule"),
            section: text(value, "section"),
            blame: text(value, "blame"),
            urgent: value["urgent"].as_bool().unwrap_or(false),
            thread: value["thread"].as_u64(),
            text: text(value, "text"),
            places,
            event: text(value, "event"),
            before: strings(&value["before"]),
        }
    }

    /// Whether an address lies in the code that starts every program and thread.
    fn starts_the_program(&self, address: u64) -> bool {
        let location = self.symbols.borrow_mut().locate(address);
        let library = location.module.as_deref().and_then(|module| module.rsplit('/').next());
        location.function.as_deref() == Some("_start") || library.is_some_and(|name| name.starts_with("libc.so"))
    }

    /// A place by function, file and line.
    pub fn locate(&self, address: u64) -> String {
        self.symbols.borrow_mut().locate(address).long()
    }

    /// An event, with the place of its code address.
    pub fn event(&self, event: &str) -> String {
        let Some((before, address)) = event.split_once("codeptr_ra=0x") else { return event.to_owned() };
        let address = u64::from_str_radix(address.trim_end_matches(')'), 16).unwrap_or(0);
        if address == 0 { event.to_owned() } else { format!("{before}codeptr_ra={})", self.locate(address)) }
    }

    fn document(&self) -> Value {
        let places = |places: &[Place]| -> Vec<Value> {
            let one = |place: &Place| {
                let location = self.symbols.borrow_mut().locate(place.address);
                json!({
                    "what": place.what,
                    "name": location.long(),
                    "address": format!("{:#x}", place.address),
                    "function": location.function,
                    "file": location.file,
                    "line": location.line,
                    "module": location.module,
                })
            };
            places.iter().map(one).collect()
        };
        let finding = |finding: &Finding| {
            json!({
                "rule": finding.rule,
                "section": finding.section,
                "blame": finding.blame,
                "thread": finding.thread,
                "text": finding.text,
                "places": places(&finding.places),
                "event": self.event(&finding.event),
                "before": finding.before.iter().map(|event| self.event(event)).collect::<Vec<_>>(),
            })
        };
        json!({
            "pid": self.pid,
            "program": self.program,
            "runtime": self.runtime,
            "events": self.events,
            "rules": self.counts,
            "findings": self.findings.iter().map(finding).collect::<Vec<_>>(),
            "waiting": places(&self.waiting),
        })
    }
}
