//! OpenACC's constructs on the host (OpenACC 2.6, 2.5–7, 2.14): the code of a compute region is called where it stands,
//! and data constructs have nothing to do but to be told.

use super::device;
use super::profile::{self, Construct, Event, Occasion};
use crate::objects::structures::Thread;
use std::ffi::c_void;

/// Code of a compute region, which takes a pointer to the addresses of its variables.
pub type Region = unsafe extern "C" fn(*const *mut c_void);

/// Executes a compute construct (2.5). Gangs, workers and vectors are one each on the host, and the region is complete
/// when this returns, whatever its `async` clause says.
///
/// # Safety
/// The code and the addresses belong together.
pub unsafe fn compute(thread: &Thread, region: Region, addresses: *const *mut c_void) {
    device::attach(thread);
    profile::around(thread, Event::ComputeConstruct, Occasion::of(Construct::Parallel), || {
        // SAFETY: the caller's.
        unsafe { region(addresses) };
    });
}

/// A data construct begins, or one that lends device addresses to the program (2.6.5, 2.8): those are the program's
/// own.
pub fn data_begins(thread: &Thread, construct: Construct) {
    device::attach(thread);
    profile::around(thread, Event::EnterData, Occasion::of(construct), || device::region_begins(thread));
}

/// A data construct ends.
pub fn data_ends(thread: &Thread) {
    device::attach(thread);
    profile::around(thread, Event::ExitData, Occasion::of(Construct::Data), || device::region_ends(thread));
}

/// An `enter data` directive, in the place of `queue` (2.6.6).
pub fn enter_data(thread: &Thread, queue: i32) {
    device::attach(thread);
    profile::around(thread, Event::EnterData, Occasion::queued(Construct::EnterData, queue), || ());
}

/// An `exit data` directive, in the place of `queue` (2.6.6).
pub fn exit_data(thread: &Thread, queue: i32) {
    device::attach(thread);
    profile::around(thread, Event::ExitData, Occasion::queued(Construct::ExitData, queue), || ());
}

/// An `update` directive, in the place of `queue` (2.14.4): the host's data and the device's are the same.
pub fn update(thread: &Thread, queue: i32) {
    device::attach(thread);
    profile::around(thread, Event::Update, Occasion::queued(Construct::Update, queue), || ());
}
