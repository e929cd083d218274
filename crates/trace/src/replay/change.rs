//! What is changed in a replay, with places as sets of constructs.

use crate::Site;
use rustc_hash::FxHashSet;

/// One change of the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Regions have so many threads, and the threads as many CPUs.
    Threads(u64),
    /// The members of a team have equal parts of the work here.
    Balance(FxHashSet<Site>),
    /// The iterations of the loops here are handed out in chunks of so many.
    Chunk(FxHashSet<Site>, u64),
    /// Nobody waits for a lock or a critical, ordered or atomic region that is acquired here.
    Contention(FxHashSet<Site>),
    /// There is no barrier here, or after the construct here.
    NoWait(FxHashSet<Site>),
    /// So many tasks of those created here are one task.
    Grain(FxHashSet<Site>, f64),
    /// The program's code here takes a part of its time.
    Faster(FxHashSet<Site>, f64),
    /// The program's code outside of regions takes a part of its time.
    Serial(f64),
    /// Device constructs here take a part of their time.
    Device(FxHashSet<Site>, f64),
}

/// All changes of a replay.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes(pub Vec<Change>);

impl Changes {
    /// The number of threads, if it is changed.
    pub fn threads(&self) -> Option<u64> {
        self.0.iter().rev().find_map(|change| if let Change::Threads(threads) = change { Some(*threads) } else { None })
    }

    /// The iterations of a chunk of a loop, if they are changed.
    pub fn chunk(&self, site: Site) -> Option<u64> {
        let of = |change: &Change| match change {
            Change::Chunk(sites, size) if sites.contains(&site) => Some(*size),
            _ => None,
        };
        self.0.iter().rev().find_map(of)
    }

    /// Whether a barrier is to be left out.
    pub fn has_nowait(&self) -> bool {
        self.0.iter().any(|change| matches!(change, Change::NoWait(_)))
    }

    /// Whether a site is among those for which `of` returns a set.
    pub fn names(&self, site: Site, of: impl Fn(&Change) -> Option<&FxHashSet<Site>>) -> bool {
        self.0.iter().filter_map(of).any(|sites| sites.contains(&site))
    }

    /// The product of the factors that `of` returns for a site.
    pub fn factor(&self, of: impl Fn(&Change) -> Option<f64>) -> f64 {
        self.0.iter().filter_map(of).product()
    }
}
