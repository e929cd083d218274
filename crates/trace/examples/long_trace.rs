//! Writes a long trace, to measure what reads traces. Usage: `long_trace DIR EVENTS [THREADS]`; DIR must be empty.
//!
//! The threads execute regions of about a millisecond, with a loop, tasks, a critical construct and a barrier.

use ferromp_trace::store::{Folder, Meta, Modules, Record, Writer, clock, meta};

/// Events that a thread records in one region, on average.
const A_REGION: u64 = 200;

/// A linear congruential generator; its numbers are of the same kind on every machine.
struct Random(u64);

impl Random {
    /// A number below `below`.
    fn below(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// One thread's file.
struct Thread {
    writer: Writer,
    now: u64,
    random: Random,
    events: u64,
}

impl Thread {
    /// Records an event after up to `within` nanoseconds.
    fn after(&mut self, within: u64, record: Record) {
        self.now += self.random.below(within.max(1));
        if self.writer.is_full() {
            self.writer.grow().expect("the disk has room for the trace");
        }
        assert!(self.writer.record(self.now, &record), "every event is recorded");
        self.events += 1;
    }

    /// One region of the team.
    fn region(&mut self, number: u64, index: u64, team: u64, codeptr: u64) {
        let (parallel, task) = (1 + number, 1_000_000_000 + number * team + index);
        if index == 0 {
            self.after(100, Record::ParallelBegin { parallel, task: 1, requested: team, flags: 0, codeptr });
        }
        self.after(2_000, Record::ImplicitTaskBegin { parallel, task, team, index, flags: 2 });
        self.after(200, Record::WorkBegin { kind: 1, count: 100, codeptr: codeptr + 16 });
        for _ in 0..A_REGION / 8 {
            self.after(5_000, Record::MutexAcquire { kind: 5, wait: 0x7000, codeptr: codeptr + 32 });
            self.after(3_000, Record::MutexAcquired { kind: 5, wait: 0x7000 });
            self.after(800, Record::MutexReleased { kind: 5, wait: 0x7000 });
        }
        self.after(200, Record::WorkEnd { kind: 1 });
        for nth in 0..A_REGION / 6 {
            let explicit = 1 << 40 | (number * team + index) << 10 | nth;
            self.after(
                400,
                Record::TaskCreate { parent: task, task: explicit, flags: 4, dependences: 0, codeptr: codeptr + 48 },
            );
            self.after(300, Record::TaskSchedule { prior: task, status: 7, next: explicit });
            self.after(9_000, Record::TaskSchedule { prior: explicit, status: 1, next: task });
        }
        self.after(200, Record::SyncBegin { kind: 9, codeptr });
        self.after(200, Record::WaitBegin { kind: 9, codeptr });
        self.now = (number + 1) * 1_000_000;
        self.after(2_000, Record::WaitEnd { kind: 9 });
        self.after(200, Record::SyncEnd { kind: 9 });
        self.after(200, Record::ImplicitTaskEnd { task, index });
        if index == 0 {
            self.after(300, Record::ParallelEnd { parallel, codeptr });
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let dir = arguments.next().expect("usage: long_trace DIR EVENTS [THREADS]");
    let events: u64 = arguments.next().map_or(1_000_000, |count| count.parse().expect("a number of events"));
    let team: u64 = arguments.next().map_or(8, |count| count.parse().expect("a number of threads"));
    let folder = Folder::open(dir.as_ref()).expect("a folder that can be written");
    let start = clock::Pair { ticks: 0, ns: 0 };
    let clock = clock::Clock { source: clock::Source::Monotonic, start, later: start };
    Modules::default().write(&folder).expect("modules");
    let (mut end, mut recorded) = (0, 0);
    for index in 0..team {
        let writer = Writer::create(&folder, index as u32, "t", clock::Ticker::choose(), 0).expect("a thread's file");
        let mut thread = Thread { writer, now: 0, random: Random(index), events: 0 };
        thread.after(100, Record::ThreadBegin { kind: if index == 0 { 1 } else { 2 } });
        let mut number = 0;
        while thread.events < events / team {
            thread.region(number, index, team, 0x40_0000 + 256 * (number / 16 % 5));
            number += 1;
        }
        end = end.max(thread.now);
        recorded += thread.events;
        thread.writer.finish();
    }
    let meta = Meta {
        format: meta::FORMAT,
        program: "/long_trace".into(),
        argv: std::env::args().collect(),
        hostname: "host".into(),
        runtime: "none".into(),
        cpus: team as u32,
        clock,
        pid: 1,
        finished: true,
        end_ticks: end,
        ..Meta::default()
    };
    meta.write(&folder).expect("meta.json");
    println!("{recorded} events, {:.3} s", end as f64 / 1e9);
}
