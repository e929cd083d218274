//! Calls of MPI by place: how often, how long, how many bytes, and to which partners.

use super::sum::add;
use crate::Site;
use crate::store::mpi;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// All calls of one function of MPI at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MpiSite {
    /// The function's number; see [`MpiSite::name`].
    pub call: u64,
    /// The call.
    pub site: Site,
    /// Calls.
    pub count: u64,
    /// Time in them, of all threads.
    pub total_ns: u64,
    /// The longest.
    pub max_ns: u64,
    /// The part of `total_ns` in parallel regions.
    pub region_ns: u64,
    /// The part of `total_ns` of the initial thread outside of parallel regions. Other threads may be in MPI meanwhile.
    pub serial_ns: u64,
    /// The region with most of `region_ns`; without addresses if there is none.
    pub region: Site,
    /// Bytes that the process handed over, or for which it had room in calls that only receive.
    pub bytes: u64,
    /// Different ranks that were partners or roots, each in the communicator of its call.
    pub partners: u64,
    /// The lowest of them; 0 if there are none.
    pub lowest: u64,
    /// The highest.
    pub highest: u64,
}

impl MpiSite {
    /// What users call the function.
    pub fn name(&self) -> Cow<'static, str> {
        mpi::name(self.call)
    }
}

/// A call that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    pub call: u64,
    pub codeptr: u64,
    pub bytes: u64,
    /// The partner's rank plus one; 0 for none.
    pub partner: u64,
    pub begin: u64,
}

/// The calls of all threads, by function and place.
#[derive(Clone, Default)]
pub(super) struct Calls {
    sums: FxHashMap<(u64, Site), Sum>,
}

#[derive(Clone, Default)]
struct Sum {
    count: u64,
    total: u64,
    max: u64,
    /// Of the initial thread, outside of regions.
    serial: u64,
    bytes: u64,
    partners: FxHashSet<u64>,
    /// By the region.
    regions: FxHashMap<Site, u64>,
}

impl Calls {
    /// A call has ended, or is cut, at `end`. `region` is the thread's parallel region, if there is one.
    pub fn add(&mut self, called: Called, end: u64, region: Option<Site>) {
        let sum = self.sums.entry((called.call, Site::from(called.codeptr))).or_default();
        let time = end.saturating_sub(called.begin);
        sum.count += 1;
        sum.max = sum.max.max(time);
        add(&mut sum.total, time);
        add(&mut sum.bytes, called.bytes);
        sum.partners.extend(called.partner.checked_sub(1));
        if let Some(region) = region {
            add(sum.regions.entry(region).or_default(), time);
        }
    }

    /// The initial thread was in this function's calls for so long, outside of regions.
    pub fn add_serial(&mut self, call: (u64, Site), time: u64) {
        add(&mut self.sums.entry(call).or_default().serial, time);
    }

    /// What was summed up so far does not count.
    pub fn forget(&mut self) {
        self.sums.clear();
    }

    /// The places of all calls.
    pub fn places(&self) -> impl Iterator<Item = Site> {
        self.sums.keys().map(|(_, site)| *site)
    }

    /// The calls by place, the place with the most time first. `at` gives the site that stands for all addresses of a
    /// place.
    pub fn finish(self, at: impl Fn(Site) -> Site) -> Vec<MpiSite> {
        let mut united: FxHashMap<(u64, Site), Sum> = FxHashMap::default();
        for ((call, site), part) in self.sums {
            let sum = united.entry((call, at(site))).or_default();
            sum.count += part.count;
            sum.max = sum.max.max(part.max);
            add(&mut sum.total, part.total);
            add(&mut sum.serial, part.serial);
            add(&mut sum.bytes, part.bytes);
            sum.partners.extend(part.partners);
            for (region, time) in part.regions {
                add(sum.regions.entry(at(region)).or_default(), time);
            }
        }
        let mut sites: Vec<MpiSite> = united.into_iter().map(|((call, site), sum)| sum.site(call, site)).collect();
        sites.sort_by_key(|one| (std::cmp::Reverse(one.total_ns), one.call, one.site));
        sites
    }
}

impl Sum {
    fn site(self, call: u64, site: Site) -> MpiSite {
        let most = self.regions.iter().max_by_key(|(site, time)| (**time, std::cmp::Reverse(**site)));
        MpiSite {
            call,
            site,
            count: self.count,
            total_ns: self.total,
            max_ns: self.max,
            region_ns: self.regions.values().copied().fold(0, u64::saturating_add),
            serial_ns: self.serial,
            region: most.map_or(Site::default(), |(region, _)| *region),
            bytes: self.bytes,
            partners: self.partners.len() as u64,
            lowest: self.partners.iter().min().copied().unwrap_or(0),
            highest: self.partners.iter().max().copied().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_summed_up_by_place() {
        let mut calls = Calls::default();
        let called = |codeptr, partner, begin| Called { call: 10, codeptr, bytes: 8, partner, begin };
        calls.add(called(64, 1, 100), 150, None);
        calls.add(called(65, 4, 200), 210, Some(Site::from(7)));
        calls.add(Called { call: 40, ..called(64, 0, 300) }, 301, None);
        calls.add_serial((10, Site::from(64)), 5);
        let sites = calls.finish(|site| if site.codeptr == 65 { Site::from(64) } else { site });
        let send = MpiSite {
            call: 10,
            site: Site::from(64),
            count: 2,
            total_ns: 60,
            max_ns: 50,
            region_ns: 10,
            serial_ns: 5,
            region: Site::from(7),
            bytes: 16,
            partners: 2,
            lowest: 0,
            highest: 3,
        };
        assert_eq!((sites.len(), &sites[0]), (2, &send));
        assert_eq!((sites[1].name(), sites[1].partners), ("MPI_Barrier".into(), 0));
    }
}
