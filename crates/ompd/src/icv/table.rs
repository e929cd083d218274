//! All ICVs, each with the scope of the handles that have it and the source of its value (OpenMP 5.1, section 2.4.1,
//! Tables 2.1 and 2.3).
//!
//! The first 30 are in the places that LLVM's library gives them, because debuggers exist that know these numbers.
//! Those that are no number stand at the end of the rest: LLVM's plug-in for gdb stops its list at the first one that
//! it cannot print.

use super::read::Form::{Ability, Allocator, Bytes, Flag, Number, Text, Word};
use super::read::Source::{Computed, Device, Process, Task, Team};
use super::read::{self, Source, Value};
use super::subject::Subject;
use crate::{IcvId, Rc, Scope};
use ompd_layout::Field;

/// An ICV.
pub struct Icv {
    /// The name in the specification.
    pub name: &'static str,
    /// The scope that its enumeration names.
    pub scope: Scope,
    /// Further scopes in which there is exactly one value of it: of a thread's handle, that of its current task.
    also: &'static [Scope],
    source: Source,
}

impl Icv {
    /// The value.
    pub fn read(&self, subject: &Subject) -> Result<Value, Rc> {
        self.source.read(subject)
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

/// Of each device; in ferromp all devices have the host's.
const fn device(name: &'static str, source: Source) -> Icv {
    Icv { name, scope: Scope::ADDRESS_SPACE, also: &[], source }
}

/// Of the process.
const fn global(name: &'static str, source: Source) -> Icv {
    Icv { name, scope: Scope::ADDRESS_SPACE, also: &[Scope::GLOBAL], source }
}

/// Of each task.
const fn task(name: &'static str, source: Source) -> Icv {
    Icv { name, scope: Scope::TASK, also: &[Scope::THREAD, Scope::IMPLICIT_TASK], source }
}

/// Of each team.
const fn team(name: &'static str, source: Source) -> Icv {
    Icv { name, scope: Scope::PARALLEL, also: &[Scope::THREAD, Scope::IMPLICIT_TASK, Scope::TASK], source }
}

/// Of each implicit task, found by its thread.
const fn thread(name: &'static str, source: Source) -> Icv {
    Icv { name, scope: Scope::THREAD, also: &[Scope::IMPLICIT_TASK, Scope::TASK], source }
}

/// In the order of their numbers, from 1 on.
const ICVS: [Icv; 43] = [
    task("dyn-var", Task(Field::IcvDynamic, Flag)),
    task("run-sched-var", Computed(read::run_schedule)),
    device("stacksize-var", Process(Field::ProcessStackSize, Bytes)),
    global("cancel-var", Process(Field::ProcessCancellation, Flag)),
    global("max-task-priority-var", Process(Field::ProcessMaxTaskPriority, Number)),
    global("debug-var", Process(Field::ProcessDebug, Ability)),
    task("nthreads-var", Computed(read::num_threads)),
    global("display-affinity-var", Process(Field::ProcessDisplayAffinity, Flag)),
    device("affinity-format-var", Process(Field::ProcessAffinityFormat, Text)),
    task("default-device-var", Task(Field::IcvDefaultDevice, Number)),
    global("tool-var", Process(Field::ProcessTool, Ability)),
    global("tool-libraries-var", Process(Field::ProcessToolLibraries, Text)),
    global("tool-verbose-init-var", Process(Field::ProcessToolVerboseInit, Text)),
    team("levels-var", Team(Field::TeamLevel)),
    team("active-levels-var", Team(Field::TeamActiveLevel)),
    task("thread-limit-var", Task(Field::IcvThreadLimit, Number)),
    task("max-active-levels-var", Task(Field::IcvMaxActiveLevels, Number)),
    task("bind-var", Computed(read::bind)),
    device("num-procs-var", Computed(read::num_procs)),
    device("ompd-num-procs-var", Computed(read::num_procs)),
    thread("thread-num-var", Computed(read::thread_num)),
    thread("ompd-thread-num-var", Computed(read::thread_num)),
    task("final-task-var", Computed(read::final_task)),
    task("ompd-final-var", Computed(read::final_task)),
    task("ompd-final-task-var", Computed(read::final_task)),
    task("implicit-task-var", Computed(read::implicit_task)),
    task("ompd-implicit-var", Computed(read::implicit_task)),
    task("ompd-implicit-task-var", Computed(read::implicit_task)),
    team("team-size-var", Computed(read::team_size)),
    team("ompd-team-size-var", Computed(read::team_size)),
    device("def-sched-var", Computed(read::default_schedule)),
    device("wait-policy-var", Computed(read::wait_policy)),
    global("target-offload-var", Process(Field::ProcessTargetOffload, Word(&["disabled", "default", "mandatory"]))),
    task("def-allocator-var", Task(Field::IcvDefAllocator, Allocator)),
    device("nteams-var", Device(Field::ProcessNumTeams)),
    device("teams-thread-limit-var", Device(Field::ProcessTeamsThreadLimit)),
    team("team-num-var", Team(Field::TeamNumber)),
    team("league-size-var", Team(Field::TeamLeague)),
    global("num-devices-var", Process(Field::ProcessDevices, Number)),
    device("device-num-var", Computed(read::device_num)),
    task("explicit-task-var", Computed(read::explicit_task)),
    team("team-generator-var", Computed(read::team_generator)),
    task("place-partition-var", Computed(read::place_partition)),
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
