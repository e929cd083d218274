//! How long the calling process has existed. Before the first use of OpenMP there is no recorder that could measure it.

/// Nanoseconds since the process was made, by the system's own count of its start, which has steps of 10 ms; 0 if the
/// system does not tell.
pub fn of_this_process() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec.
    if unsafe { libc::clock_gettime(libc::CLOCK_BOOTTIME, &mut now) } != 0 {
        return 0;
    }
    // SAFETY: a plain call.
    let steps = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(0);
    let now = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
    start(&stat, steps).map_or(0, |start| now.saturating_sub(start))
}

/// Field 22 of `/proc/self/stat` (proc(5)): the start of the process after that of the system, in nanoseconds.
fn start(stat: &str, steps_a_second: u64) -> Option<u64> {
    // The second field is a name in parentheses that may have blanks and parentheses.
    let (_, rest) = stat.rsplit_once(')')?;
    let steps: u64 = rest.split_whitespace().nth(19)?.parse().ok()?;
    Some((steps as f64 * (1e9 / steps_a_second.max(1) as f64)) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_is_skipped() {
        let fields: Vec<String> = (4..30).map(|field| (field * 100).to_string()).collect();
        let stat = format!("4711 (a (b) 7) S {}", fields.join(" "));
        assert_eq!(start(&stat, 100), Some(22_000_000_000));
        assert_eq!(start("", 100), None);
    }

    #[test]
    fn this_process_has_an_age() {
        let age = of_this_process();
        assert!(age < 3_600_000_000_000, "{age}");
    }
}
