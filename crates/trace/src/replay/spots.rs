//! The spots of a run: what threads do and where. Each has a number, and what the changes make of it.

use super::change::{Change, Changes};
use crate::Site;
use crate::analysis::{ActivityKind, PathKind};
use rustc_hash::FxHashMap;

/// What the changes make of a spot.
#[derive(Clone, Copy, Debug)]
pub struct Effect {
    /// Time in the replay, by time in the recorded run.
    pub factor: f64,
    /// Whether the members of a team have equal parts of it.
    pub balance: bool,
    /// Whether nobody waits for it, of a lock.
    pub free: bool,
    /// So many tasks are one.
    pub grain: f64,
    /// Iterations of a chunk, of a loop; 0 if chunks stay as they were.
    pub chunk: u64,
}

/// All spots, and the places of constructs.
pub struct Spots<'a> {
    numbers: FxHashMap<(PathKind, Site), u32>,
    all: Vec<(PathKind, Site, Effect)>,
    places: FxHashMap<Site, Site>,
    place: &'a mut dyn FnMut(Site) -> Site,
    changes: &'a Changes,
}

impl<'a> Spots<'a> {
    pub fn new(changes: &'a Changes, place: &'a mut dyn FnMut(Site) -> Site) -> Spots<'a> {
        Spots { numbers: FxHashMap::default(), all: Vec::new(), places: FxHashMap::default(), place, changes }
    }

    /// The construct that stands for all constructs of the same line.
    pub fn place(&mut self, site: Site) -> Site {
        let place = &mut *self.place;
        *self.places.entry(site).or_insert_with(|| if site == Site::default() { site } else { place(site) })
    }

    /// The number of a spot.
    pub fn number(&mut self, what: PathKind, site: Site) -> u32 {
        if let Some(number) = self.numbers.get(&(what, site)) {
            return *number;
        }
        let at = self.place(site);
        let number = match self.numbers.get(&(what, at)) {
            Some(number) => *number,
            None => {
                let effect = effect(self.changes, what, at);
                self.all.push((what, at, effect));
                self.all.len() as u32 - 1
            }
        };
        self.numbers.insert((what, at), number);
        self.numbers.insert((what, site), number);
        number
    }

    /// What the changes make of it.
    pub fn effect(&self, spot: u32) -> Effect {
        self.all[spot as usize].2
    }

    /// What it is, and where.
    pub fn what(&self, spot: u32) -> (PathKind, Site) {
        let (what, site, _) = self.all[spot as usize];
        (what, site)
    }

    /// The changes.
    pub fn changes(&self) -> &'a Changes {
        self.changes
    }
}

fn effect(changes: &Changes, what: PathKind, site: Site) -> Effect {
    let is_code = match what {
        PathKind::Code(ActivityKind::Runtime | ActivityKind::Device | ActivityKind::Beginning) => false,
        PathKind::Code(_) => true,
        _ => false,
    };
    let is_lock = matches!(what, PathKind::Code(ActivityKind::Holding(_)));
    let is_work = matches!(what, PathKind::Code(ActivityKind::Work(_)));
    let is_task = matches!(what, PathKind::Code(ActivityKind::Task));
    Effect {
        factor: changes.factor(|change| match change {
            Change::Serial(factor) if what == PathKind::Serial => Some(*factor),
            Change::Faster(sites, factor) if is_code && sites.contains(&site) => Some(*factor),
            Change::Device(sites, factor) if what == PathKind::Code(ActivityKind::Device) && sites.contains(&site) => {
                Some(*factor)
            }
            _ => None,
        }),
        balance: is_code
            && changes.names(site, |change| if let Change::Balance(sites) = change { Some(sites) } else { None }),
        free: is_lock
            && changes.names(site, |change| if let Change::Contention(sites) = change { Some(sites) } else { None }),
        grain: changes.factor(|change| match change {
            Change::Grain(sites, grain) if is_task && sites.contains(&site) => Some(*grain),
            _ => None,
        }),
        chunk: changes.chunk(site).filter(|_| is_work).unwrap_or(0),
    }
}
