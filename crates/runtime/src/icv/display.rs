//! `OMP_DISPLAY_ENV` and `omp_display_env`: the ICVs as `NAME = 'value'` lines on standard error, in the layout that
//! other runtimes use (OpenMP 5.1 §3.15, §6.12).

use std::fmt::{Display, Write};

use super::{
    Bind, Blocktime, DisplayEnv, Icvs, Monotonicity, OPENMP_DATE, Schedule, ScheduleKind, Settings, ToolSetting, VerboseInit,
    WaitPolicy,
};
use crate::mem;
use crate::place::{self, Place};

/// Prints the initial values of the ICVs; `verbose` adds the variables that are not OpenMP's.
pub fn display(verbose: bool) {
    super::write_stderr(&render(super::settings(), &super::initial(), place::places(), verbose));
}

fn render(settings: &Settings, initial: &Icvs, places: &[Place], verbose: bool) -> String {
    let mut lines = Lines(String::from("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n"));
    // Writing into a string cannot fail.
    let _ = writeln!(lines.0, "  _OPENMP = '{OPENMP_DATE}'");
    lines.add("OMP_ALLOCATOR", mem::describe(initial.def_allocator));
    lines.add("OMP_CANCELLATION", upper(settings.cancellation));
    lines.add("OMP_DEBUG", if settings.debug { "ENABLED" } else { "DISABLED" });
    lines.add("OMP_DEFAULT_DEVICE", initial.default_device);
    lines.add(
        "OMP_DISPLAY_ENV",
        match settings.display_env {
            DisplayEnv::No => "FALSE",
            DisplayEnv::Yes => "TRUE",
            DisplayEnv::Verbose => "VERBOSE",
        },
    );
    lines.add("OMP_DYNAMIC", upper(initial.dynamic));
    lines.add("OMP_MAX_ACTIVE_LEVELS", initial.max_active_levels);
    lines.add("OMP_MAX_TASK_PRIORITY", settings.max_task_priority);
    lines.add("OMP_NESTED", upper(initial.max_active_levels > 1));
    if settings.num_threads.is_empty() {
        lines.add("OMP_NUM_THREADS", initial.nthreads);
    } else {
        lines.add("OMP_NUM_THREADS", joined(&settings.num_threads, |n| n.to_string()));
    }
    lines.add("OMP_PLACES", joined(places, |place| format!("{{{}}}", joined(place.cpus(), |cpu| cpu.to_string()))));
    lines.add("OMP_PROC_BIND", joined(&settings.bind, |bind| bind_name(*bind).to_string()));
    lines.add("OMP_SCHEDULE", schedule(initial.run_sched));
    lines.add("OMP_STACKSIZE", settings.stack_size.map_or(String::from("0"), |bytes| format!("{bytes}B")));
    lines.add("OMP_THREAD_LIMIT", initial.thread_limit);
    lines.add("OMP_TOOL", if settings.tool == ToolSetting::Enabled { "ENABLED" } else { "DISABLED" });
    lines.add("OMP_TOOL_LIBRARIES", {
        let names: Vec<_> = settings.tool_libraries.iter().map(|path| path.to_string_lossy()).collect();
        names.join(":")
    });
    lines.add(
        "OMP_TOOL_VERBOSE_INIT",
        match &settings.tool_verbose_init {
            None => String::from("DISABLED"),
            Some(VerboseInit::Stdout) => String::from("STDOUT"),
            Some(VerboseInit::Stderr) => String::from("STDERR"),
            Some(VerboseInit::File(path)) => path.to_string_lossy().into_owned(),
        },
    );
    lines.add(
        "OMP_WAIT_POLICY",
        match settings.wait_policy {
            Some(WaitPolicy::Active) => "ACTIVE",
            Some(WaitPolicy::Passive) | None => "PASSIVE",
        },
    );
    if verbose {
        lines.add(
            "GOMP_SPINCOUNT",
            match settings.extensions.spin_count {
                None => String::new(),
                Some(u64::MAX) => String::from("INFINITE"),
                Some(count) => count.to_string(),
            },
        );
        lines.add(
            "KMP_BLOCKTIME",
            match settings.extensions.blocktime {
                None => String::new(),
                Some(Blocktime::Infinite) => String::from("INFINITE"),
                Some(Blocktime::Micros(micros)) => format!("{micros}us"),
            },
        );
    }
    lines.0.push_str("OPENMP DISPLAY ENVIRONMENT END\n");
    lines.0
}

struct Lines(String);

impl Lines {
    fn add(&mut self, name: &str, value: impl Display) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.0, "  [host] {name} = '{value}'");
    }
}

fn upper(value: bool) -> &'static str {
    if value { "TRUE" } else { "FALSE" }
}

fn bind_name(bind: Bind) -> &'static str {
    match bind {
        Bind::False => "FALSE",
        Bind::True => "TRUE",
        Bind::Primary => "PRIMARY",
        Bind::Close => "CLOSE",
        Bind::Spread => "SPREAD",
    }
}

fn schedule(schedule: Schedule) -> String {
    let modifier = match schedule.monotonic {
        Monotonicity::Unspecified => "",
        Monotonicity::Monotonic => "MONOTONIC:",
        Monotonicity::Nonmonotonic => "NONMONOTONIC:",
    };
    let kind = match schedule.kind {
        ScheduleKind::Static => "STATIC",
        ScheduleKind::Dynamic => "DYNAMIC",
        ScheduleKind::Guided => "GUIDED",
        ScheduleKind::Auto => "AUTO",
        ScheduleKind::Trapezoidal => "TRAPEZOIDAL",
        ScheduleKind::StaticSteal => "STATIC_STEAL",
    };
    match schedule.chunk {
        0 => format!("{modifier}{kind}"),
        chunk => format!("{modifier}{kind},{chunk}"),
    }
}

fn joined<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icv::settings::from_variables;
    use crate::place::Partition;

    #[test]
    fn layout() {
        let variables = [
            ("OMP_NUM_THREADS", "4,2"),
            ("OMP_SCHEDULE", "nonmonotonic:dynamic,3"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_STACKSIZE", "2M"),
            ("KMP_BLOCKTIME", "infinite"),
        ];
        let settings = from_variables(&variables).0;
        let initial = settings.initial(8, Partition { first: 0, count: 2 });
        let places = [Place::new(vec![0, 1]), Place::new(vec![2, 3])];
        let text = render(&settings, &initial, &places, false);
        assert!(text.starts_with("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '202011'\n"), "{text}");
        assert!(text.ends_with("\nOPENMP DISPLAY ENVIRONMENT END\n"), "{text}");
        for line in [
            "  [host] OMP_ALLOCATOR = 'omp_default_mem_alloc'\n",
            "  [host] OMP_NUM_THREADS = '4,2'\n",
            "  [host] OMP_SCHEDULE = 'NONMONOTONIC:DYNAMIC,3'\n",
            "  [host] OMP_PROC_BIND = 'SPREAD,CLOSE'\n",
            "  [host] OMP_STACKSIZE = '2097152B'\n",
            "  [host] OMP_PLACES = '{0,1},{2,3}'\n",
        ] {
            assert!(text.contains(line), "{line}: {text}");
        }
        assert!(!text.contains("KMP_BLOCKTIME"));
        assert!(render(&settings, &initial, &places, true).contains("  [host] KMP_BLOCKTIME = 'INFINITE'\n"));
    }
}
