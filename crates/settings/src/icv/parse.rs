//! Parsers for the values of environment variables. Each takes a text, and gives the value, or `None` where the text is
//! not one. Letters may be in either case, and white space around tokens is allowed throughout (OpenMP 5.1 §6).

use super::values::{Monotonicity, Schedule};
pub use crate::environment::{name, word};

/// The digits of a number, which may have the sign `+`. The check is not left to Rust's parsers, which may accept more.
fn digits(text: &str) -> Option<&str> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then_some(digits)
}

/// An integer that is zero or more and fits C's `int`.
pub fn non_negative(text: &str) -> Option<i32> {
    digits(text)?.parse().ok()
}

/// An integer that is one or more and fits C's `int`.
pub fn positive(text: &str) -> Option<i32> {
    non_negative(text).filter(|&n| n > 0)
}

/// A limit of one or more. A limit above C's `int` is no limit: `i32::MAX`.
pub fn limit(text: &str) -> Option<i32> {
    Some(digits(text)?.parse().unwrap_or(i32::MAX)).filter(|&n| n > 0)
}

/// `0` or `1`.
pub fn zero_or_one(text: &str) -> Option<bool> {
    non_negative(text).filter(|&n| n < 2).map(|n| n == 1)
}

/// How many host devices there are to be.
pub fn host_devices(text: &str) -> Option<i32> {
    non_negative(text).filter(|&n| n <= 64)
}

/// `[modifier:]kind[, chunk]` (`OMP_SCHEDULE`, OpenMP 5.1 §6.1), with libomp's further kinds.
pub fn schedule(text: &str) -> Option<Schedule> {
    let (monotonic, rest) = match text.split_once(':') {
        Some((modifier, rest)) => (word(modifier)?, rest),
        None => (Monotonicity::Unspecified, text),
    };
    let (kind, chunk) = match rest.split_once(',') {
        Some((kind, chunk)) => (kind, i64::from(positive(chunk)?)),
        None => (rest, 0),
    };
    Some(Schedule { kind: word(kind)?, monotonic, chunk })
}

/// A number, times the factor of the unit behind the number. Without a unit, the factor is `default`.
fn quantity(text: &str, units: &[(&str, u64)], default: u64) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let with = |(unit, factor): &(&str, u64)| Some((text.strip_suffix(unit)?, *factor));
    let (number, factor) = units.iter().find_map(with).unwrap_or((&text, default));
    digits(number)?.parse::<u64>().ok()?.checked_mul(factor)
}

/// A size in bytes from `number[B|K|M|G|T]`; `unit` is the factor of a number without a letter (`OMP_STACKSIZE`, OpenMP
/// 5.1 §6.6).
pub fn size(text: &str, unit: u64) -> Option<usize> {
    let units = [("b", 1), ("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("t", 1 << 40)];
    usize::try_from(quantity(text, &units, unit)?).ok().filter(|&bytes| bytes > 0)
}

/// As [`quantity`], or `infinite`, which gives `u64::MAX`.
fn quantity_or_infinite(text: &str, units: &[(&str, u64)], default: u64) -> Option<u64> {
    match text.trim().to_ascii_lowercase().as_str() {
        "infinite" | "infinity" => Some(u64::MAX),
        _ => quantity(text, units, default),
    }
}

/// `number[us|ms|s]` or `infinite`, in microseconds. A number without a unit counts milliseconds (`KMP_BLOCKTIME`).
pub fn blocktime(text: &str) -> Option<u64> {
    quantity_or_infinite(text, &[("us", 1), ("ms", 1_000), ("s", 1_000_000)], 1_000)
}

/// `number[k|m|g|t]` in powers of 1000, or `infinite` (`GOMP_SPINCOUNT`).
pub fn spin_count(text: &str) -> Option<u64> {
    quantity_or_infinite(text, &[("k", 1_000), ("m", 1_000_000), ("g", 1_000_000_000), ("t", 1_000_000_000_000)], 1)
}

#[cfg(test)]
mod tests {
    use super::super::values::{ScheduleKind, ToolSetting, WaitPolicy};
    use super::*;
    use crate::environment::device_number;
    use crate::place::Bind;
    use crate::place::proc_bind;

    #[test]
    fn integers() {
        for (text, expected) in [
            ("4", Some(4)),
            (" 4\t", Some(4)),
            ("+4", Some(4)),
            ("0", None),
            ("-1", None),
            ("4x", None),
            ("", None),
            ("1e3", None),
            ("2147483647", Some(i32::MAX)),
            ("2147483648", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(positive(text), expected, "{text:?}");
        }
        assert_eq!(non_negative("0"), Some(0));
        assert_eq!(
            ["7", "99999999999", "0", "000", "x", ""].map(limit),
            [Some(7), Some(i32::MAX), None, None, None, None]
        );
        assert_eq!(["0", "1", "2", "-1"].map(zero_or_one), [Some(false), Some(true), None, None]);
        assert_eq!(["0", "64", "65", "-1"].map(host_devices), [Some(0), Some(64), None, None]);
        assert_eq!(["0", "12", "", "+1", "9999999999"].map(device_number), [Some(0), Some(12), None, None, None]);
    }

    #[test]
    fn booleans() {
        assert_eq!(word(" TRUE "), Some(true));
        assert_eq!(word("False"), Some(false));
        assert_eq!(word("1"), Some(true));
        assert_eq!(word::<bool>("maybe"), None);
        assert_eq!(word("Enabled"), Some(ToolSetting::Enabled));
        assert_eq!(word::<ToolSetting>("true"), None);
    }

    #[test]
    fn schedules() {
        use Monotonicity::*;
        use ScheduleKind::*;
        for (text, kind, monotonic, chunk) in [
            ("static", Static, Unspecified, 0),
            (" Dynamic , 4 ", Dynamic, Unspecified, 4),
            ("GUIDED,7", Guided, Unspecified, 7),
            ("auto", Auto, Unspecified, 0),
            ("monotonic:dynamic", Dynamic, Monotonic, 0),
            ("nonmonotonic : guided , 2", Guided, Nonmonotonic, 2),
            ("trapezoidal,5", Trapezoidal, Unspecified, 5),
            ("Static_Steal", StaticSteal, Unspecified, 0),
        ] {
            assert_eq!(schedule(text), Some(Schedule { kind, monotonic, chunk }), "{text:?}");
        }
        for bad in ["", "runtime", "dynamic,", "dynamic,0", "dynamic,-3", "dynamic 4", "foo:static", "static,4,4"] {
            assert_eq!(schedule(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn sizes() {
        for (text, expected) in [
            ("2000500B", Some(2_000_500)),
            ("3000 k ", Some(3000 << 10)),
            ("10M", Some(10 << 20)),
            (" 10 M ", Some(10 << 20)),
            ("1G", Some(1 << 30)),
            ("20000", Some(20000 << 10)),
            ("", None),
            ("K", None),
            ("0", None),
            ("-4K", None),
            ("4KB", None),
            ("18446744073709551615G", None),
        ] {
            assert_eq!(size(text, 1 << 10), expected, "{text:?}");
        }
        assert_eq!(size("4096", 1), Some(4096));
        assert_eq!(size("4\u{e9}", 1), None);
    }

    #[test]
    fn binds() {
        assert_eq!(proc_bind("TRUE"), Some(vec![Bind::True]));
        assert_eq!(proc_bind("false"), Some(vec![Bind::False]));
        assert_eq!(proc_bind("spread, close,master"), Some(vec![Bind::Spread, Bind::Close, Bind::Primary]));
        for bad in ["", "true,close", "close,", "near"] {
            assert_eq!(proc_bind(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn waiting() {
        assert_eq!(word("Active"), Some(WaitPolicy::Active));
        assert_eq!(word::<WaitPolicy>("lazy"), None);
        for (text, expected) in [
            ("200", Some(200_000)),
            ("200ms", Some(200_000)),
            ("5 us", Some(5)),
            ("1S", Some(1_000_000)),
            ("0", Some(0)),
            ("Infinite", Some(u64::MAX)),
            ("infinity", Some(u64::MAX)),
            ("-1", None),
            ("ms", None),
        ] {
            assert_eq!(blocktime(text), expected, "{text:?}");
        }
        for (text, expected) in [
            ("30000", Some(30_000)),
            ("30k", Some(30_000)),
            ("2 M", Some(2_000_000)),
            ("1g", Some(1_000_000_000)),
            ("infinity", Some(u64::MAX)),
            ("k", None),
            ("many", None),
        ] {
            assert_eq!(spin_count(text), expected, "{text:?}");
        }
    }
}
