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

/// A time, or a part of a time that the place of use names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Nanoseconds.
    Ns(u64),
    /// A percentage, not negative.
    Percent(f64),
}

/// Reads a time with its unit, or a percentage.
pub fn amount(text: &str) -> Result<Amount, String> {
    let unit = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit);
    let number: f64 = number.parse().map_err(|_| "a time is a number and a unit, such as 1.5s or 30%")?;
    let scale = match unit.trim_start() {
        "%" if number.is_finite() => return Ok(Amount::Percent(number)),
        "%" => return Err("the percentage is too large".into()),
        "ns" => 1.0,
        "us" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "" => return Err("a time needs a unit: ns, us, ms, s or %".into()),
        _ => return Err("the units of times are ns, us, ms, s and %".into()),
    };
    // A number that is too large becomes the largest.
    Ok(Amount::Ns((number * scale).round() as u64))
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
    fn times_have_units() {
        assert_eq!(amount("1.5s"), Ok(Amount::Ns(1_500_000_000)));
        assert_eq!(amount("200 ms"), Ok(Amount::Ns(200_000_000)));
        assert_eq!(amount("30%"), Ok(Amount::Percent(30.0)));
        assert_eq!(amount("99999999999999999999999s"), Ok(Amount::Ns(u64::MAX)));
        for bad in ["", "1", "s", "-1s", "1.2.3s", "1h", "nan%", "infs", "1e3s", "٣s"] {
            assert!(amount(bad).is_err(), "{bad}");
        }
        assert!(amount(&format!("{}%", "9".repeat(400))).is_err());
    }

    #[test]
    fn intervals_are_seconds() {
        assert_eq!(interval("0.5"), Ok(Duration::from_millis(500)));
        for bad in ["", "0", "-1", "nan", "inf", "1s", "100000"] {
            assert!(interval(bad).is_err(), "{bad}");
        }
    }
}
