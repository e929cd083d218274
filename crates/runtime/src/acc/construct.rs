//! OpenACC's constructs on the host (OpenACC 2.6, 2.5–7, 2.14). The encountering thread calls a compute region's code;
//! data constructs are only reported to the profiling interface.

use super::device;
use super::profile::{self, Construct, Event, Occasion};
use crate::objects::structures::Thread;
use std::ffi::c_void;

/// The code of a compute region. The argument points to the addresses of the region's variables.
pub type Region = unsafe extern "C" fn(*const *mut c_void);

/// Executes a compute construct (2.5). The host has one gang, worker and vector lane. The region is complete when this
/// returns, even with an `async` clause.
///
/// # Safety
/// The code takes these addresses.
pub unsafe fn compute(thread: &Thread, region: Region, addresses: *const *mut c_void) {
    device::attach(thread);
    profile::around(thread, Event::ComputeConstruct, Occasion::of(Construct::Parallel), || {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { region(addresses) };
    });
}

/// Begins a data construct, or one that returns device addresses (2.6.5, 2.8), which are the program's own.
pub fn data_begins(thread: &Thread, construct: Construct) {
    device::attach(thread);
    profile::around(thread, Event::EnterData, Occasion::of(construct), || device::region_begins(thread));
}

/// Ends a data construct.
pub fn data_ends(thread: &Thread) {
    device::attach(thread);
    profile::around(thread, Event::ExitData, Occasion::of(Construct::Data), || device::region_ends(thread));
}

/// A directive without a region, in the place of `queue`: `enter data`, `exit data` (2.6.6) or `update` (2.14.4). The
/// host's data and the device's are the same.
pub fn directive(thread: &Thread, construct: Construct, queue: i32) {
    let event = match construct {
        Construct::EnterData => Event::EnterData,
        Construct::ExitData => Event::ExitData,
        _ => Event::Update,
    };
    device::attach(thread);
    profile::around(thread, event, Occasion::queued(construct, queue), || ());
}
