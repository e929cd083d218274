//! The rows of a process, as a walk over its trace finds them.

use crate::columns::{Value, known};
use crate::files::{Done, Files};
use crate::schema::{DEPENDENCES, INTERVALS, PROCESSES, SAMPLES, TASKS, THREADS, WAITS};
use crate::tasks::{Task, Tasks};
use ferromp_trace::analysis::{operation_name, sync_name};
use ferromp_trace::export::Frames;
use ferromp_trace::export::intervals::{Interval, Intervals};
use ferromp_trace::export::names::{Name, Names};
use ferromp_trace::export::slices::{Details, Open, Title};
use ferromp_trace::export::walk::{Operation, Visitor, walk};
use ferromp_trace::reader::{Event, Sample, Trace};
use ferromp_trace::store::Record;
use ferromp_trace::symbols::Symbolizer;
use ferromp_trace::{Progress, Site};
use std::io::Result;
use std::rc::Rc;

/// `ompt_task_status_t`: after these, nothing follows of the task.
const OVER: [u64; 4] = [1, 3, 6, 8];

/// Writes all tables of a process.
pub fn write(trace: &Trace, symbols: &mut Symbolizer, files: Files, progress: Progress<'_>) -> Result<Done> {
    let mut rows = Rows {
        trace,
        rank: trace.meta.rank,
        names: Names::new(symbols),
        intervals: Intervals::new(trace.threads.len()),
        tasks: Tasks::default(),
        completed: Vec::new(),
        files,
    };
    let done = rows.all(progress);
    rows.files.finish(done)
}

struct Rows<'a, 'b> {
    trace: &'a Trace,
    rank: Option<u32>,
    names: Names<'b>,
    intervals: Intervals,
    tasks: Tasks,
    /// The tasks that have just completed, and when: their slices end after the event.
    completed: Vec<(u64, u64)>,
    files: Files,
}

/// A place as the values of four columns: place, function, file, line.
struct Place {
    name: Rc<Name>,
    file: String,
}

impl Place {
    fn values(&self) -> [Value<'_>; 4] {
        let Place { name, file } = self;
        [known(&name.place), known(name.function()), known(file), name.line().into()]
    }
}

impl Rows<'_, '_> {
    fn all(&mut self, progress: Progress<'_>) -> Result<()> {
        self.process()?;
        walk(self.trace, self, progress)?;
        self.write_completed()?;
        for (id, task) in std::mem::take(&mut self.tasks).left() {
            self.task(id, &task)?;
        }
        Ok(())
    }

    /// The process and its threads.
    fn process(&mut self) -> Result<()> {
        let (meta, rank) = (&self.trace.meta, self.rank.into());
        let period = (meta.sample_rate > 0).then(|| 1_000_000_000 / u64::from(meta.sample_rate.max(1)));
        let command = meta.command();
        let row = [
            rank,
            meta.hostname.as_str().into(),
            meta.program.as_str().into(),
            command.as_str().into(),
            meta.runtime.as_str().into(),
            meta.cpus.into(),
            meta.start_unix_ns.into(),
            self.trace.duration_ns().into(),
            period.into(),
        ];
        self.files.add(PROCESSES, &row)?;
        for thread in self.trace.threads.iter().filter(|thread| thread.on_device.is_none_or(|on| on.thread != 0)) {
            let device = thread.on_device.map(|on| on.device).into();
            let row = [rank, thread.number.into(), thread.tid.into(), thread.name.as_str().into(), device];
            self.files.add(THREADS, &row)?;
        }
        Ok(())
    }

    fn place(&mut self, what: &Title) -> Place {
        let name = self.names.of(what);
        let file = name.file().into_owned();
        Place { name, file }
    }

    /// The place of a region; empty outside of all.
    fn region(&mut self, site: Site) -> Rc<Name> {
        self.names.name("".into(), site)
    }

    fn interval(&mut self, thread: usize, interval: &Interval) -> Result<()> {
        let place = self.place(&interval.title);
        let region = self.region(interval.region.map_or(Site::default(), |(_, site)| site));
        let [at, function, file, line] = place.values();
        let of = &self.trace.threads[thread];
        let (rank, number) = (self.rank.into(), of.number.into());
        let [begin, end, itself] = [interval.begin_ns, interval.end_ns, interval.self_ns].map(Value::from);
        let row = [
            rank,
            number,
            of.on_device.map(|on| on.device).into(),
            interval.title.category.into(),
            (&*place.name.what).into(),
            at,
            function,
            file,
            line,
            known(&region.place),
            (interval.depth as u64).into(),
            begin,
            end,
            itself,
            interval.details.flow.into(),
            interval.details.values[0].map(|(_, value)| value).into(),
        ];
        self.files.add(INTERVALS, &row)?;
        if interval.is_wait() {
            let what = match interval.open {
                Open::Wait(kind) => sync_name(kind),
                _ => place.name.what.clone(),
            };
            let row =
                [rank, number, (&*what).into(), at, function, file, line, known(&region.place), begin, end, itself];
            self.files.add(WAITS, &row)?;
        }
        Ok(())
    }

    /// Adds the time of an interval that has ended to the innermost task that it is in. A region inside of a task is
    /// work of the task, as long as the region takes.
    fn work(&mut self, thread: usize, interval: &Interval) {
        let ns = match interval.open {
            Open::Parallel(_) => interval.duration_ns(),
            Open::Task(task) => return self.tasks.work(task, interval.self_ns),
            Open::Work(_) | Open::Chunk | Open::Masked | Open::Hold(_) => interval.self_ns,
            _ => return,
        };
        for around in self.intervals.open(thread).iter().rev() {
            match around.open {
                Open::Task(task) => return self.tasks.work(task, ns),
                Open::Parallel(_) | Open::Implicit(_) => return,
                _ => {}
            }
        }
    }

    fn task(&mut self, id: u64, task: &Task) -> Result<()> {
        let place = self.place(&Title { name: "task".into(), site: task.site, category: "task" });
        let region = self.region(task.region);
        let [at, function, file, line] = place.values();
        let number = |index: usize| self.trace.threads[index].number;
        let row = [
            self.rank.into(),
            id.into(),
            task.parent.into(),
            at,
            function,
            file,
            line,
            known(&region.place),
            task.created.map(|(creator, _)| number(creator)).into(),
            task.thread.map(number).into(),
            task.created.map(|(_, ns)| ns).into(),
            task.begin_ns.into(),
            task.end_ns.into(),
            task.work_ns.into(),
            task.parts.into(),
            Value::Bool(task.migrated),
        ];
        self.files.add(TASKS, &row)
    }

    /// The region that a thread is in.
    fn region_of(&self, thread: usize) -> Site {
        self.intervals.open(thread).last().and_then(|around| around.region).map_or(Site::default(), |(_, site)| site)
    }

    /// Writes the tasks whose slices have ended.
    fn write_completed(&mut self) -> Result<()> {
        while let Some((id, ns)) = self.completed.pop() {
            if let Some(task) = self.tasks.complete(id, ns) {
                self.task(id, &task)?;
            }
        }
        Ok(())
    }
}

impl Visitor for Rows<'_, '_> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        if let Open::Task(task) = open {
            let region = self.region_of(thread);
            self.tasks.begin(task, thread, ns, (title.site, region));
        }
        self.intervals.begin(thread, ns, open, title, details);
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        let Some(interval) = self.intervals.end(thread, ns) else { return Ok(()) };
        self.work(thread, &interval);
        self.interval(thread, &interval)
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        let Operation { device, begin_ns, end_ns, op, kind, amount, site } = operation;
        let place = self.place(&Title { name: operation_name(kind), site, category: "device" });
        let [at, function, file, line] = place.values();
        let row = [
            self.rank.into(),
            Value::Number(None),
            device.into(),
            "device".into(),
            (&*place.name.what).into(),
            at,
            function,
            file,
            line,
            Value::Text(None),
            0u64.into(),
            begin_ns.into(),
            end_ns.into(),
            (end_ns - begin_ns).into(),
            Some(op).filter(|op| *op != 0).into(),
            amount.into(),
        ];
        self.files.add(INTERVALS, &row)
    }

    fn event(&mut self, thread: usize, event: &Event, site: Site) -> Result<()> {
        self.write_completed()?;
        match event.record {
            Record::TaskCreate { parent, task, .. } => {
                let (region, created) = (self.region_of(thread), Some((thread, event.ns)));
                self.tasks.create(task, Task { parent: Some(parent), site, region, created, ..Task::default() });
            }
            Record::TaskSchedule { prior, status, .. } if OVER.contains(&status) => {
                self.completed.push((prior, event.ns));
            }
            Record::TaskDependence { source, sink } => {
                self.files.add(DEPENDENCES, &[self.rank.into(), source.into(), sink.into()])?;
            }
            _ => {}
        }
        Ok(())
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sample(&mut self, thread: usize, _: u64, sample: &Sample) -> Result<()> {
        let frames = Frames::new(self.names.symbols()).of(sample);
        let stack: Vec<String> = frames.iter().map(|frame| frame.function.clone()).collect();
        let innermost = frames.last().map(|frame| frame.location.clone());
        let file = innermost.as_ref().and_then(|location| location.file.as_ref());
        let file = file.map_or_else(String::new, |file| file.to_string_lossy().into_owned());
        let doing = self.intervals.open(thread).last().map(|slice| slice.title.clone());
        let doing = doing.map(|title| self.names.of(&title));
        let region = self.region_of(thread);
        let region = self.region(region);
        let row = [
            self.rank.into(),
            self.trace.threads[thread].number.into(),
            sample.ns.into(),
            stack.last().map_or("", String::as_str).into(),
            known(&file),
            innermost.and_then(|location| location.line).into(),
            Value::Texts(&stack),
            Value::Text(doing.as_ref().map(|name| &*name.what)),
            known(doing.as_ref().map_or("", |name| name.place.as_str())),
            known(&region.place),
        ];
        self.files.add(SAMPLES, &row)
    }
}
