//! `ferromp check`: runs a program under the checker, then reports the findings with file and line. The checker
//! compares the runtime's OMPT events with OpenMP 5.1, and follows the program's locks, barriers and tasks.

mod findings;
mod text;

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::args::{CheckArgs, CheckRuntime, Format};
use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::program::Program;
use crate::{env, launch, run, say, signals};
use findings::Findings;

/// The exit status if the runtime violates the specification or the program breaks it.
const FOUND: u8 = 87;
/// The interval at which urgent findings are read while the program runs.
const GLANCE: Duration = Duration::from_millis(200);
/// The table of rules, for their names.
const RULES: &str = include_str!("../../../../docs/check-rules.md");

/// Checks a run. The status is the program's own, unless something was found.
pub fn perform(args: &CheckArgs) -> Result<u8, Failure> {
    let prefix = Prefix::find()?;
    let program = Program::find(&args.program[0])?;
    known_rules(&args.ignore)?;
    let report = tempfile::NamedTempFile::with_prefix("ferromp-check-")
        .map_err(|error| Failure::file("write", &std::env::temp_dir(), &error))?;
    let changes = match args.runtime {
        CheckRuntime::Ferromp => {
            run::refuse_unreachable("check", &program)?;
            [env::runtime(&prefix)?, env::checker(&prefix, &args.tool, report.path(), &args.ignore)?].concat()
        }
        CheckRuntime::System if !args.tool.is_empty() => {
            return Err(Failure::new(
                "--tool: only ferromp runs several OMPT tools at once; not with --runtime system".to_owned(),
            ));
        }
        // Another runtime need not keep what ferromp promises beyond the specification.
        CheckRuntime::System => env::checker_alone(&prefix, report.path(), &args.ignore)?,
    };
    // A second signal to the process group must not end this command before it has reported the findings.
    let _patient = signals::Guard::new();
    let over = AtomicBool::new(false);
    let end = std::thread::scope(|scope| {
        // Without a thread, all findings are told at the end.
        let _ = std::thread::Builder::new().spawn_scoped(scope, || show_urgent(report.path(), &over));
        let end = launch::wait(&program, &args.program, changes);
        over.store(true, Relaxed);
        end
    })?;
    let killed = end.signal().map(signals::named);
    let findings = Findings::read(report.path())?;
    if findings.is_empty() {
        say::note(nothing_checked(args));
        return Ok(launch::status_of(end));
    }
    publish(
        args,
        &match args.format {
            Format::Text => text::report(&args.program[0].to_string_lossy(), &findings, killed.as_deref()),
            Format::Json => say::document(&findings.document()),
        },
    )?;
    Ok(if findings.failed() { FOUND } else { launch::status_of(end) })
}

/// Prints what makes the program hang while it hangs.
fn show_urgent(report: &Path, over: &AtomicBool) {
    let mut shown = 0;
    while !over.load(Relaxed) {
        std::thread::sleep(GLANCE);
        if let Ok(findings) = Findings::read(report) {
            let urgent = text::urgent(&findings);
            urgent.iter().skip(shown).for_each(|text| say::beside(text));
            shown = urgent.len();
        }
    }
}

/// Fails for a name that is not the name of a rule.
fn known_rules(names: &[String]) -> Result<(), Failure> {
    let known = |name: &String| RULES.lines().any(|line| line.starts_with(&format!("| `{name}` |")));
    match names.iter().find(|name| !known(name)) {
        Some(name) => {
            Err(Failure::new(format!("--ignore {name}: there is no such rule; ferromp check --help names the list")))
        }
        None => Ok(()),
    }
}

/// Why the checker saw nothing, as far as that shows from outside.
fn nothing_checked(args: &CheckArgs) -> String {
    let program = Path::new(&args.program[0]).display();
    match args.runtime {
        CheckRuntime::Ferromp => {
            format!(
                "{program} used no OpenMP that ferromp can see; nothing was checked (ferromp doctor {program} tells more)"
            )
        }
        CheckRuntime::System => {
            format!(
                "{program} ran on no OpenMP runtime with OMPT: libomp has it, gcc's libgomp has not; nothing was checked"
            )
        }
    }
}

/// Writes the report to the requested file, or to stderr, because stdout belongs to the program.
fn publish(args: &CheckArgs, report: &str) -> Result<(), Failure> {
    let Some(path) = &args.output else {
        say::beside(report);
        return Ok(());
    };
    let written = std::fs::File::create(path).and_then(|mut file| file.write_all(report.as_bytes()));
    written.map_err(|error| Failure::file("write", path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_known_by_name() {
        assert!(known_rules(&["deadlock".into(), "thread-begin".into()]).is_ok());
        assert!(known_rules(&["rule".into()]).is_err());
    }
}
