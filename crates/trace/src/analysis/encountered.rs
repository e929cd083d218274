//! The parallel constructs that a program has encountered.

use crate::Progress;
use crate::Site;
use crate::reader::Trace;
use crate::site::Functions;
use crate::store::Record;
use std::collections::BTreeSet;

/// The parallel constructs of a trace, each call and function by itself. Reads all events; `progress` gets the bytes
/// read.
pub fn regions(trace: &Trace, progress: Progress<'_>) -> BTreeSet<Site> {
    let (mut sites, mut read) = (BTreeSet::new(), 0);
    for thread in &trace.threads {
        let mut functions = Functions::default();
        for event in trace.events(thread) {
            let site = functions.site(&event.record);
            if matches!(event.record, Record::ParallelBegin { .. }) {
                sites.insert(site);
            }
        }
        read += thread.len() as u64;
        progress(read, trace.bytes());
    }
    sites
}
