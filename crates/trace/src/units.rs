//! Numbers in readable units.

/// A time with three significant digits and its unit: `1.23 s`, `45.6 ms`, `789 us`, `12 ns`.
pub fn duration(ns: u64) -> String {
    let (value, unit) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => (ns as f64 / 1e3, "us"),
        1_000_000..1_000_000_000 => (ns as f64 / 1e6, "ms"),
        _ => (ns as f64 / 1e9, "s"),
    };
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.decimals$} {unit}")
}

/// Bytes with three significant digits and their unit: `12 B`, `3.45 KB`, `678 MB`; a kilobyte has 1000 bytes.
pub fn amount(bytes: f64) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1e3;
        unit += 1;
    }
    let decimals = match value {
        _ if unit == 0 => 0,
        value if value < 9.995 => 2,
        value => usize::from(value < 99.95),
    };
    format!("{value:.decimals$} {}", units[unit])
}

/// A share in percent with one decimal.
pub fn percent(value: f64) -> String {
    format!("{value:.1}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_234, "1.23 us"),
            (9_999, "10.0 us"),
            (123_456, "123 us"),
            (45_600_000, "45.6 ms"),
            (999_960_000, "1000 ms"),
            (12_345_678_901, "12.3 s"),
            (123_456_789_012, "123 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration(ns), text);
        }
    }

    #[test]
    fn amounts_have_three_digits() {
        let cases = [
            (0.0, "0 B"),
            (999.0, "999 B"),
            (1e3, "1.00 KB"),
            (12_345.0, "12.3 KB"),
            (999_600.0, "1.00 MB"),
            (2e13, "20.0 TB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(amount(bytes), text);
        }
    }
}
