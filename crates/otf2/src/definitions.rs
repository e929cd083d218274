//! What the events of all locations refer to: texts, regions, threads and teams, metrics. Each is defined once, and
//! written at the end. Memory grows with the program's constructs and threads.

use crate::library::{OPENMP, STRING, UNDEFINED};
use rustc_hash::FxHashMap;
use std::ffi::CString;
use std::io::Result;

/// `OTF2_LOCATION_TYPE_CPU_THREAD` and `OTF2_LOCATION_TYPE_ACCELERATOR_STREAM`
pub const THREAD: u8 = 1;
pub const STREAM: u8 = 2;
/// `OTF2_LOCATION_GROUP_TYPE_PROCESS` and `OTF2_LOCATION_GROUP_TYPE_ACCELERATOR`
const PROCESS: u8 = 1;
const ACCELERATOR: u8 = 2;
/// `OTF2_GROUP_TYPE_COMM_LOCATIONS` and `OTF2_GROUP_TYPE_COMM_GROUP`
const COMM_LOCATIONS: u8 = 4;
const COMM_GROUP: u8 = 5;
/// `OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN`
const FORK_JOIN: u8 = 1;
/// `OTF2_METRIC_ACCUMULATED_START`: the sum since the start.
const ACCUMULATED: u8 = 0;

/// The attribute of samples.
pub const FUNCTION: u32 = 0;

/// A definition, in the order in which they are written.
pub enum Kind<'a> {
    Paradigm { paradigm: u8, name: u32, class: u8 },
    Attribute { number: u32, name: u32, of: u8 },
    Node { number: u32, name: u32, class: u32, parent: u32 },
    LocationGroup { number: u32, name: u32, of: u8, node: u32, creator: u32 },
    Location { number: u64, name: u32, of: u8, events: u64, group: u32 },
    Region { number: u32, name: u32, canonical: u32, role: u8, paradigm: u8, file: u32, line: u32 },
    Group { number: u32, name: u32, of: u8, paradigm: u8, members: &'a [u64] },
    Comm { number: u32, name: u32, group: u32 },
    Metric { number: u32, name: u32, description: u32, unit: u32, mode: u8 },
}

/// A region of the source, of which there is one for each key.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Region {
    name: u32,
    canonical: u32,
    role: u8,
    file: u32,
    line: u32,
}

struct LocationGroup {
    name: u32,
    of: u8,
    node: u32,
    creator: u32,
}

struct Location {
    number: u64,
    name: u32,
    of: u8,
    events: u64,
    group: u32,
}

/// The threads of a process, which are one team for OTF2.
struct Team {
    name: u32,
    /// Their places among all threads.
    members: Vec<u64>,
}

struct Metric {
    name: u32,
    description: u32,
    unit: u32,
}

/// See the module.
#[derive(Default)]
pub struct Definitions {
    texts: Vec<CString>,
    numbers: FxHashMap<CString, u32>,
    nodes: Vec<u32>,
    groups: Vec<LocationGroup>,
    locations: Vec<Location>,
    regions: Vec<Region>,
    region_numbers: FxHashMap<Region, u32>,
    teams: Vec<Team>,
    /// The locations of all threads.
    threads: Vec<u64>,
    metrics: Vec<Metric>,
    metric_numbers: FxHashMap<u32, u32>,
    /// Begin and end of all recordings.
    span: Option<(u64, u64)>,
    /// The number of the next lock.
    pub next_lock: u32,
    /// The texts that every archive has.
    common: Option<Common>,
}

#[derive(Clone, Copy)]
struct Common {
    openmp: u32,
    function: u32,
    machine: u32,
    node: u32,
    threads: u32,
}

impl Definitions {
    /// The number of a text. A zero byte ends the text.
    pub fn text(&mut self, text: &str) -> u32 {
        let text = CString::new(text.split('\0').next().unwrap_or_default()).unwrap_or_default();
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }

    /// A process of a host, whose recording lasted from `begin` to `end`. Returns its location group.
    pub fn process(&mut self, host: &str, name: &str, (begin, end): (u64, u64)) -> u32 {
        if self.common.is_none() {
            let texts = ["OpenMP", "function", "machine", "node", "OpenMP threads"].map(|text| self.text(text));
            let [openmp, function, machine, node, threads] = texts;
            self.common = Some(Common { openmp, function, machine, node, threads });
        }
        let (first, last) = self.span.unwrap_or((begin, end));
        self.span = Some((first.min(begin), last.max(end)));
        let (host, name) = (self.text(host), self.text(name));
        let node = self.nodes.iter().position(|known| *known == host).unwrap_or_else(|| {
            self.nodes.push(host);
            self.nodes.len() - 1
        });
        self.groups.push(LocationGroup { name, of: PROCESS, node: 1 + node as u32, creator: UNDEFINED });
        self.groups.len() as u32 - 1
    }

    /// A device of a process. Returns its location group.
    pub fn device(&mut self, process: u32, name: &str) -> u32 {
        let (name, node) = (self.text(name), self.groups[process as usize].node);
        self.groups.push(LocationGroup { name, of: ACCELERATOR, node, creator: process });
        self.groups.len() as u32 - 1
    }

    /// The team of a process: the locations of its threads, by their ranks. Returns its number.
    pub fn team(&mut self, name: &str, threads: &[u64]) -> u32 {
        let first = self.threads.len() as u64;
        self.threads.extend(threads);
        let name = self.text(name);
        self.teams.push(Team { name, members: (first..self.threads.len() as u64).collect() });
        self.teams.len() as u32 - 1
    }

    /// A location that has ended.
    pub fn location(&mut self, number: u64, name: &str, of: u8, group: u32, events: u64) {
        let name = self.text(name);
        self.locations.push(Location { number, name, of, events, group });
    }

    /// The number of a region: its name, the function that it is in, its role, and its place.
    pub fn region(&mut self, name: &str, function: &str, role: u8, (file, line): (&str, Option<u32>)) -> u32 {
        let name = self.text(name);
        let canonical = if function.is_empty() { name } else { self.text(function) };
        let file = if file.is_empty() { UNDEFINED } else { self.text(file) };
        let region = Region { name, canonical, role, file, line: line.unwrap_or(0) };
        let next = self.regions.len() as u32;
        let number = *self.region_numbers.entry(region.clone()).or_insert(next);
        if number == next {
            self.regions.push(region);
        }
        number
    }

    /// The number of a metric that is summed up from the start.
    pub fn metric(&mut self, name: &str, description: &str, unit: &str) -> u32 {
        let [name, description, unit] = [name, description, unit].map(|text| self.text(text));
        let next = self.metrics.len() as u32;
        let number = *self.metric_numbers.entry(name).or_insert(next);
        if number == next {
            self.metrics.push(Metric { name, description, unit });
        }
        number
    }

    /// How many locations there are.
    pub fn locations(&self) -> u64 {
        self.locations.len() as u64
    }

    /// The numbers of the locations.
    pub fn of_locations(&self) -> impl Iterator<Item = u64> {
        self.locations.iter().map(|location| location.number)
    }

    /// When the first recording began, in nanoseconds since 1970, and how long it is from there to the last end.
    pub fn clock(&self) -> (u64, u64) {
        let (begin, end) = self.span.unwrap_or_default();
        (begin, end.saturating_sub(begin))
    }

    /// All texts, by their numbers.
    pub fn texts(&self) -> &[CString] {
        &self.texts
    }

    /// Calls a function with each definition besides the clock and the texts, in an order in which none refers to a
    /// later one.
    ///
    /// # Errors
    /// Those of the function.
    pub fn each(&self, mut take: impl FnMut(Kind<'_>) -> Result<()>) -> Result<()> {
        let Some(Common { openmp, function, machine, node, threads }) = self.common else { return Ok(()) };
        take(Kind::Paradigm { paradigm: OPENMP, name: openmp, class: FORK_JOIN })?;
        take(Kind::Attribute { number: FUNCTION, name: function, of: STRING })?;
        take(Kind::Node { number: 0, name: machine, class: machine, parent: UNDEFINED })?;
        for (number, name) in (1..).zip(&self.nodes) {
            take(Kind::Node { number, name: *name, class: node, parent: 0 })?;
        }
        for (number, LocationGroup { name, of, node, creator }) in (0..).zip(&self.groups) {
            take(Kind::LocationGroup { number, name: *name, of: *of, node: *node, creator: *creator })?;
        }
        for Location { number, name, of, events, group } in &self.locations {
            take(Kind::Location { number: *number, name: *name, of: *of, events: *events, group: *group })?;
        }
        for (number, Region { name, canonical, role, file, line }) in (0..).zip(&self.regions) {
            let (name, canonical, role) = (*name, *canonical, *role);
            take(Kind::Region { number, name, canonical, role, paradigm: OPENMP, file: *file, line: *line })?;
        }
        let members = &self.threads[..];
        take(Kind::Group { number: 0, name: threads, of: COMM_LOCATIONS, paradigm: OPENMP, members })?;
        for (number, Team { name, members }) in (0..).zip(&self.teams) {
            take(Kind::Group { number: number + 1, name: *name, of: COMM_GROUP, paradigm: OPENMP, members })?;
            take(Kind::Comm { number, name: *name, group: number + 1 })?;
        }
        for (number, Metric { name, description, unit }) in (0..).zip(&self.metrics) {
            let (name, description, unit) = (*name, *description, *unit);
            take(Kind::Metric { number, name, description, unit, mode: ACCUMULATED })?;
        }
        Ok(())
    }
}
