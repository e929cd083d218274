//! Sums that damaged traces cannot overflow.

/// Adds without overflow.
pub(super) fn add(sum: &mut u64, value: u64) {
    *sum = sum.saturating_add(value);
}
