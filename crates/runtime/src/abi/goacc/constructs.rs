//! Constructs and directives (`GOACC_*`; OpenACC 2.6, 2.5–2.16). Lists of variables come as in `GOMP_target_ext`. On
//! the host the mapping of variables does not matter. Neither do the clauses that follow as further arguments: sizes of
//! gangs, queues to wait for.

use crate::abi::routines;
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

/// Whether a variable of this kind begins to exist on the device.
fn begins(its: u8) -> bool {
    matches!(its, kind::ALLOC | kind::TO | kind::FORCE_ALLOC | kind::FORCE_TO)
}

/// Whether a variable of this kind stops existing on the device.
fn ends(its: u8) -> bool {
    matches!(its, kind::FROM | kind::FORCE_FROM | kind::RELEASE | kind::DELETE)
}

/// # Safety
/// The list has as many elements.
unsafe fn kinds(count: usize, list: *const u16) -> impl Iterator<Item = u8> {
    // SAFETY: the caller keeps to the `# Safety` section.
    (0..count).map(move |index| unsafe { *list.add(index) } as u8)
}

routines! {
    /// `GOACC_parallel_keyed`: a compute construct: `parallel`, `kernels` or `serial`. gcc 5 calls `GOACC_parallel`.
    ///
    /// # Safety
    /// The arguments are what the compiler passes. Clauses may follow as further arguments.
    pub fn GOACC_parallel_keyed(flags: c_int, region: Region, count: usize, addresses: *const *mut c_void,
        sizes: *const usize, kinds: *const u16), also: GOACC_parallel {
        construct::compute(current::current(), region, addresses);
    }

    /// `GOACC_data_start`: a `data` or `host_data` construct begins.
    ///
    /// # Safety
    /// The arguments are what the compiler passes.
    pub fn GOACC_data_start(flags: c_int, count: usize, addresses: *const *mut c_void, sizes: *const usize,
        list: *const u16) {
        let lends =
            kinds(count, list).any(|its| matches!(its, kind::USE_DEVICE_PTR | kind::USE_DEVICE_PTR_IF_PRESENT));
        construct::data_begins(current::current(), if lends { Construct::HostData } else { Construct::Data });
    }

    /// `GOACC_data_end`: the construct that began last ends.
    pub fn GOACC_data_end() {
        construct::data_ends(current::current());
    }

    /// `GOACC_enter_data`: an `enter data` directive.
    pub fn GOACC_enter_data(flags: c_int, count: usize, addresses: *const *mut c_void, sizes: *const usize,
        kinds: *const u16, queue: c_int) {
        construct::directive(current::current(), Construct::EnterData, queue);
    }

    /// `GOACC_exit_data`: an `exit data` directive.
    pub fn GOACC_exit_data(flags: c_int, count: usize, addresses: *const *mut c_void, sizes: *const usize,
        kinds: *const u16, queue: c_int) {
        construct::directive(current::current(), Construct::ExitData, queue);
    }

    /// `GOACC_enter_exit_data`: an `enter data` or `exit data` directive, from gcc up to 11. The kinds of the variables
    /// decide which.
    ///
    /// # Safety
    /// The arguments are what the compiler passes.
    pub fn GOACC_enter_exit_data(flags: c_int, count: usize, addresses: *const *mut c_void, sizes: *const usize,
        list: *const u16, queue: c_int) {
        let enters = kinds(count, list).find_map(|its| match its {
            kind::POINTER | kind::TO_PSET | kind::STRUCT | kind::STRUCT_UNORD => None,
            kind::FORCE_PRESENT | kind::ATTACH => Some(true),
            kind::DETACH | kind::FORCE_DETACH => Some(false),
            its if begins(its) => Some(true),
            its if ends(its) => Some(false),
            other => acc::end(&format!("GOACC_enter_exit_data: variables of kind {other:#x} are not known")),
        });
        let begin_or_end = if enters.unwrap_or(false) { Construct::EnterData } else { Construct::ExitData };
        construct::directive(current::current(), begin_or_end, queue);
    }

    /// `GOACC_update`: an `update` directive.
    pub fn GOACC_update(flags: c_int, count: usize, addresses: *const *mut c_void, sizes: *const usize,
        kinds: *const u16, queue: c_int) {
        construct::directive(current::current(), Construct::Update, queue);
    }

    /// `GOACC_declare`: a `declare` directive, where its variables begin or stop existing. The program ends where a
    /// variable must be present and has no address.
    ///
    /// # Safety
    /// The arguments are what the compiler passes.
    pub fn GOACC_declare(flags: c_int, count: usize, addresses: *const *mut c_void, sizes: *const usize,
        list: *const u16) {
        const SYNCHRONOUS: c_int = -2;
        let thread = current::current();
        for (index, its) in kinds(count, list).enumerate() {
            match its {
                its if begins(its) => construct::directive(thread, Construct::EnterData, SYNCHRONOUS),
                its if ends(its) => construct::directive(thread, Construct::ExitData, SYNCHRONOUS),
                kind::FORCE_PRESENT if (*addresses.add(index)).is_null() => {
                    acc::end("a variable that must be present is null")
                }
                _ => {}
            }
        }
    }

    /// `GOACC_wait`: a `wait` directive. Nothing is ever under way.
    pub fn GOACC_wait(queue: c_int, count: c_int) {
        acc::device::attach(current::current());
        check_queue(queue);
    }

    /// `GOACC_get_num_threads`: how many threads execute a region, in programs of gcc 5.
    pub fn GOACC_get_num_threads() -> c_int { 1 }

    /// `GOACC_get_thread_num`: which of them the caller is.
    pub fn GOACC_get_thread_num() -> c_int { 0 }
}
