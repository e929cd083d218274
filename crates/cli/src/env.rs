//! The environment that brings ferromp's runtime, and the recorder, into a program.
//! What the user has set already is kept wherever both can hold.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use ferromp_trace::store::DIR_VARIABLE;

use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::say;

/// Variables to set for the program; all others stay as they are.
pub type Changes = Vec<(&'static str, OsString)>;

/// What puts the runtime in place.
///
/// `LD_LIBRARY_PATH` begins with ferromp's `lib`, so that `libgomp.so.1` and the like are found there.
/// `LD_PRELOAD` ends with the runtime, behind what the user preloads: it reaches programs that look elsewhere.
pub fn runtime(prefix: &Prefix) -> Result<Changes, Failure> {
    let runtime = prefix.runtime();
    if runtime.as_os_str().as_bytes().iter().any(|byte| matches!(byte, b' ' | b':' | b'\t' | b'\n')) {
        let line = format!("{}: the loader cannot preload a path with a space or a colon", runtime.display());
        return Err(Failure::new(format!("{line}; move the installation")));
    }
    Ok(vec![
        ("LD_LIBRARY_PATH", front(prefix.lib().as_os_str(), std::env::var_os("LD_LIBRARY_PATH"))),
        ("LD_PRELOAD", back(runtime.as_os_str(), std::env::var_os("LD_PRELOAD"))),
    ])
}

/// What makes the runtime load the recorder; `folder` is where it writes, in the recorder's own spelling.
///
/// Only one OMPT tool can be active, so the recorder goes before the user's tools, and a line says so.
pub fn recorder(prefix: &Prefix, folder: String) -> Result<Changes, Failure> {
    let recorder = prefix.recorder()?;
    let others = std::env::var_os("OMP_TOOL_LIBRARIES").filter(|value| !value.is_empty());
    if let Some(others) = &others {
        let others = Path::new(others).display();
        say::note(format_args!("OMP_TOOL_LIBRARIES={others}: only one OMPT tool can be active; the recorder goes first"));
    }
    if std::env::var_os("OMP_TOOL").is_some_and(|value| value == "disabled") {
        say::note("OMP_TOOL=disabled would keep the recorder out; set to enabled for this run");
    }
    Ok(vec![
        ("OMP_TOOL", "enabled".into()),
        ("OMP_TOOL_LIBRARIES", front(recorder.as_os_str(), others)),
        (DIR_VARIABLE, folder.into()),
    ])
}

/// `item` before the other items of a list separated by colons, and only there.
fn front(item: &OsStr, list: Option<OsString>) -> OsString {
    let mut result = item.to_owned();
    for other in items(list.as_deref(), item, b":") {
        result.push(":");
        result.push(other);
    }
    result
}

/// `item` behind the other items of a list separated by colons or spaces, and only there.
fn back(item: &OsStr, list: Option<OsString>) -> OsString {
    let mut result = OsString::new();
    for other in items(list.as_deref(), item, b": ") {
        result.push(other);
        result.push(":");
    }
    result.push(item);
    result
}

/// The items of a list but one. An empty item, which means the current folder in `LD_LIBRARY_PATH`, is kept out:
/// it appears by accident far more often than on purpose.
fn items<'a>(list: Option<&'a OsStr>, but: &'a OsStr, separators: &'static [u8]) -> impl Iterator<Item = &'a OsStr> {
    let bytes = list.map_or(&[][..], OsStr::as_bytes);
    bytes.split(|byte| separators.contains(byte)).map(OsStr::from_bytes).filter(move |item| !item.is_empty() && *item != but)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(how: fn(&OsStr, Option<OsString>) -> OsString, list: Option<&str>) -> String {
        how(OsStr::new("/f/x.so"), list.map(OsString::from)).into_string().unwrap()
    }

    #[test]
    fn what_the_user_set_is_kept() {
        assert_eq!(joined(front, None), "/f/x.so");
        assert_eq!(joined(front, Some("/a:/b")), "/f/x.so:/a:/b");
        assert_eq!(joined(back, None), "/f/x.so");
        assert_eq!(joined(back, Some("libasan.so liby.so:z")), "libasan.so:liby.so:z:/f/x.so");
    }

    #[test]
    fn a_run_inside_a_run_adds_nothing() {
        assert_eq!(joined(front, Some("/f/x.so:/a")), "/f/x.so:/a");
        assert_eq!(joined(back, Some("/a:/f/x.so")), "/a:/f/x.so");
    }
}
