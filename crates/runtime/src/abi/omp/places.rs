//! Routines about places and thread affinity (OpenMP 5.1 §3.3).

use crate::process::up;
use std::ffi::c_int;

use crate::abi::routine::saturated;
use crate::abi::routines;
use crate::place;
use crate::team::query;

routines! {
    /// bind-var: the policy of the next parallel region without a `proc_bind` clause (§3.3.1).
    "OMP_4.0" pub fn omp_get_proc_bind() -> c_int, fortran: omp_get_proc_bind_ {
        up::read_icvs(|icvs| icvs.bind as c_int)
    }

    /// Places in the place list (§3.3.2).
    "OMP_4.5" pub fn omp_get_num_places() -> c_int, fortran: omp_get_num_places_ {
        up::prepare_to_answer();
        place::places().len() as c_int
    }

    /// The place to which the calling thread is bound, or -1 (§3.3.5).
    "OMP_4.5" pub fn omp_get_place_num() -> c_int, fortran: omp_get_place_num_ { query::place_num() }

    /// Places in the current task's place partition (§3.3.6).
    "OMP_4.5" pub fn omp_get_partition_num_places() -> c_int, fortran: omp_get_partition_num_places_ {
        up::partition().count as c_int
    }

    /// Processors of a place; 0 for a place that does not exist (§3.3.3).
    "OMP_4.5" pub fn omp_get_place_num_procs(place: c_int) -> c_int,
        fortran: omp_get_place_num_procs_ omp_get_place_num_procs_8_ {
        cpus(place).count() as c_int
    }

    /// Writes the numbers of the processors of a place (§3.3.4).
    ///
    /// # Safety
    /// `ids` points to as many integers as [`omp_get_place_num_procs`] says.
    "OMP_4.5" pub fn omp_get_place_proc_ids(place: c_int, ids: *mut c_int), fortran: omp_get_place_proc_ids_ {
        write_numbers(cpus(place), ids)
    }

    /// [`omp_get_place_proc_ids`] as Fortran calls it with integers of 8 bytes.
    "OMP_4.5" pub fn omp_get_place_proc_ids_8_(place: *const i64, ids: *mut i64) {
        write_numbers(cpus(saturated(*place)), ids)
    }

    /// Writes the numbers of the places of the current task's partition (§3.3.7).
    ///
    /// # Safety
    /// `places` points to as many integers as [`omp_get_partition_num_places`] says.
    "OMP_4.5" pub fn omp_get_partition_place_nums(places: *mut c_int), fortran: omp_get_partition_place_nums_ {
        write_numbers(partition(), places)
    }

    /// [`omp_get_partition_place_nums`] as Fortran calls it with integers of 8 bytes.
    "OMP_4.5" pub fn omp_get_partition_place_nums_8_(places: *mut i64) { write_numbers(partition(), places) }
}

/// The CPUs of a place, by number; none for a place that does not exist.
fn cpus(place: c_int) -> impl Iterator<Item = c_int> {
    let place = usize::try_from(place).ok().and_then(|index| place::places().get(index));
    place.map_or(&[][..], |place| &place.cpus).iter().map(|&cpu| cpu as c_int)
}

/// The places of the current task's partition, by number.
fn partition() -> impl Iterator<Item = c_int> {
    let partition = up::partition();
    (partition.first..partition.first + partition.count).map(|place| place as c_int)
}

/// # Safety
/// `to` points to as many integers as there are numbers.
unsafe fn write_numbers<T: From<c_int>>(numbers: impl Iterator<Item = c_int>, to: *mut T) {
    for (index, number) in numbers.enumerate() {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { to.add(index).write(T::from(number)) };
    }
}
