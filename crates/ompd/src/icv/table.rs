//! All ICVs, each with the scope of the handles that have it and the function that reads it (OpenMP 5.1, section 2.4.1,
//! Tables 2.1 and 2.3).
//!
//! The first 30 are in the places that LLVM's library gives them, because debuggers exist that know these numbers.
//! Those that are no number stand at the end of the rest: LLVM's plug-in for gdb stops its list at the first one that
//! it cannot print.

use super::read::{self, Value};
use super::subject::Subject;
use crate::{IcvId, Rc, Scope};

/// An ICV.
pub struct Icv {
    /// Its name in the specification.
    pub name: &'static str,
    /// The scope that its enumeration names.
    pub scope: Scope,
    /// Further scopes in which there is exactly one value of it: of a thread's handle, that of its current task.
    also: &'static [Scope],
    reader: fn(&Subject) -> Result<Value, Rc>,
}

impl Icv {
    /// Its value.
    pub fn read(&self, subject: &Subject) -> Result<Value, Rc> {
        (self.reader)(subject)
    }
}

/// The ICV with that number.
pub fn find(id: IcvId) -> Result<&'static Icv, Rc> {
    let index = id.checked_sub(1).and_then(|index| usize::try_from(index).ok()).ok_or(Rc::BAD_INPUT)?;
    ICVS.get(index).ok_or(Rc::BAD_INPUT)
}

/// The ICV with that number, if it has a value in that scope.
pub fn find_in(id: IcvId, scope: Scope) -> Result<&'static Icv, Rc> {
    let icv = find(id)?;
    // The scopes of OpenMP 6.0 are those of regions that have a certain construct.
    let scope = if matches!(scope, Scope::TEAMS | Scope::TARGET) { Scope::PARALLEL } else { scope };
    if icv.scope == scope || icv.also.contains(&scope) { Ok(icv) } else { Err(Rc::BAD_INPUT) }
}

type Reader = fn(&Subject) -> Result<Value, Rc>;

/// Of each device; in ferromp all devices have the host's.
const fn device(name: &'static str, reader: Reader) -> Icv {
    Icv { name, scope: Scope::ADDRESS_SPACE, also: &[], reader }
}

/// Of the process.
const fn global(name: &'static str, reader: Reader) -> Icv {
    Icv { name, scope: Scope::ADDRESS_SPACE, also: &[Scope::GLOBAL], reader }
}

/// Of each task.
const fn task(name: &'static str, reader: Reader) -> Icv {
    Icv { name, scope: Scope::TASK, also: &[Scope::THREAD, Scope::IMPLICIT_TASK], reader }
}

/// Of each team.
const fn team(name: &'static str, reader: Reader) -> Icv {
    Icv { name, scope: Scope::PARALLEL, also: &[Scope::THREAD, Scope::IMPLICIT_TASK, Scope::TASK], reader }
}

/// Of each implicit task, found by its thread.
const fn thread(name: &'static str, reader: Reader) -> Icv {
    Icv { name, scope: Scope::THREAD, also: &[Scope::IMPLICIT_TASK, Scope::TASK], reader }
}

/// In the order of their numbers, from 1 on.
const ICVS: [Icv; 43] = [
    task("dyn-var", read::dynamic),
    task("run-sched-var", read::run_schedule),
    device("stacksize-var", read::stack_size),
    global("cancel-var", read::cancellation),
    global("max-task-priority-var", read::max_task_priority),
    global("debug-var", read::debug),
    task("nthreads-var", read::num_threads),
    global("display-affinity-var", read::display_affinity),
    device("affinity-format-var", read::affinity_format),
    task("default-device-var", read::default_device),
    global("tool-var", read::tool),
    global("tool-libraries-var", read::tool_libraries),
    global("tool-verbose-init-var", read::tool_verbose_init),
    team("levels-var", read::levels),
    team("active-levels-var", read::active_levels),
    task("thread-limit-var", read::thread_limit),
    task("max-active-levels-var", read::max_active_levels),
    task("bind-var", read::bind),
    device("num-procs-var", read::num_procs),
    device("ompd-num-procs-var", read::num_procs),
    thread("thread-num-var", read::thread_num),
    thread("ompd-thread-num-var", read::thread_num),
    task("final-task-var", read::final_task),
    task("ompd-final-var", read::final_task),
    task("ompd-final-task-var", read::final_task),
    task("implicit-task-var", read::implicit_task),
    task("ompd-implicit-var", read::implicit_task),
    task("ompd-implicit-task-var", read::implicit_task),
    team("team-size-var", read::team_size),
    team("ompd-team-size-var", read::team_size),
    device("def-sched-var", read::default_schedule),
    device("wait-policy-var", read::wait_policy),
    global("target-offload-var", read::target_offload),
    task("def-allocator-var", read::default_allocator),
    device("nteams-var", read::num_teams),
    device("teams-thread-limit-var", read::teams_thread_limit),
    team("team-num-var", read::team_num),
    team("league-size-var", read::league_size),
    global("num-devices-var", read::num_devices),
    device("device-num-var", read::device_num),
    task("explicit-task-var", read::explicit_task),
    team("team-generator-var", read::team_generator),
    task("place-partition-var", read::place_partition),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_llvm_gives() {
        let number = |name| 1 + ICVS.iter().position(|icv| icv.name == name).unwrap();
        assert_eq!(number("dyn-var"), 1);
        assert_eq!(number("nthreads-var"), 7);
        assert_eq!(number("tool-libraries-var"), 12);
        assert_eq!(number("active-levels-var"), 15);
        assert_eq!(number("thread-limit-var"), 16);
        assert_eq!(number("num-procs-var"), 19);
        assert_eq!(number("ompd-thread-num-var"), 22);
        assert_eq!(number("ompd-team-size-var"), 30);
    }

    #[test]
    fn every_icv_of_the_specification_is_there() {
        let all = "active-levels affinity-format bind cancel debug def-allocator def-sched default-device display-affinity dyn \
                   final-task implicit-task levels max-active-levels max-task-priority nteams nthreads num-procs place-partition \
                   run-sched stacksize target-offload team-size teams-thread-limit thread-limit thread-num tool tool-libraries \
                   tool-verbose-init wait-policy";
        for name in all.split_whitespace() {
            let full = format!("{name}-var");
            assert!(ICVS.iter().any(|icv| icv.name == full), "{full}");
        }
        for name in ["num-procs", "thread-num", "final-task", "implicit-task", "team-size"] {
            let full = format!("ompd-{name}-var");
            assert!(ICVS.iter().any(|icv| icv.name == full), "{full}");
        }
    }

    #[test]
    fn team_icvs_have_values_in_the_scopes_of_openmp_6() {
        for (index, icv) in ICVS.iter().enumerate() {
            for scope in [Scope::TEAMS, Scope::TARGET] {
                assert_eq!(find_in(index as u64 + 1, scope).is_ok(), icv.scope == Scope::PARALLEL, "{}", icv.name);
            }
        }
        for name in ["explicit-task", "team-generator", "league-size", "team-num", "device-num", "num-devices"] {
            let full = format!("{name}-var");
            assert!(ICVS.iter().any(|icv| icv.name == full), "{full}");
        }
    }

    #[test]
    fn names_are_unique_and_scopes_are_those_that_plug_ins_know() {
        for (index, icv) in ICVS.iter().enumerate() {
            assert!(ICVS.iter().skip(index + 1).all(|other| other.name != icv.name), "{}", icv.name);
            assert!(
                matches!(icv.scope, Scope::ADDRESS_SPACE | Scope::THREAD | Scope::PARALLEL | Scope::TASK),
                "{}",
                icv.name
            );
            assert!(!icv.also.contains(&icv.scope), "{}", icv.name);
        }
        assert_eq!(find(0).err(), Some(Rc::BAD_INPUT));
        assert_eq!(find(ICVS.len() as u64 + 1).err(), Some(Rc::BAD_INPUT));
        assert_eq!(find_in(19, Scope::TASK).err(), Some(Rc::BAD_INPUT));
    }
}
