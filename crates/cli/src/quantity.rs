//! Numbers of bytes, and times, as users write them.

use std::time::Duration;

/// The least bound of a recording. With less, a single thread would wait all the time.
const LEAST: u64 = 1 << 20;

/// Reads a number with `K`, `M` or `G` behind it, or nothing.
pub fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 1 << 10),
        Some((at, 'M' | 'm')) => (&text[..at], 1 << 20),
        Some((at, 'G' | 'g')) => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| "a size is a number, such as 500M or 2G".to_owned())?;
    let size = number.checked_mul(unit).ok_or("the size is too large")?;
    if size < LEAST { Err("the size is at least 1M".into()) } else { Ok(size) }
}

/// Reads the time between two views.
pub fn interval(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if !(0.1..=3600.0).contains(&seconds) {
        return Err("the interval is from 0.1 to 3600 seconds".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("4M"), Ok(4 << 20));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert_eq!(size("2000K"), Ok(2000 << 10));
        assert_eq!(size("1048576"), Ok(1 << 20));
        for bad in ["", "M", "-1M", "4MB", "1.5G", "99999999999999999999", "99999999999G", "100K"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn intervals_are_seconds() {
        assert_eq!(interval("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["", "0", "-1", "nan", "inf", "1s", "100000"] {
            assert!(interval(bad).is_err(), "{bad}");
        }
    }
}
