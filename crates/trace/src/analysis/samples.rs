//! Samples, charged to what their threads did. A sample stands for an equal part of its thread's time on a CPU.

mod calls;
mod kept;

pub use calls::Calls;
use kept::Kept;
pub use kept::SampledRegisters;

use super::activity::{Activity, ActivityKind, sync_name};
use crate::Site;
use crate::reader::{Sample, Trace};
use crate::store::Meta;
use crate::symbols::{Location, Symbolizer};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

/// The samples of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// Samples that each thread was to have in a second of its CPU time; 0 if none were taken.
    pub rate: u32,
    /// Samples in all.
    pub count: u64,
    /// Threads whose samples could not be recorded, or not to their end.
    pub missed_threads: u32,
    /// By what the threads did, the activity with the most samples first.
    pub activities: Vec<Sampled>,
}

/// The samples of one activity.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sampled {
    /// The region; without addresses outside of all regions.
    pub region: Site,
    /// What the threads did.
    pub doing: Doing,
    /// How many.
    pub count: u64,
    /// The code that was sampled, and its callers.
    pub calls: Calls,
    /// The registers of some samples, if the recorder took them.
    pub registers: Vec<SampledRegisters>,
}

/// What a thread does while it is on a CPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Doing {
    /// It runs the program's code outside of parallel regions.
    #[default]
    Serial,
    /// It takes part in a region, or runs a task, or holds a lock.
    Active(Activity),
    /// It waits: in a construct of this `ompt_sync_region_t`.
    Waiting(u64, Site),
    /// It is a worker without a region.
    Idle,
}

impl Doing {
    /// The construct; without addresses if there is none.
    pub fn site(self) -> Site {
        match self {
            Doing::Active(activity) => activity.site,
            Doing::Waiting(_, site) => site,
            Doing::Serial | Doing::Idle => Site::default(),
        }
    }

    /// What users call it.
    pub fn name(self) -> Cow<'static, str> {
        match self {
            Doing::Serial => Cow::Borrowed("outside regions"),
            Doing::Active(activity) => activity.kind.name(),
            Doing::Waiting(kind, _) => Cow::Owned(format!("waiting: {}", sync_name(kind))),
            Doing::Idle => Cow::Borrowed("idle worker"),
        }
    }

    /// Whether the thread runs the program's code, and not the runtime's.
    pub fn is_program(self) -> bool {
        let waits = |kind| matches!(kind, ActivityKind::WaitingFor(_) | ActivityKind::Runtime);
        match self {
            Doing::Serial => true,
            Doing::Active(activity) => !waits(activity.kind),
            Doing::Waiting(..) | Doing::Idle => false,
        }
    }

    fn moved(self, place: impl Fn(Site) -> Site) -> Doing {
        match self {
            Doing::Active(activity) => Doing::Active(Activity { site: place(activity.site), ..activity }),
            Doing::Waiting(kind, site) => Doing::Waiting(kind, place(site)),
            Doing::Serial | Doing::Idle => self,
        }
    }
}

/// A line of the program on which threads spent CPU time.
#[derive(Clone, Debug, PartialEq)]
pub struct HotLine {
    /// The innermost code of the program with a line of its source; else the sampled code itself. Code of the runtime,
    /// of the system's libraries and of the system's headers is not the program's.
    pub place: Rc<Location>,
    /// The function that was found to run there, if it is another one, such as a routine of a library.
    pub callee: Option<String>,
    /// Samples.
    pub count: u64,
}

/// A function in which threads spent CPU time.
#[derive(Clone, Debug, PartialEq)]
pub struct HotFunction {
    /// Its name, or the short form of the place where it is not known.
    pub function: String,
    /// The line with the most samples in it, or in code that is inlined into it.
    pub place: Rc<Location>,
    /// Samples in the function and in what it called.
    pub inclusive: u64,
    /// Samples in the function itself.
    pub exclusive: u64,
}

impl Samples {
    /// The samples of one activity of one region, if there are any.
    pub fn of(&self, region: Site, doing: Doing) -> Option<&Sampled> {
        self.activities.iter().find(|sampled| sampled.region == region && sampled.doing == doing)
    }

    /// The samples outside of parallel regions, if there are any.
    pub fn serial(&self) -> Option<&Sampled> {
        self.activities.iter().find(|sampled| sampled.doing == Doing::Serial)
    }

    /// A part of all samples in percent.
    pub fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.count.max(1) as f64
    }
}

impl Sampled {
    /// The lines, the one with the most samples first. `trace` is the trace that the samples are of.
    pub fn lines(&self, trace: &Trace, symbols: &mut Symbolizer) -> Vec<HotLine> {
        let mut lines: HashMap<(String, Option<String>), HotLine> = HashMap::new();
        for leaf in self.calls.leaves() {
            let (place, callee) = line_of(&self.calls, leaf, trace, symbols);
            let place = coarse(place);
            let name = place.function.clone().unwrap_or_default();
            let line = lines.entry((format!("{name}\0{place}"), callee.clone())).or_insert(HotLine {
                place,
                callee,
                count: 0,
            });
            line.count += self.calls.count(leaf);
        }
        let mut lines: Vec<HotLine> = lines.into_values().collect();
        lines.sort_by_cached_key(|line| (std::cmp::Reverse(line.count), line.place.address, line.callee.clone()));
        lines
    }

    /// The functions, the one with the most inclusive samples first. What called `main` is left out.
    pub fn functions(&self, symbols: &mut Symbolizer) -> Vec<HotFunction> {
        let mut functions: HashMap<String, (HotFunction, u64)> = HashMap::new();
        let mut add = |name: &str, place: &Rc<Location>, count: u64, exclusive: u64| {
            let new = || {
                let (function, place) = (name.to_owned(), place.clone());
                (HotFunction { function, place, inclusive: 0, exclusive: 0 }, 0)
            };
            let own = place.function.is_none() || place.function.as_deref() == Some(name);
            let (sum, most) = functions.entry(name.to_owned()).or_insert_with(new);
            sum.inclusive += count;
            sum.exclusive += exclusive;
            if count > *most {
                *most = count;
                sum.place = if own { place.clone() } else { Rc::new(within(name, place)) };
            }
        };
        for leaf in self.calls.leaves() {
            let count = self.calls.count(leaf);
            // A recursive function counts once.
            let mut seen = HashSet::new();
            'path: for (index, node) in self.calls.path(leaf).enumerate() {
                let place = coarse(symbols.locate(self.calls.address(node)));
                let own = place.function.clone().unwrap_or_else(|| place.short());
                if own == "_start" || own.starts_with("__libc_start") {
                    break 'path;
                }
                for name in std::iter::once(&own).chain(&place.inlined_into) {
                    let innermost = index == 0 && seen.is_empty();
                    if seen.insert(name.clone()) {
                        add(name, &place, count, if innermost { count } else { 0 });
                    }
                    if name == "main" {
                        break 'path;
                    }
                }
            }
        }
        let mut functions: Vec<HotFunction> = functions.into_values().map(|(function, _)| function).collect();
        functions.sort_by_cached_key(|it| {
            (std::cmp::Reverse(it.inclusive), std::cmp::Reverse(it.exclusive), it.function.clone())
        });
        functions
    }
}

/// A place in code that is inlined into a function, as a place in that function.
fn within(function: &str, place: &Location) -> Location {
    Location { function: Some(function.to_owned()), inlined_into: Vec::new(), ..place.clone() }
}

/// The line that a sample is shown at, and the function that was called there.
fn line_of(calls: &Calls, leaf: u32, trace: &Trace, symbols: &mut Symbolizer) -> (Rc<Location>, Option<String>) {
    let innermost = symbols.locate(calls.address(leaf));
    let mut of_headers = None;
    for node in calls.path(leaf) {
        let address = calls.address(node);
        let place = symbols.locate(address);
        if trace.is_runtime(address) || place.line.is_none() || is_systems(place.module.as_ref().map(Path::new)) {
            continue;
        }
        if is_systems(place.file.as_deref()) {
            if let Some(place) = inlined_at(address, &place, symbols) {
                return (Rc::new(place), callee(true, &innermost));
            }
            of_headers.get_or_insert((node, place));
        } else {
            return (place, callee(node != leaf, &innermost));
        }
    }
    of_headers.map_or((innermost.clone(), None), |(node, place)| (place, callee(node != leaf, &innermost)))
}

/// Where the program has code of the system's headers inlined; none if the code around is of such headers as well.
fn inlined_at(address: u64, place: &Location, symbols: &mut Symbolizer) -> Option<Location> {
    let frames = symbols.frames(address);
    let outer = frames.iter().skip(1).take(place.inlined_into.len());
    let index = outer.into_iter().position(|frame| frame.line.is_some() && !is_systems(frame.file.as_deref()))?;
    let mut inlined_into = place.inlined_into[index..].to_vec();
    let function = Some(inlined_into.remove(0));
    let outer = &frames[index + 1];
    Some(Location { function, inlined_into, file: outer.file.clone(), line: outer.line, ..place.clone() })
}

/// A place without a line stands for its function; without a function, for its file.
fn coarse(place: Rc<Location>) -> Rc<Location> {
    let Some(module) = place.module.as_deref().filter(|_| place.line.is_none()) else { return place };
    let file = || format!("[{}]", module.rsplit('/').next().unwrap_or(module));
    let symbol = Some(place.symbol.clone().unwrap_or_else(file));
    Rc::new(Location { symbol, function_offset: None, ..(*place).clone() })
}

fn callee(is_another: bool, innermost: &Location) -> Option<String> {
    let name = || innermost.function.clone().or_else(|| innermost.symbol.clone());
    is_another.then(|| name().unwrap_or_else(|| coarse(Rc::new(innermost.clone())).short()))
}

/// Whether a file is the system's, and so not the program's.
fn is_systems(file: Option<&Path>) -> bool {
    const FOLDERS: [&str; 5] = ["/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/include"];
    file.is_some_and(|file| FOLDERS.iter().any(|folder| file.starts_with(folder)))
}

/// The samples that have been charged to what their threads did.
#[derive(Clone, Default)]
pub(super) struct Charged {
    sums: FxHashMap<(Site, Doing), Calls>,
    /// Of the program's code in regions.
    kept: FxHashMap<(Site, Doing), Kept>,
    /// Samples of the first thread, outside of regions, while it is not known whether that is the initial thread.
    unsure: Calls,
    /// Nodes of all calls, which are bounded.
    nodes: usize,
}

impl Charged {
    /// Charges a sample to what its thread did. `unsure`: it is only [`Doing::Serial`] if its thread is the initial
    /// one.
    pub fn charge(&mut self, thread: usize, sample: &Sample, region: Site, doing: Doing, unsure: bool) {
        if let Some(registers) = sample.registers.filter(|_| doing.is_program() && doing != Doing::Serial) {
            let sampled = SampledRegisters { thread: thread as u32, address: sample.address, registers };
            self.kept.entry((region, doing)).or_default().add(sampled);
        }
        let calls = if unsure { &mut self.unsure } else { self.sums.entry((region, doing)).or_default() };
        calls.add(&sample.callers, sample.address, &mut self.nodes);
    }

    /// The constructs that samples are charged to.
    pub fn sites(&self) -> BTreeSet<Site> {
        self.sums.keys().flat_map(|(region, doing)| [*region, doing.site()]).collect()
    }

    /// The sums, with `place` of each construct. `of_initial`: the first thread is the initial one.
    pub fn finish(self, meta: &Meta, of_initial: bool, place: impl Fn(Site) -> Site) -> Samples {
        let mut sums: FxHashMap<(Site, Doing), Calls> = FxHashMap::default();
        let unsure = ((Site::default(), if of_initial { Doing::Serial } else { Doing::Idle }), self.unsure);
        for ((region, doing), calls) in self.sums.into_iter().chain([unsure]) {
            sums.entry((place(region), doing.moved(&place))).or_default().unite(calls);
        }
        let mut kept: FxHashMap<(Site, Doing), Kept> = FxHashMap::default();
        for ((region, doing), registers) in self.kept {
            kept.entry((place(region), doing.moved(&place))).or_default().unite(registers);
        }
        let sampled = |((region, doing), calls): ((Site, Doing), Calls)| {
            let count = calls.leaves().map(|leaf| calls.count(leaf)).sum();
            let registers = kept.remove(&(region, doing)).map_or_else(Vec::new, Kept::sorted);
            Sampled { region, doing, count, calls: calls.sorted(), registers }
        };
        let mut activities: Vec<Sampled> = sums.into_iter().map(sampled).filter(|sum| sum.count > 0).collect();
        activities.sort_by_key(|sum| (std::cmp::Reverse(sum.count), sum.region, sum.doing));
        let count = activities.iter().map(|sampled| sampled.count).sum();
        Samples { rate: meta.sample_rate, count, missed_threads: meta.missed_samples, activities }
    }
}
