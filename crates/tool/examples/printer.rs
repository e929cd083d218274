//! A tool that prints what a program's threads, regions and tasks do. Build it with
//! `cargo build -p ferromp-tool --example printer`, then run any OpenMP program with
//! `OMP_TOOL_LIBRARIES=target/debug/examples/libprinter.so`.

use ferromp_tool::*;
use std::ffi::c_uint;

struct Printer {
    runtime: Runtime,
}

impl Printer {
    fn line(&self, event: std::fmt::Arguments<'_>) {
        let thread = self.runtime.thread_data(|slot| slot.get()).unwrap_or(0);
        println!("thread {thread}: {event}");
    }
}

impl Tool for Printer {
    const NAME: &'static str = "printer";
    const EVENTS: EventSet =
        EventSet::of(&[Event::ThreadBegin, Event::ThreadEnd, Event::ParallelBegin, Event::ParallelEnd, Event::ImplicitTask]);

    fn initialize(init: &Init) -> Result<Self, String> {
        println!("printer: OpenMP {}, {}", init.omp_version(), init.runtime_version());
        Ok(Printer { runtime: init.runtime() })
    }

    fn registered(&self, event: Event, answer: SetResult) {
        println!("printer: {event:?}: {answer:?}");
    }

    fn thread_begin(&self, thread_type: Thread, thread_data: Option<Slot<'_>>) {
        if let (Some(slot), Some(id)) = (thread_data, self.runtime.unique_id()) {
            slot.set(id);
        }
        self.line(format_args!("begins, {thread_type:?}"));
    }

    fn thread_end(&self, _thread_data: Option<Slot<'_>>) {
        self.line(format_args!("ends"));
    }

    fn parallel_begin(
        &self,
        _encountering_task_data: Option<Slot<'_>>,
        _encountering_task_frame: Option<&Frame>,
        parallel_data: Option<Slot<'_>>,
        requested_parallelism: c_uint,
        flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        if let (Some(slot), Some(id)) = (parallel_data, self.runtime.unique_id()) {
            slot.set(id);
        }
        self.line(format_args!("parallel begins at {codeptr_ra:?}, {requested_parallelism} threads, {flags:?}"));
    }

    fn parallel_end(
        &self,
        _parallel_data: Option<Slot<'_>>,
        _encountering_task_data: Option<Slot<'_>>,
        _flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        self.line(format_args!("parallel ends at {codeptr_ra:?}"));
    }

    fn implicit_task(
        &self,
        endpoint: ScopeEndpoint,
        _parallel_data: Option<Slot<'_>>,
        _task_data: Option<Slot<'_>>,
        actual_parallelism: c_uint,
        index: c_uint,
        flags: TaskFlag,
    ) {
        self.line(format_args!("{flags:?} {index} of {actual_parallelism}, {endpoint:?}"));
    }

    fn finalize(&self) {
        println!("printer: done");
    }
}

tool!(Printer);
