//! The findings as text: first what is wrong in the program, then in the runtime, then advice.

use std::fmt::Write;

use ferromp_trace::escape::line;

use super::findings::{Finding, Findings, Place, Process};

/// The kinds of blame, with their headings.
const PARTS: [(&str, &str); 4] = [
    ("program", "In the program:"),
    ("runtime", "In the OpenMP runtime, whose events break the specification (sections of OpenMP 5.1):"),
    ("strict", "In the OpenMP runtime, which keeps to the specification and not to what ferromp promises beyond it:"),
    ("advice", "Worth knowing:"),
];

/// The last line. Without it, silence could be taken for the absence of data races.
const NOT_LOOKED_FOR: &str = "ferromp: not looked for: data races; Archer finds them in a program built with -fsanitize=thread \
    (ferromp run --tool libarcher.so)";

/// The report at the end. `killed` names the signal that killed the program.
pub fn report(program: &str, findings: &Findings, killed: Option<&str>) -> String {
    let mut text = String::new();
    let events: u64 = findings.processes.iter().filter_map(|process| process.events).sum();
    let found = findings.processes.iter().flat_map(|process| &process.findings);
    let count = found.filter(|finding| finding.blame != "advice").count();
    let ending = match killed {
        Some(signal) => format!("was killed by signal {signal}"),
        None => format!("{events} events were checked"),
    };
    let verdict = match count {
        0 => "nothing is wrong with them".to_owned(),
        1 => "1 thing is wrong".to_owned(),
        _ => format!("{count} things are wrong"),
    };
    let verdict = if killed.is_some() && count == 0 { "nothing wrong was found before".to_owned() } else { verdict };
    let _ = writeln!(text, "ferromp: {}: {ending}, {verdict}", line(program));
    for process in &findings.processes {
        of_process(&mut text, process, findings.processes.len() > 1, killed.is_some());
    }
    let _ = writeln!(text, "{NOT_LOOKED_FOR}");
    text
}

fn of_process(text: &mut String, process: &Process, named: bool, killed: bool) {
    if process.findings.is_empty() && (!killed || process.waiting.is_empty()) {
        return;
    }
    if named {
        let _ = writeln!(text, "\nprocess {}, {}", process.pid, line(&process.program));
    }
    for (blame, heading) in PARTS {
        let found: Vec<&Finding> = process.findings.iter().filter(|finding| finding.blame == blame).collect();
        if !found.is_empty() {
            let _ = writeln!(text, "\n{heading}");
        }
        for finding in found {
            let _ = write!(text, "{}", one(process, finding));
        }
    }
    more(text, process);
    if killed && process.events.is_none() && !process.waiting.is_empty() {
        let _ = writeln!(text, "\nNothing happened any more before it was killed:");
        of_places(text, process, &process.waiting);
    }
}

/// The rules that were broken more often than the report shows.
fn more(text: &mut String, process: &Process) {
    let shown = |rule: &str| process.findings.iter().filter(|finding| finding.rule == rule).count() as u64;
    let hidden = process
        .counts
        .iter()
        .filter(|(rule, count)| **count > shown(rule))
        .map(|(rule, count)| (rule, count - shown(rule)));
    let hidden: Vec<String> = hidden.map(|(rule, count)| format!("{} {count}", line(rule))).collect();
    if !hidden.is_empty() {
        let _ = writeln!(text, "\nNot shown, times more: {}", hidden.join(", "));
    }
}

/// A finding with its places. A finding about the runtime also has the event and the events before it. Names come from
/// the program, so their control characters are escaped.
fn one(process: &Process, finding: &Finding) -> String {
    let mut text = String::new();
    if !matches!(finding.blame.as_str(), "runtime" | "strict") {
        let _ = writeln!(text, "  {} [{}]", line(&finding.text), line(&finding.rule));
        of_places(&mut text, process, &finding.places);
        return text;
    }
    let thread = finding.thread.map(|thread| format!("thread {thread}: ")).unwrap_or_default();
    let (said, rule, section) = (line(&finding.text), line(&finding.rule), line(&finding.section));
    let _ = writeln!(text, "  {thread}{said} [{rule}, {section}]");
    let _ = writeln!(text, "    by    {}", line(&process.event(&finding.event)));
    for event in finding.before.iter().rev() {
        let _ = writeln!(text, "    after {}", line(&process.event(event)));
    }
    text
}

fn of_places(text: &mut String, process: &Process, places: &[Place]) {
    let width = places.iter().map(|place| line(&place.what).chars().count()).max().unwrap_or(0);
    for Place { what, address } in places {
        let _ = writeln!(text, "    {:width$}  {}", line(what), line(&process.locate(*address)));
    }
}

/// The findings that make the program hang, in the order in which they were found.
pub fn urgent(findings: &Findings) -> Vec<String> {
    let of = |process: &Process| -> Vec<String> {
        let urgent = process.findings.iter().filter(|finding| finding.urgent);
        urgent.map(|finding| format!("ferromp: while the program runs:\n{}", one(process, finding))).collect()
    };
    findings.processes.iter().flat_map(of).collect()
}
