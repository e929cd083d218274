//! Values that several variables decide together, and values that need more than a parser. Rows of `variables.rs` call
//! these functions.

use super::parse;
use super::settings::Settings;
use super::values::{Library, Reduction, SUPPORTED_ACTIVE_LEVELS, VerboseInit, WaitPolicy};
use crate::environment::Reader;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// The constructs of a team that can be in progress at once, for `KMP_DISP_NUM_BUFFERS`.
const CONSTRUCTS_AT_ONCE: i32 = crate::protocol::ring::LENGTH as i32;

/// `OMP_MAX_ACTIVE_LEVELS`, else `OMP_NESTED`. Without both, all levels if a list has elements for several levels, else
/// one level (OpenMP 5.1 §6.8, §6.9).
pub fn max_active_levels(env: &mut Reader, settings: &Settings) -> i32 {
    let has_list = settings.num_threads.len() > 1 || settings.affinity.bind.len() > 1;
    let levels =
        env.get_for_host("OMP_MAX_ACTIVE_LEVELS", "a non-negative integer", "the default", parse::non_negative);
    let nested = env.flag("OMP_NESTED");
    if nested.is_some() {
        env.remark("OMP_NESTED", "deprecated; OMP_MAX_ACTIVE_LEVELS does the same");
    }
    env.overridden("OMP_NESTED", "OMP_MAX_ACTIVE_LEVELS");
    levels.unwrap_or(if nested.unwrap_or(has_list) { SUPPORTED_ACTIVE_LEVELS } else { 1 })
}

/// `KMP_LIBRARY`, else `OMP_WAIT_POLICY`.
pub fn wait_policy(env: &mut Reader, library: Option<Library>) -> Option<WaitPolicy> {
    let policy = env.get_for_host("OMP_WAIT_POLICY", "active or passive", "the default", parse::word);
    let by_library = match library {
        Some(Library::Turnaround) => WaitPolicy::Active,
        Some(Library::Throughput) => WaitPolicy::Passive,
        Some(Library::Serial) | None => return policy,
    };
    env.overridden("OMP_WAIT_POLICY", "KMP_LIBRARY");
    Some(by_library)
}

/// `KMP_STACKSIZE`, else `OMP_STACKSIZE`, else `GOMP_STACKSIZE`. A number without a unit counts bytes in the first
/// variable and KiB in the others, as in clang's and gcc's runtimes.
pub fn stack_size(env: &mut Reader) -> Option<usize> {
    let (what, default) = ("a size such as '16M'", "the default");
    let kmp = env.get("KMP_STACKSIZE", what, default, |text| parse::size(text, 1));
    let omp = env.get_for_host("OMP_STACKSIZE", what, default, |text| parse::size(text, 1 << 10));
    let gomp = env.get("GOMP_STACKSIZE", what, default, |text| parse::size(text, 1 << 10));
    env.overridden("OMP_STACKSIZE", "KMP_STACKSIZE");
    env.overridden("GOMP_STACKSIZE", if kmp.is_some() { "KMP_STACKSIZE" } else { "OMP_STACKSIZE" });
    kmp.or(omp).or(gomp)
}

/// Names of files, divided by colons. They may have white space, and need not be UTF-8. `secure`: no names.
pub fn libraries(env: &Reader, variable: &str, secure: bool) -> Vec<PathBuf> {
    let value = env.raw(variable).filter(|_| !secure).map_or(&b""[..], |value| value.as_bytes());
    let names = value.split(|&byte| byte == b':').filter(|name| !name.is_empty());
    names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect()
}

/// `OMP_TOOL_VERBOSE_INIT`: where the search for a tool is reported. `secure`: in no file.
pub fn verbose_init(env: &Reader, variable: &str, secure: bool) -> Option<VerboseInit> {
    let text = env.text(variable)?;
    match text.trim().to_ascii_lowercase().as_str() {
        "disabled" => None,
        "stdout" => Some(VerboseInit::Stdout),
        "stderr" => Some(VerboseInit::Stderr),
        _ if secure => None,
        _ => env.raw(variable).map(|name| VerboseInit::File(PathBuf::from(name))),
    }
}

/// `KMP_DEVICE_THREAD_LIMIT`, else `KMP_ALL_THREADS`, else `KMP_MAX_THREADS`, on a machine with `cpus` CPUs.
pub fn process_threads(env: &mut Reader, cpus: &dyn Fn() -> u32) -> i32 {
    let limit = |text: &str| match text.trim().eq_ignore_ascii_case("all") {
        true => Some(i32::try_from(cpus()).unwrap_or(i32::MAX).max(1)),
        false => parse::limit(text),
    };
    env.overridden("KMP_ALL_THREADS", "KMP_DEVICE_THREAD_LIMIT");
    env.overridden("KMP_MAX_THREADS", "KMP_DEVICE_THREAD_LIMIT");
    let names = ["KMP_DEVICE_THREAD_LIMIT", "KMP_ALL_THREADS", "KMP_MAX_THREADS"];
    let limits = names.map(|name| env.get(name, "a positive integer or 'all'", "no limit", limit));
    limits.into_iter().flatten().next().unwrap_or(i32::MAX)
}

/// `KMP_FORCE_REDUCTION`, else `KMP_DETERMINISTIC_REDUCTION`.
pub fn reduction(env: &mut Reader) -> Reduction {
    let forced = env.get("KMP_FORCE_REDUCTION", "critical, atomic or tree", "the default", parse::word);
    let ordered = env.flag("KMP_DETERMINISTIC_REDUCTION").unwrap_or(false);
    env.overridden("KMP_DETERMINISTIC_REDUCTION", "KMP_FORCE_REDUCTION");
    forced.unwrap_or(if ordered { Reduction::Ordered } else { Reduction::Any })
}

/// `KMP_DISP_NUM_BUFFERS`. Only a number above the actual one gets a line, as more buffers than requested do no harm.
pub fn check_buffers(env: &mut Reader, name: &str) {
    let wanted = env.get(name, "a positive integer", &CONSTRUCTS_AT_ONCE.to_string(), parse::positive);
    if wanted.is_some_and(|wanted| wanted > CONSTRUCTS_AT_ONCE) {
        env.complain(name, &format!("there are {CONSTRUCTS_AT_ONCE} buffers; using these"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{from_variables, with_notes};
    use super::*;

    #[test]
    fn nesting() {
        let levels = |variables: &[(&str, &str)]| from_variables(variables).0.max_active_levels;
        assert_eq!(levels(&[("OMP_NESTED", "true")]), SUPPORTED_ACTIVE_LEVELS);
        assert_eq!(levels(&[("OMP_NESTED", "true"), ("OMP_MAX_ACTIVE_LEVELS", "2")]), 2);
        assert_eq!(levels(&[("OMP_NUM_THREADS", "2,2")]), SUPPORTED_ACTIVE_LEVELS);
        assert_eq!(levels(&[("OMP_NUM_THREADS", "2,2"), ("OMP_NESTED", "false")]), 1);
        assert_eq!(levels(&[("OMP_PROC_BIND", "close,close")]), SUPPORTED_ACTIVE_LEVELS);
        assert_eq!(levels(&[("OMP_MAX_ACTIVE_LEVELS", "0")]), 0);
    }

    #[test]
    fn limits_and_stacks_have_an_order() {
        let variables = [("OMP_THREAD_LIMIT", "8"), ("KMP_ALL_THREADS", "6")];
        assert_eq!(from_variables(&variables).0.thread_limit, 8);
        let stack = |variables: &[(&str, &str)]| from_variables(variables).0.stack_size;
        assert_eq!(stack(&[("OMP_STACKSIZE", "2M"), ("GOMP_STACKSIZE", "1024")]), Some(2 << 20));
        assert_eq!(stack(&[("OMP_STACKSIZE", "2M"), ("KMP_STACKSIZE", "65536")]), Some(65536));
        assert_eq!(stack(&[("GOMP_STACKSIZE", "1024")]), Some(1 << 20));
    }

    #[test]
    fn what_is_overridden_is_remarked() {
        let remarks = |variables: &[(&str, &str)]| with_notes(variables).1.remarks;
        assert_eq!(remarks(&[("OMP_STACKSIZE", "1M"), ("OMP_WAIT_POLICY", "active")]), [""; 0]);
        assert_eq!(
            remarks(&[("OMP_STACKSIZE", "1M"), ("GOMP_STACKSIZE", "7")]),
            ["ferromp: GOMP_STACKSIZE='7': overridden by OMP_STACKSIZE\n"]
        );
        assert_eq!(remarks(&[("OMP_STACKSIZE", "1M"), ("GOMP_STACKSIZE", "7"), ("KMP_STACKSIZE", "2M")]).len(), 2);
        assert_eq!(remarks(&[("OMP_WAIT_POLICY", "active"), ("KMP_LIBRARY", "throughput")]).len(), 1);
        assert_eq!(remarks(&[("OMP_NESTED", "true")]).len(), 1);
    }

    #[test]
    fn a_library_is_a_wait_policy() {
        let policy = |variables: &[(&str, &str)]| from_variables(variables).0.wait_policy;
        assert_eq!(policy(&[("OMP_WAIT_POLICY", "active"), ("KMP_LIBRARY", "throughput")]), Some(WaitPolicy::Passive));
        assert_eq!(policy(&[("OMP_WAIT_POLICY", "passive"), ("KMP_LIBRARY", "dedicated")]), Some(WaitPolicy::Active));
        assert_eq!(policy(&[("OMP_WAIT_POLICY", "passive"), ("KMP_LIBRARY", "serial")]), Some(WaitPolicy::Passive));
    }

    #[test]
    fn limits_of_the_process_have_an_order() {
        let limit = |variables: &[(&str, &str)]| from_variables(variables).0.process_threads;
        assert_eq!(limit(&[]), i32::MAX);
        assert_eq!(limit(&[("KMP_ALL_THREADS", "6"), ("KMP_DEVICE_THREAD_LIMIT", "7")]), 7);
        assert_eq!(limit(&[("KMP_ALL_THREADS", "6"), ("KMP_MAX_THREADS", "5")]), 6);
        assert_eq!(limit(&[("KMP_MAX_THREADS", "99999999999")]), i32::MAX);
        assert!(limit(&[("KMP_ALL_THREADS", "ALL")]) < i32::MAX);
    }

    #[test]
    fn reductions() {
        let reduction = |variables: &[(&str, &str)]| from_variables(variables).0.reduction;
        assert_eq!(reduction(&[]), Reduction::Any);
        assert_eq!(reduction(&[("KMP_DETERMINISTIC_REDUCTION", "1")]), Reduction::Ordered);
        assert_eq!(
            reduction(&[("KMP_DETERMINISTIC_REDUCTION", "1"), ("KMP_FORCE_REDUCTION", "atomic")]),
            Reduction::Atomic
        );
    }

    #[test]
    fn buffers() {
        assert_eq!(from_variables(&[("KMP_DISP_NUM_BUFFERS", "7")]).1, [""; 0]);
        assert!(from_variables(&[("KMP_DISP_NUM_BUFFERS", "99")]).1[0].contains("there are 8 buffers"));
    }
}
