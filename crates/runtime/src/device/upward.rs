//! Answers to calls from lower layers (`upcalls.rs`).

use super::available;
use crate::icv::select;

/// [`ferromp_up_host_number`](crate::upcalls::ferromp_up_host_number).
#[unsafe(no_mangle)]
fn ferromp_up_host_number() -> i32 {
    available::host()
}

/// [`ferromp_up_expected_devices`](crate::upcalls::ferromp_up_expected_devices).
#[unsafe(no_mangle)]
fn ferromp_up_expected_devices(wanted: i32, available: Option<&str>) -> u32 {
    available::expected(wanted, available.and_then(select::parse_available).as_ref().map(|list| &*list.items))
}
