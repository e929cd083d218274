//! Where the time goes: for each parallel region of a program how often it ran and how long, by its place in the source
//! (compile the program with `-g`) or by its code address. Load it as the printer is loaded.

use ferromp_tool::*;
use std::collections::HashMap;
use std::ffi::c_uint;
use std::sync::Mutex as Lock;
use std::time::{Duration, Instant};

/// What is known of the regions of one construct.
#[derive(Default)]
struct Construct {
    times: u64,
    threads: c_uint,
    total: Duration,
    longest: Duration,
}

struct Profiler {
    start: Instant,
    constructs: Lock<HashMap<CodePtr, Construct>>,
}

impl Profiler {
    fn nanoseconds(&self) -> u64 {
        self.start.elapsed().as_nanos() as u64
    }
}

#[tool]
impl Tool for Profiler {
    const NAME: &'static str = "profiler";
    // A region's word holds the time of its begin; `u64` is what slots hold unless something else is said.

    fn initialize(_init: &Init<Self>) -> Result<Self, String> {
        Ok(Profiler { start: Instant::now(), constructs: Lock::default() })
    }

    fn parallel_begin(
        &self,
        _encountering_task_data: Option<Slot<'_>>,
        _encountering_task_frame: Option<&Frame>,
        parallel_data: Option<Slot<'_>>,
        requested_parallelism: c_uint,
        _flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let mut constructs = self.constructs.lock().unwrap();
        constructs.entry(codeptr_ra).or_default().threads = requested_parallelism;
        drop(constructs);
        if let Some(slot) = parallel_data {
            slot.set(self.nanoseconds());
        }
    }

    fn parallel_end(
        &self,
        region: Option<Slot<'_>>,
        _task: Option<Slot<'_>>,
        _flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let Some(begin) = region.map(Slot::<u64>::get) else { return };
        let time = Duration::from_nanos(self.nanoseconds() - begin);
        let mut constructs = self.constructs.lock().unwrap();
        let construct = constructs.entry(codeptr_ra).or_default();
        construct.times += 1;
        construct.total += time;
        construct.longest = construct.longest.max(time);
    }

    fn finalize(&self) {
        let constructs = self.constructs.lock().unwrap();
        let mut rows: Vec<_> = constructs.iter().collect();
        rows.sort_by_key(|(_, construct)| std::cmp::Reverse(construct.total));
        eprintln!("{:>10} {:>8} {:>12} {:>12}  parallel region", "times", "threads", "total", "longest");
        for (at, Construct { times, threads, total, longest }) in rows {
            eprintln!("{times:>10} {threads:>8} {total:>12.3?} {longest:>12.3?}  {}", place(*at));
        }
    }
}

/// File and line of the construct, its code address if they are not known.
fn place(at: CodePtr) -> String {
    let mut found = None;
    // The address is the one behind the call.
    backtrace::resolve(at.0.saturating_sub(1) as *mut _, |symbol| {
        if let (Some(file), Some(line)) = (symbol.filename(), symbol.lineno()) {
            found.get_or_insert(format!("{}:{line}", file.display()));
        }
    });
    found.unwrap_or_else(|| format!("{at:?}"))
}
