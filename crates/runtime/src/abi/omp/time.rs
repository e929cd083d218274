//! The wall clock (OpenMP 5.1 §3.10).

use crate::abi::routines;

/// Seconds of a clock or of its resolution.
fn seconds(read: unsafe extern "C" fn(libc::clockid_t, *mut libc::timespec) -> libc::c_int) -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: both functions that are passed here write one timespec. The monotonic clock exists on every Linux.
    unsafe { read(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

routines! {
    /// Seconds since a time in the past that stays the same while the program runs (§3.10.1).
    "OMP_2.0" pub fn omp_get_wtime() -> f64, fortran: omp_get_wtime_ { seconds(libc::clock_gettime) }

    /// Seconds between two ticks of the clock that [`omp_get_wtime`] reads (§3.10.2).
    "OMP_2.0" pub fn omp_get_wtick() -> f64, fortran: omp_get_wtick_ { seconds(libc::clock_getres) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes() {
        // SAFETY: these routines ask for nothing.
        let (time, tick) = (|| unsafe { omp_get_wtime() }, unsafe { omp_get_wtick() });
        let begin = time();
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(time() - begin >= 0.002 - tick);
        assert!(tick > 0.0 && tick < 0.1);
    }
}
