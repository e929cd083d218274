//! Routines about places and thread affinity (OpenMP 5.1 §3.3).

use crate::process::up;
use std::ffi::c_int;

use super::{integer_routines, queries, saturated, versions};
use crate::place::{self, Place};
use crate::team::query;

queries! {
    /// bind-var: the policy of the next parallel region without a `proc_bind` clause (§3.3.1).
    "OMP_4.0" fn omp_get_proc_bind, omp_get_proc_bind_ -> c_int { up::read_icvs(|icvs| icvs.bind as c_int) }

    /// Places in the place list (§3.3.2).
    "OMP_4.5" fn omp_get_num_places, omp_get_num_places_ -> c_int {
        up::prepare_to_answer();
        place::places().len() as c_int
    }

    /// The place to which the calling thread is bound, or -1 (§3.3.5).
    "OMP_4.5" fn omp_get_place_num, omp_get_place_num_ -> c_int { query::place_num() }

    /// Places in the current task's place partition (§3.3.6).
    "OMP_4.5" fn omp_get_partition_num_places, omp_get_partition_num_places_ -> c_int { up::partition().count as c_int }
}

integer_routines! {
    /// Processors of a place; 0 for a place that does not exist (§3.3.3).
    "OMP_4.5" fn omp_get_place_num_procs, omp_get_place_num_procs_, omp_get_place_num_procs_8_(place) -> c_int {
        cpus(place).len() as c_int
    }
}

/// The CPUs of a place; none for a place that does not exist.
fn cpus(place: c_int) -> &'static [u32] {
    usize::try_from(place).ok().and_then(|index| place::places().get(index)).map_or(&[], Place::cpus)
}

/// Writes the numbers of the processors of a place (§3.3.4).
///
/// # Safety
/// `ids` points to as many integers as [`omp_get_place_num_procs`] says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_place_proc_ids(place: c_int, ids: *mut c_int) {
    // SAFETY: the caller upholds it.
    unsafe { write_numbers(cpus(place).iter().map(|&cpu| cpu as c_int), ids) }
}

/// Writes the numbers of the places of the current task's partition (§3.3.7).
///
/// # Safety
/// `places` points to as many integers as [`omp_get_partition_num_places`] says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_partition_place_nums(places: *mut c_int) {
    let partition = up::partition();
    // SAFETY: the caller upholds it.
    unsafe { write_numbers((partition.first..partition.first + partition.count).map(|place| place as c_int), places) }
}

/// # Safety
/// `to` points to as many integers as there are numbers.
unsafe fn write_numbers<T: From<c_int>>(numbers: impl Iterator<Item = c_int>, to: *mut T) {
    for (index, number) in numbers.enumerate() {
        // SAFETY: the caller upholds it.
        unsafe { to.add(index).write(T::from(number)) };
    }
}

/// [`omp_get_place_proc_ids`] as Fortran calls it.
///
/// # Safety
/// As for [`omp_get_place_proc_ids`]; `place` points to an integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_place_proc_ids_(place: *const i32, ids: *mut i32) {
    // SAFETY: the caller upholds it.
    unsafe { omp_get_place_proc_ids(*place, ids) }
}

/// [`omp_get_place_proc_ids`] as Fortran calls it with integers of 8 bytes.
///
/// # Safety
/// As for [`omp_get_place_proc_ids`]; `place` points to an integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_place_proc_ids_8_(place: *const i64, ids: *mut i64) {
    // SAFETY: the caller upholds it.
    unsafe { write_numbers(cpus(saturated(*place)).iter().map(|&cpu| cpu as c_int), ids) }
}

/// [`omp_get_partition_place_nums`] as Fortran calls it.
///
/// # Safety
/// As for [`omp_get_partition_place_nums`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_partition_place_nums_(places: *mut i32) {
    // SAFETY: the caller upholds it.
    unsafe { omp_get_partition_place_nums(places) }
}

/// [`omp_get_partition_place_nums`] as Fortran calls it with integers of 8 bytes.
///
/// # Safety
/// As for [`omp_get_partition_place_nums`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn omp_get_partition_place_nums_8_(places: *mut i64) {
    let partition = up::partition();
    // SAFETY: the caller upholds it.
    unsafe { write_numbers((partition.first..partition.first + partition.count).map(|place| place as c_int), places) }
}

versions! {
    omp_get_place_proc_ids: "OMP_4.5";
    omp_get_place_proc_ids_: "OMP_4.5";
    omp_get_place_proc_ids_8_: "OMP_4.5";
    omp_get_partition_place_nums: "OMP_4.5";
    omp_get_partition_place_nums_: "OMP_4.5";
    omp_get_partition_place_nums_8_: "OMP_4.5";
}
