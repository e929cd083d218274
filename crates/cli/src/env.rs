//! The environment that brings ferromp's runtime, and the recorder, into a program. The user's own settings are kept
//! wherever both can hold.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ferromp_trace::store::DIR_VARIABLE;

use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::say;

/// Variables to set for the program; all others stay as they are.
pub type Changes = Vec<(&'static str, OsString)>;

/// The variables that load the runtime.
///
/// `LD_LIBRARY_PATH` begins with ferromp's `lib`, so that `libgomp.so.1` and the like are found there. `LD_PRELOAD`
/// ends with the runtime, after the user's own preloads, and reaches programs that look elsewhere.
pub fn runtime(prefix: &Prefix) -> Result<Changes, Failure> {
    let runtime = prefix.runtime();
    if runtime.as_os_str().as_bytes().iter().any(|byte| matches!(byte, b' ' | b':' | b'\t' | b'\n')) {
        let line = format!("{}: the loader cannot preload a path with a space or a colon", runtime.display());
        return Err(Failure::new(format!("{line}; move the installation")));
    }
    Ok(vec![
        ("LD_LIBRARY_PATH", front(prefix.lib().as_os_str(), std::env::var_os("LD_LIBRARY_PATH"))),
        ("LD_PRELOAD", back(runtime.as_os_str(), std::env::var_os("LD_PRELOAD"), b": ")),
    ])
}

/// Adds the library that shows MPI calls to the recorder, behind the user's own preloads and before the runtime.
pub fn mpi(prefix: &Prefix, changes: &mut Changes) -> Result<(), Failure> {
    let library = prefix.mpi()?;
    let runtime = prefix.runtime();
    for (_, list) in changes.iter_mut().filter(|(name, _)| *name == "LD_PRELOAD") {
        let user = items(Some(list), runtime.as_os_str(), b": ").fold(OsString::new(), |mut user, item| {
            user.push(item);
            user.push(":");
            user
        });
        *list = back(runtime.as_os_str(), Some(back(library.as_os_str(), Some(user), b": ")), b": ");
    }
    Ok(())
}

/// The variable that makes the runtime load the tools of `--tool`, after those of the user's `FERROMP_TOOLS`. All of
/// these tools are active at once. Nothing if no tool is named.
pub fn tools(named: &[OsString]) -> Result<Changes, Failure> {
    let list = further_tools(named)?;
    Ok(list.filter(|_| !named.is_empty()).map_or_else(Vec::new, |list| enabled(list, "the tools")))
}

/// The variables that make the runtime load the recorder, after the tools of `--tool`. In this order the recorder does
/// not measure the callbacks of the other tools. `folder` is the recorder's output, in its own spelling.
pub fn recorder(prefix: &Prefix, named: &[OsString], folder: String) -> Result<Changes, Failure> {
    let recorder = prefix.recorder()?;
    let list = back(recorder.as_os_str(), further_tools(named)?, b":");
    let mut changes = enabled(list, "the recorder");
    changes.push((DIR_VARIABLE, folder.into()));
    Ok(changes)
}

/// The variable that names tools, all of which are to be active.
const TOOLS: &str = "FERROMP_TOOLS";

/// The user's list, followed by the tools of `--tool`.
fn further_tools(named: &[OsString]) -> Result<Option<OsString>, Failure> {
    let list = std::env::var_os(TOOLS);
    named.iter().try_fold(list, |list, name| Ok(Some(back(&tool(name)?, list, b":"))))
}

fn enabled(list: OsString, what: &str) -> Changes {
    if std::env::var_os("OMP_TOOL").is_some_and(|value| value.eq_ignore_ascii_case("disabled")) {
        say::note(format_args!("OMP_TOOL=disabled would keep {what} out; set to enabled for this run"));
    }
    vec![("OMP_TOOL", "enabled".into()), (TOOLS, list)]
}

/// A tool's name for the runtime. A name with a slash is a file that must exist; it becomes absolute, because the
/// program may change its folder. Without a slash the loader searches for the name, in ferromp's `lib` first.
fn tool(name: &OsStr) -> Result<OsString, Failure> {
    let path = Path::new(name);
    if name.is_empty() || name.as_bytes().contains(&b':') {
        return Err(Failure::new(format!(
            "--tool '{}': the name of a tool is not empty and has no colon",
            path.display()
        )));
    }
    if !name.as_bytes().contains(&b'/') {
        return Ok(name.to_owned());
    }
    let file = std::path::absolute(path).map_err(|error| Failure::file("find", path, &error))?;
    let data = std::fs::metadata(&file).map_err(|error| Failure::file("find", path, &error))?;
    if !data.is_file() {
        return Err(Failure::new(format!("{}: is no file, and so no tool", path.display())));
    }
    Ok(file.into_os_string())
}

/// The variables that make ferromp load the checker, after the tools of `--tool`; see [`checker_alone`] for the rest.
pub fn checker(prefix: &Prefix, named: &[OsString], report: &Path, ignored: &[String]) -> Result<Changes, Failure> {
    let checker = prefix.checker()?;
    let list = back(checker.as_os_str(), further_tools(named)?, b":");
    Ok([enabled(list, "the checker"), checkers_own(report, ignored)].concat())
}

/// The variables that make any runtime with OMPT load the checker. The checker appends to `report` and leaves out the
/// rules in `ignore`. Such a runtime has one tool only, so the checker takes the place of the user's tool, and a line
/// says so.
pub fn checker_alone(prefix: &Prefix, report: &Path, ignored: &[String]) -> Result<Changes, Failure> {
    let checker = prefix.checker()?;
    let others = std::env::var_os("OMP_TOOL_LIBRARIES").filter(|value| !value.is_empty());
    if let Some(others) = &others {
        let others = Path::new(others).display();
        say::note(format_args!(
            "OMP_TOOL_LIBRARIES={others}: only one OMPT tool can be active; the checker goes first"
        ));
    }
    let first = front(checker.as_os_str(), others);
    let lenient = ("FERROMP_CHECKER_STRICT", "no".into());
    let load = vec![("OMP_TOOL", "enabled".into()), ("OMP_TOOL_LIBRARIES", first), lenient];
    Ok([load, checkers_own(report, ignored)].concat())
}

fn checkers_own(report: &Path, ignored: &[String]) -> Changes {
    vec![
        ("FERROMP_CHECKER_OUT", report.into()),
        ("FERROMP_CHECKER_FORMAT", "json".into()),
        ("FERROMP_CHECKER_IGNORE", ignored.join(",").into()),
        ("FERROMP_CHECKER_WATCH", QUIET.to_string().into()),
    ]
}

/// Milliseconds without an event after which the checker looks whether the program is stuck.
const QUIET: u32 = 1500;

/// Puts `item` first in a list separated by colons, and removes it elsewhere.
fn front(item: &OsStr, list: Option<OsString>) -> OsString {
    let mut result = item.to_owned();
    for other in items(list.as_deref(), item, b":") {
        result.push(":");
        result.push(other);
    }
    result
}

/// Puts `item` last in a list, after a colon, and removes it elsewhere. `separators` divide the list.
fn back(item: &OsStr, list: Option<OsString>, separators: &'static [u8]) -> OsString {
    let mut result = OsString::new();
    for other in items(list.as_deref(), item, separators) {
        result.push(other);
        result.push(":");
    }
    result.push(item);
    result
}

/// The items of a list without `item`. An empty item is left out too: in `LD_LIBRARY_PATH` it means the current folder,
/// and is usually there by accident.
fn items<'a>(list: Option<&'a OsStr>, but: &'a OsStr, separators: &'static [u8]) -> impl Iterator<Item = &'a OsStr> {
    let bytes = list.map_or(&[][..], OsStr::as_bytes);
    bytes
        .split(|byte| separators.contains(byte))
        .map(OsStr::from_bytes)
        .filter(move |item| !item.is_empty() && *item != but)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: &str = "/f/x.so";

    fn before(list: Option<&str>) -> String {
        front(OsStr::new(ITEM), list.map(OsString::from)).into_string().unwrap()
    }

    fn behind(list: Option<&str>, separators: &'static [u8]) -> String {
        back(OsStr::new(ITEM), list.map(OsString::from), separators).into_string().unwrap()
    }

    #[test]
    fn what_the_user_set_is_kept() {
        assert_eq!(before(None), "/f/x.so");
        assert_eq!(before(Some("/a:/b")), "/f/x.so:/a:/b");
        assert_eq!(behind(None, b": "), "/f/x.so");
        assert_eq!(behind(Some("libasan.so liby.so:z"), b": "), "libasan.so:liby.so:z:/f/x.so");
        assert_eq!(behind(Some("/a b/t.so:u.so"), b":"), "/a b/t.so:u.so:/f/x.so");
    }

    #[test]
    fn a_run_inside_a_run_adds_nothing() {
        assert_eq!(before(Some("/f/x.so:/a")), "/f/x.so:/a");
        assert_eq!(behind(Some("/a:/f/x.so"), b":"), "/a:/f/x.so");
    }

    #[test]
    fn tools_are_files_or_names_for_the_loader() {
        assert_eq!(tool(OsStr::new("libarcher.so")).ok(), Some("libarcher.so".into()));
        let here = std::path::absolute("Cargo.toml").unwrap();
        assert_eq!(tool(OsStr::new("./Cargo.toml")).ok(), Some(here.into_os_string()));
        for bad in ["", "a:b", "./absent.so", "src/"] {
            assert!(tool(OsStr::new(bad)).is_err(), "{bad}");
        }
    }
}
