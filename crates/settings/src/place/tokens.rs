//! Tokens that the grammars of the affinity variables have in common.

use super::sysfs::CPU_LIMIT;
use crate::scan::Scanner;

/// The largest number that the grammars accept.
pub const LIMIT: i64 = CPU_LIMIT as i64;

/// A number without a sign, at most [`LIMIT`].
pub fn natural(scan: &mut Scanner) -> Option<i64> {
    scan.number().filter(|&number| number <= LIMIT)
}

/// A number of at least one.
pub fn positive(scan: &mut Scanner) -> Option<u32> {
    natural(scan).filter(|&number| number > 0).map(|number| number as u32)
}

/// A number with or without a sign.
pub fn integer(scan: &mut Scanner) -> Option<i64> {
    let sign = if scan.eat("-") { -1 } else { 1 };
    if sign > 0 {
        scan.eat("+");
    }
    natural(scan).map(|number| sign * number)
}

/// A number, if a CPU can have the number.
pub fn as_cpu(number: i64) -> Option<u32> {
    (0..LIMIT).contains(&number).then_some(number as u32)
}

/// The number of a CPU.
pub fn cpu(scan: &mut Scanner) -> Option<u32> {
    natural(scan).and_then(as_cpu)
}

/// CPUs as a place: sorted, without repetitions.
pub fn sorted(mut cpus: Vec<u32>) -> Vec<u32> {
    cpus.sort_unstable();
    cpus.dedup();
    cpus
}
