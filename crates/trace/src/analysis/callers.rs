//! Who called the code that encounters a construct.

use crate::Site;
use crate::store::Record;
use crate::store::sample::DEEPEST;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The callers of constructs, while the records of all threads are read.
#[derive(Clone, Default)]
pub(super) struct Callers {
    /// The construct that each thread's next [`Record::Caller`] is about.
    current: Vec<Site>,
    found: FxHashMap<Site, Vec<u64>>,
}

impl Callers {
    /// A further thread.
    pub fn add_thread(&mut self) {
        self.current.push(Site::default());
    }

    /// Takes the thread's next record.
    pub fn event(&mut self, thread: usize, record: &Record) {
        match *record {
            Record::Function { codeptr, function } => self.current[thread] = Site { codeptr, function },
            Record::Caller { address } => {
                let callers = self.found.entry(self.current[thread]).or_default();
                // A damaged trace may have any number.
                if callers.len() < DEEPEST {
                    callers.push(address);
                }
            }
            _ => {}
        }
    }

    /// The return addresses in the callers of each construct, the innermost first. `place` gives the site that stands
    /// for all addresses of a construct. Of several ways to a construct, one stays.
    pub fn finish(self, place: impl Fn(Site) -> Site) -> Vec<(Site, Vec<u64>)> {
        let found: BTreeMap<Site, Vec<u64>> = self.found.into_iter().collect();
        let mut by_place: BTreeMap<Site, Vec<u64>> = BTreeMap::new();
        for (site, callers) in found {
            by_place.entry(place(site)).or_insert(callers);
        }
        by_place.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_construct_keeps_the_callers_that_follow_it() {
        let (one, other) = (Site { codeptr: 0x10, function: 0x100 }, Site { codeptr: 0x18, function: 0x100 });
        let function = |site: Site| Record::Function { codeptr: site.codeptr, function: site.function };
        let mut callers = Callers::default();
        callers.add_thread();
        callers.add_thread();
        for (thread, record) in [
            (0, function(one)),
            (1, function(other)),
            (0, Record::Caller { address: 1 }),
            (1, Record::Caller { address: 3 }),
            (0, Record::Caller { address: 2 }),
        ] {
            callers.event(thread, &record);
        }
        assert_eq!(callers.finish(|_| one), [(one, vec![1, 2])]);
    }
}
