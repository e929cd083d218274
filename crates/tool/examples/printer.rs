//! Prints every event of a program, each line with its thread. Build it with
//! `cargo build -p ferromp-tool --example printer`, then run any OpenMP program with
//! `OMP_TOOL_LIBRARIES=target/debug/examples/libprinter.so`.

use ferromp_tool::*;

struct Printer {
    runtime: Runtime<Printer>,
}

impl Printer {
    /// Gives what a word belongs to a number, by which the events name it from now on.
    fn number(&self, slot: Option<Slot<'_>>) {
        if let (Some(slot), Some(id)) = (slot, self.runtime.unique_id()) {
            slot.set(id);
        }
    }
}

#[tool]
impl Tool for Printer {
    const NAME: &'static str = "printer";

    fn initialize(init: &Init<Self>) -> Result<Self, String> {
        println!("printer: OpenMP {}, {}", init.omp_version(), init.runtime_version());
        Ok(Printer { runtime: init.runtime() })
    }

    fn registered(&self, event: Event, answer: SetResult) {
        println!("printer: {event:?}: {answer:?}");
    }

    fn any(&self, occurrence: Occurrence<'_, Self>) {
        match occurrence {
            Occurrence::ThreadBegin { thread_data, .. } => self.number(thread_data),
            Occurrence::ParallelBegin { parallel_data, .. } => self.number(parallel_data),
            Occurrence::TaskCreate { new_task_data, .. } => self.number(new_task_data),
            Occurrence::ImplicitTask { endpoint: ScopeEndpoint::BEGIN, task_data, .. } => self.number(task_data),
            _ => {}
        }
        let thread = self.runtime.thread_data(|slot| slot.get()).unwrap_or(0);
        println!("thread {thread}: {occurrence:?}");
    }

    fn finalize(&self) {
        println!("printer: done");
    }
}
