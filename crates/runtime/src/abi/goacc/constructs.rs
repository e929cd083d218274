//! Constructs and directives (`GOACC_*`; OpenACC 2.6, 2.5–2.16). Lists of variables come as in `GOMP_target_ext`. On
//! the host, how they are mapped does not matter, nor do the clauses that follow as further arguments: sizes of gangs,
//! queues to wait for.

use crate::acc::construct::{self, Region};
use crate::acc::profile::Construct;
use crate::acc::{self, check_queue};
use crate::objects::current;
use std::ffi::{c_int, c_void};

/// `GOMP_MAP_*`: the low byte of a variable's kind.
mod kind {
    pub const ALLOC: u8 = 0;
    pub const TO: u8 = 1;
    pub const FROM: u8 = 2;
    pub const POINTER: u8 = 4;
    pub const TO_PSET: u8 = 5;
    pub const FORCE_PRESENT: u8 = 6;
    pub const DELETE: u8 = 7;
    pub const USE_DEVICE_PTR: u8 = 14;
    pub const USE_DEVICE_PTR_IF_PRESENT: u8 = 16;
    pub const STRUCT: u8 = 28;
    pub const RELEASE: u8 = 23;
    pub const ATTACH: u8 = 80;
    pub const DETACH: u8 = 81;
    pub const STRUCT_UNORD: u8 = 92;
    pub const FORCE_ALLOC: u8 = 128;
    pub const FORCE_TO: u8 = 129;
    pub const FORCE_FROM: u8 = 130;
    pub const FORCE_DETACH: u8 = 209;
}

/// # Safety
/// The list has as many elements.
unsafe fn kinds(count: usize, list: *const u16) -> impl Iterator<Item = u8> {
    // SAFETY: the caller's.
    (0..count).map(move |index| unsafe { *list.add(index) } as u8)
}

/// `GOACC_parallel_keyed`: a compute construct: `parallel`, `kernels` or `serial`.
///
/// # Safety
/// As the compiler calls it. Clauses may follow as further arguments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOACC_parallel_keyed(
    _flags: c_int,
    region: Region,
    _count: usize,
    addresses: *const *mut c_void,
    _sizes: *const usize,
    _kinds: *const u16,
) {
    // SAFETY: the compiler's.
    unsafe { construct::compute(current::current(), region, addresses) };
}

/// `GOACC_parallel`: the same, from gcc 5.
///
/// # Safety
/// As for [`GOACC_parallel_keyed`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOACC_parallel(
    flags: c_int,
    region: Region,
    count: usize,
    addresses: *const *mut c_void,
    sizes: *const usize,
    kinds: *const u16,
) {
    // SAFETY: the caller's.
    unsafe { GOACC_parallel_keyed(flags, region, count, addresses, sizes, kinds) };
}

/// `GOACC_data_start`: a `data` or `host_data` construct begins.
///
/// # Safety
/// As the compiler calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOACC_data_start(
    _flags: c_int,
    count: usize,
    _addresses: *const *mut c_void,
    _sizes: *const usize,
    list: *const u16,
) {
    // SAFETY: the compiler's.
    let lends =
        unsafe { kinds(count, list) }.any(|its| matches!(its, kind::USE_DEVICE_PTR | kind::USE_DEVICE_PTR_IF_PRESENT));
    construct::data_begins(current::current(), if lends { Construct::HostData } else { Construct::Data });
}

/// `GOACC_data_end`: the construct that began last ends.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_data_end() {
    construct::data_ends(current::current());
}

/// `GOACC_enter_data`: an `enter data` directive.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_enter_data(
    _flags: c_int,
    _count: usize,
    _addresses: *const *mut c_void,
    _sizes: *const usize,
    _kinds: *const u16,
    queue: c_int,
) {
    construct::enter_data(current::current(), queue);
}

/// `GOACC_exit_data`: an `exit data` directive.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_exit_data(
    _flags: c_int,
    _count: usize,
    _addresses: *const *mut c_void,
    _sizes: *const usize,
    _kinds: *const u16,
    queue: c_int,
) {
    construct::exit_data(current::current(), queue);
}

/// `GOACC_enter_exit_data`: one or the other, from gcc up to 11, as the kinds of the variables say.
///
/// # Safety
/// As the compiler calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOACC_enter_exit_data(
    _flags: c_int,
    count: usize,
    _addresses: *const *mut c_void,
    _sizes: *const usize,
    list: *const u16,
    queue: c_int,
) {
    // SAFETY: the compiler's.
    let enters = unsafe { kinds(count, list) }.find_map(|its| match its {
        kind::POINTER | kind::TO_PSET | kind::STRUCT | kind::STRUCT_UNORD => None,
        kind::ALLOC | kind::TO | kind::FORCE_ALLOC | kind::FORCE_TO | kind::FORCE_PRESENT | kind::ATTACH => Some(true),
        kind::FROM | kind::RELEASE | kind::DELETE | kind::DETACH | kind::FORCE_DETACH | kind::FORCE_FROM => Some(false),
        other => acc::end(&format!("GOACC_enter_exit_data: variables of kind {other:#x} are not known")),
    });
    if enters.unwrap_or(false) {
        construct::enter_data(current::current(), queue);
    } else {
        construct::exit_data(current::current(), queue);
    }
}

/// `GOACC_update`: an `update` directive.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_update(
    _flags: c_int,
    _count: usize,
    _addresses: *const *mut c_void,
    _sizes: *const usize,
    _kinds: *const u16,
    queue: c_int,
) {
    construct::update(current::current(), queue);
}

/// `GOACC_declare`: a `declare` directive, where its variables begin or end to exist. The program ends where one must
/// be present and has no address.
///
/// # Safety
/// As the compiler calls it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GOACC_declare(
    _flags: c_int,
    count: usize,
    addresses: *const *mut c_void,
    _sizes: *const usize,
    list: *const u16,
) {
    const SYNCHRONOUS: c_int = -2;
    let thread = current::current();
    // SAFETY: the compiler's.
    for (index, its) in unsafe { kinds(count, list) }.enumerate() {
        match its {
            kind::ALLOC | kind::TO | kind::FORCE_ALLOC | kind::FORCE_TO => construct::enter_data(thread, SYNCHRONOUS),
            kind::FROM | kind::FORCE_FROM | kind::RELEASE | kind::DELETE => construct::exit_data(thread, SYNCHRONOUS),
            // SAFETY: there are as many addresses as kinds.
            kind::FORCE_PRESENT if unsafe { *addresses.add(index) }.is_null() => {
                acc::end("a variable that must be present is null")
            }
            _ => {}
        }
    }
}

/// `GOACC_wait`: a `wait` directive. Nothing is ever under way.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_wait(queue: c_int, _count: c_int) {
    acc::device::attach(current::current());
    check_queue(queue);
}

/// `GOACC_get_num_threads`: how many threads execute a region, in programs of gcc 5.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_get_num_threads() -> c_int {
    1
}

/// `GOACC_get_thread_num`: which of them the caller is.
#[unsafe(no_mangle)]
pub extern "C" fn GOACC_get_thread_num() -> c_int {
    0
}
