//! Target constructs (`GOMP_target*`; OpenMP 5.1 §2.14) and the registration of code for devices (`GOMP_offload_*`).
//! gcc's programs have no device but the host: the host executes the regions, and mapped variables are the program's
//! own.

use super::check_flags;
use super::task::DependClause;
use crate::abi::{entry_point, list, routines, wide_entry_point};
use crate::device::{self, DeviceClause, Private, Region, Synchronisation};
use crate::device_numbers;
use crate::objects::call::Call;
use crate::objects::current;
use crate::objects::dependence::Dependences;
use crate::objects::structures::Thread;
use ::ompt::Target;
use std::borrow::Cow;
use std::ffi::{c_int, c_uint, c_void};

/// `GOMP_DEVICE_*`. gcc passes a program's -1 and -2 as the number before; it passes other numbers as they are.
const DEFAULT_DEVICE: c_int = -1;
const HOST_FALLBACK: c_int = -2;
/// `GOMP_TARGET_FLAG_NOWAIT`
const NOWAIT: c_uint = 1;
/// `GOMP_TARGET_FLAG_EXIT_DATA`
const EXIT_DATA: c_uint = 1 << 1;
/// `GOMP_MAP_FIRSTPRIVATE`; the alignment stands above the low byte.
const FIRSTPRIVATE: u16 = 12;

fn device_clause(number: c_int) -> DeviceClause {
    match number {
        DEFAULT_DEVICE | device_numbers::DEFAULT => DeviceClause::Default,
        HOST_FALLBACK => DeviceClause::Host,
        number => DeviceClause::Number(number),
    }
}

/// The `firstprivate` variables. An optional argument of a Fortran procedure that is not present gets no copy.
///
/// # Safety
/// The lists have `count` elements.
unsafe fn privates(addresses: &[usize], sizes: *const usize, kinds: *const u16) -> Vec<Private> {
    (0..addresses.len())
        .filter(|&index| addresses[index] != 0)
        .filter_map(|index| {
            // SAFETY: the caller keeps to the `# Safety` section.
            let (kind, bytes) = unsafe { (*kinds.add(index), *sizes.add(index)) };
            (kind & 0xff == FIRSTPRIVATE).then(|| Private { index, bytes, align: 1 << (kind >> 8) })
        })
        .collect()
}

/// The variables as a region's code for the host expects them. A `map` clause with an iterator is passed as one
/// variable whose address is that of a list: the number of variables, then the address and the size of each. The code
/// expects the first address.
///
/// # Safety
/// `sizes` has as many elements as there are addresses.
unsafe fn without_iterators(addresses: &[usize], sizes: *const usize) -> Cow<'_, [usize]> {
    const ITERATOR: usize = usize::MAX;
    // SAFETY: the caller keeps to the `# Safety` section.
    let is_list = |index: usize| unsafe { *sizes.add(index) } == ITERATOR;
    if !(0..addresses.len()).any(is_list) {
        return Cow::Borrowed(addresses);
    }
    let first = |(index, &address): (usize, &usize)| {
        let list = address as *const usize;
        match is_list(index) {
            false => address,
            // SAFETY: there is such a list at the address.
            true => unsafe { if *list == 0 { 0 } else { *list.add(1) } },
        }
    };
    addresses.iter().enumerate().map(first).collect()
}

/// The `thread_limit` clause in a list of arguments for devices, which ends with a null. The low bits of an argument
/// identify the devices and the clause. The value follows, or is in the high bits.
///
/// # Safety
/// `arguments` is null or such a list.
unsafe fn thread_limit(mut arguments: *const isize) -> Option<i32> {
    const DEVICE: isize = (1 << 7) - 1;
    const VALUE_FOLLOWS: isize = 1 << 7;
    const IDENTIFIER: isize = 0xff << 8;
    const THREAD_LIMIT: isize = 2 << 8;
    // SAFETY: the caller keeps to the `# Safety` section.
    let mut next = || unsafe {
        let value = *arguments;
        arguments = arguments.add(1);
        value
    };
    loop {
        let argument = next();
        if argument == 0 {
            return None;
        }
        let value = if argument & VALUE_FOLLOWS != 0 { next() } else { argument >> 16 };
        if argument & DEVICE == 0 && argument & IDENTIFIER == THREAD_LIMIT && value > 0 {
            return Some(i32::try_from(value).unwrap_or(i32::MAX));
        }
    }
}

/// # Safety
/// `list` is null or as the compiler made it.
unsafe fn ordered(thread: &'static Thread, kind: Target, device: c_int, list: *const usize, nowait: bool, call: Call) {
    device::require(thread, device_clause(device));
    // SAFETY: the caller keeps to the `# Safety` section.
    let list = if list.is_null() { Vec::new() } else { unsafe { DependClause::new(list).iter().collect() } };
    device::order(thread, kind, Synchronisation { dependences: &list, nowait }, call);
}

/// Begins or ends a target data region.
fn data_region(kind: Target, device: c_int, call: Call) {
    let thread = current::current();
    device::require(thread, device_clause(device));
    device::data_region(thread, kind, call);
}

wide_entry_point! {
    /// `GOMP_target`: a target region, from compilers without its `firstprivate` and `depend` clauses.
    pub fn GOMP_target(
        device: c_int,
        function: *const c_void,
        unused: *const c_void,
        count: usize,
        addresses: *const usize,
        sizes: *const usize,
        kinds: *const u8,
    ), |thread, call| {
        device::require(thread, device_clause(device));
        let region = Region { function, addresses: list(count, addresses), privates: &[], thread_limit: None };
        device::execute(thread, &region, Synchronisation { dependences: &[], nowait: false }, call);
    }

    /// `GOMP_target_ext`: a target region.
    pub fn GOMP_target_ext(
        device: c_int,
        function: *const c_void,
        count: usize,
        addresses: *const usize,
        sizes: *const usize,
        kinds: *const u16,
        flags: c_uint,
        depend: *const usize,
        arguments: *const isize,
    ), |thread, call| {
        check_flags(flags, NOWAIT, "GOMP_target_ext");
        device::require(thread, device_clause(device));
        let addresses = without_iterators(list(count, addresses), sizes);
        let privates = privates(&addresses, sizes, kinds);
        let thread_limit = if arguments.is_null() { None } else { thread_limit(arguments) };
        let region = Region { function, addresses: &addresses, privates: &privates, thread_limit };
        let dependences = if depend.is_null() { Vec::new() } else { DependClause::new(depend).iter().collect() };
        let order = Synchronisation { dependences: &dependences, nowait: flags & NOWAIT != 0 };
        device::execute(thread, &region, order, call);
    }

    /// `GOMP_target_update_ext`: makes variables agree with the device's, when the predecessor tasks are complete. On
    /// the host they are the same (§2.14.6).
    pub fn GOMP_target_update_ext(
        device: c_int,
        count: usize,
        addresses: *const usize,
        sizes: *const usize,
        kinds: *const u16,
        flags: c_uint,
        depend: *const usize,
    ), |call| {
        check_flags(flags, NOWAIT, "GOMP_target_update_ext");
        ordered(current::current(), Target::UPDATE, device, depend, flags & NOWAIT != 0, call);
    }

    /// `GOMP_target_enter_exit_data`: maps or unmaps variables, when the predecessor tasks are complete. On the host
    /// every variable is in the data environment (§2.14.3–4).
    pub fn GOMP_target_enter_exit_data(
        device: c_int,
        count: usize,
        addresses: *const usize,
        sizes: *const usize,
        kinds: *const u16,
        flags: c_uint,
        depend: *const usize,
    ), |call| {
        check_flags(flags, NOWAIT | EXIT_DATA, "GOMP_target_enter_exit_data");
        let kind = if flags & EXIT_DATA != 0 { Target::EXIT_DATA } else { Target::ENTER_DATA };
        ordered(current::current(), kind, device, depend, flags & NOWAIT != 0, call);
    }
}

// The arguments that follow the device number describe the variables, which do not matter on the host.
entry_point! {
    /// `GOMP_target_data`: begins a target data region, from older compilers. Its variables are in the host's data
    /// environment already (§2.14.2).
    pub fn GOMP_target_data(device: c_int), |call| { data_region(Target::ENTER_DATA, device, call) }

    /// `GOMP_target_data_ext`: begins a target data region. Its variables are in the host's data environment already,
    /// and their device addresses are their own (§2.14.2).
    pub fn GOMP_target_data_ext(device: c_int), |call| { data_region(Target::ENTER_DATA, device, call) }

    /// `GOMP_target_update`: makes variables agree with the device's, from older compilers. On the host they are the
    /// same (§2.14.6).
    pub fn GOMP_target_update(device: c_int), |thread, call| {
        ordered(thread, Target::UPDATE, device, std::ptr::null(), false, call);
    }

    /// `GOMP_target_end_data`: ends a target data region. On the host there is nothing to copy back (§2.14.2).
    pub fn GOMP_target_end_data(), |call| { data_region(Target::EXIT_DATA, HOST_FALLBACK, call) }
}

routines! {
    /// `GOMP_target_map_indirect_ptr`: the device's address of a function that a program calls by a pointer of the
    /// host's. Code of the host has that address already (OpenMP 5.1 §2.14.7).
    pub fn GOMP_target_map_indirect_ptr(pointer: *mut c_void) -> *mut c_void { pointer }

    /// `GOMP_offload_register_ver` and its kin: a program or library with code for a kind of device is being loaded or
    /// unloaded. There is no such device, so the code is of no use, whatever the arguments (§2.14: regions run on the
    /// host then).
    pub fn GOMP_offload_register_ver(),
        also: GOMP_offload_register GOMP_offload_unregister_ver GOMP_offload_unregister {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_for_devices() {
        // SAFETY: the lists end with a null.
        let limit = |list: &[isize]| unsafe { thread_limit(list.as_ptr()) };
        let (num_teams, thread_limit) = (1 << 8, 2 << 8);
        assert_eq!(limit(&[0]), None);
        assert_eq!(limit(&[(4 << 16) | num_teams, (6 << 16) | thread_limit, 0]), Some(6));
        assert_eq!(limit(&[0x80 | num_teams, 7, 0x80 | thread_limit, 1 << 40, 0]), Some(i32::MAX));
        // For one kind of device only; no limit.
        assert_eq!(limit(&[(6 << 16) | thread_limit | 5, thread_limit, 0]), None);
    }

    #[test]
    fn iterators_stand_for_their_first_variable() {
        let (some, none) = ([2_usize, 100, 8, 200, 8], [0_usize]);
        let addresses = [5, some.as_ptr() as usize, none.as_ptr() as usize];
        // SAFETY: three elements each.
        let found = |sizes: [usize; 3]| unsafe { without_iterators(&addresses, sizes.as_ptr()).into_owned() };
        assert_eq!(found([8, 8, 8]), addresses);
        assert_eq!(found([8, usize::MAX, usize::MAX]), [5, 100, 0]);
    }

    #[test]
    fn private_variables() {
        let (sizes, kinds) = ([4, 100, 8, 4], [3, 12 | (6 << 8), 13, 12 | (2 << 8)]);
        // SAFETY: four elements each.
        let found = unsafe { privates(&[8, 8, 8, 0], sizes.as_ptr(), kinds.as_ptr()) };
        assert_eq!(found.iter().map(|p| (p.index, p.bytes, p.align)).collect::<Vec<_>>(), [(1, 100, 64)]);
    }
}
