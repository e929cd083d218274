//! Parsers for the values of environment variables: each takes the text and gives the value or `None` where the text is
//! not one. Letters may be in either case and white space around tokens is allowed throughout (OpenMP 5.1 §6).

use super::{
    Blocktime, DisplayEnv, Library, Monotonicity, Reduction, Schedule, ScheduleKind, TargetOffload, ToolSetting,
    WaitPolicy,
};
use crate::environment::words;
pub use crate::environment::{name, word};

words! {
    // `OMP_TOOL`, `OMP_DEBUG`.
    ToolSetting: "enabled" => ToolSetting::Enabled, "disabled" => ToolSetting::Disabled;
    // `OMP_WAIT_POLICY` (OpenMP 5.1 §6.7).
    WaitPolicy: "active" => WaitPolicy::Active, "passive" => WaitPolicy::Passive;
    // `OMP_TARGET_OFFLOAD` (OpenMP 5.1 §6.17).
    TargetOffload: "mandatory" => TargetOffload::Mandatory, "disabled" => TargetOffload::Disabled,
        "default" => TargetOffload::Default;
    // `OMP_DISPLAY_ENV`.
    DisplayEnv: "verbose" => DisplayEnv::Verbose, "true" | "1" | "yes" | "on" | "t" | "y" => DisplayEnv::Yes,
        "false" | "0" | "no" | "off" | "f" | "n" => DisplayEnv::No;
    // `KMP_LIBRARY`, with the older names of two.
    Library: "serial" => Library::Serial, "turnaround" | "dedicated" => Library::Turnaround,
        "throughput" | "multiuser" => Library::Throughput;
    // `KMP_FORCE_REDUCTION`.
    Reduction: "critical" => Reduction::Critical, "atomic" => Reduction::Atomic, "tree" => Reduction::Ordered;
    // `OMP_SCHEDULE` (OpenMP 5.1 §6.1), with libomp's further kinds.
    ScheduleKind: "static" => ScheduleKind::Static, "dynamic" => ScheduleKind::Dynamic,
        "guided" => ScheduleKind::Guided, "auto" => ScheduleKind::Auto,
        "trapezoidal" => ScheduleKind::Trapezoidal, "static_steal" => ScheduleKind::StaticSteal;
    Monotonicity: "monotonic" => Monotonicity::Monotonic, "nonmonotonic" => Monotonicity::Nonmonotonic;
}

/// Digits only (a sign `+` is allowed), so that what Rust's own parser tolerates is not widened by accident.
fn unsigned(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// An integer that is zero or more and fits C's `int`.
pub fn non_negative(text: &str) -> Option<i32> {
    unsigned(text).and_then(|n| i32::try_from(n).ok())
}

/// An integer that is one or more and fits C's `int`.
pub fn positive(text: &str) -> Option<i32> {
    non_negative(text).filter(|&n| n > 0)
}

/// A limit of one or more; one that is larger than C's `int` is none.
pub fn limit(text: &str) -> Option<i32> {
    let text = text.trim();
    let digits = text.strip_prefix('+').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) || digits.bytes().all(|b| b == b'0') {
        return None;
    }
    Some(digits.parse().unwrap_or(i32::MAX))
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
    let (modifier, rest) = match text.split_once(':') {
        Some((modifier, rest)) => (Some(modifier), rest),
        None => (None, text),
    };
    let monotonic = match modifier {
        None => Monotonicity::Unspecified,
        Some(modifier) => word(modifier)?,
    };
    let (kind, chunk) = match rest.split_once(',') {
        Some((kind, chunk)) => (kind, i64::from(positive(chunk)?)),
        None => (rest, 0),
    };
    let kind = word(kind)?;
    Some(Schedule { kind, monotonic, chunk })
}

/// A number that counts powers of `step` by its letter (k, m, g, t), and `unit` where none stands.
fn scaled(text: &str, step: u64, unit: u64) -> Option<u64> {
    let text = text.trim();
    let last = text.bytes().last()?.to_ascii_lowercase();
    let (number, factor) = match b"kmgt".iter().position(|&letter| letter == last) {
        Some(index) => (&text[..text.len() - 1], step.pow(index as u32 + 1)),
        None => (text, unit),
    };
    unsigned(number)?.checked_mul(factor)
}

/// A size in bytes from `number[B|K|M|G|T]`; `unit` is the factor where no letter stands (`OMP_STACKSIZE`, OpenMP 5.1
/// §6.6).
pub fn size(text: &str, unit: u64) -> Option<usize> {
    let bytes = match text.trim().strip_suffix(['b', 'B']) {
        Some(number) => unsigned(number),
        None => scaled(text, 1 << 10, unit),
    };
    usize::try_from(bytes?).ok().filter(|&bytes| bytes > 0)
}

fn infinite(text: &str) -> bool {
    matches!(text.trim().to_ascii_lowercase().as_str(), "infinite" | "infinity")
}

/// `number[us|ms|s]` or `infinite`; milliseconds where no unit stands (`KMP_BLOCKTIME`).
pub fn blocktime(text: &str) -> Option<Blocktime> {
    if infinite(text) {
        return Some(Blocktime::Infinite);
    }
    let lower = text.trim().to_ascii_lowercase();
    let (number, factor) = if let Some(number) = lower.strip_suffix("us") {
        (number, 1)
    } else if let Some(number) = lower.strip_suffix("ms") {
        (number, 1_000)
    } else if let Some(number) = lower.strip_suffix('s') {
        (number, 1_000_000)
    } else {
        (lower.as_str(), 1_000)
    };
    unsigned(number)?.checked_mul(factor).map(Blocktime::Micros)
}

/// `number[k|m|g|t]` in powers of 1000, or `infinite`, which gives `u64::MAX` (`GOMP_SPINCOUNT`).
pub fn spin_count(text: &str) -> Option<u64> {
    if infinite(text) {
        return Some(u64::MAX);
    }
    scaled(text, 1_000, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::device_number;
    use crate::place::bind::Bind;
    use crate::place::request::proc_bind;

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
            ("200", Some(Blocktime::Micros(200_000))),
            ("200ms", Some(Blocktime::Micros(200_000))),
            ("5 us", Some(Blocktime::Micros(5))),
            ("1S", Some(Blocktime::Micros(1_000_000))),
            ("0", Some(Blocktime::Micros(0))),
            ("Infinite", Some(Blocktime::Infinite)),
            ("infinity", Some(Blocktime::Infinite)),
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
