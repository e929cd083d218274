//! What tracing needs to know of a device.

/// A device's time, and what the device can record.
pub trait Clock: Sync {
    /// Now, in ticks of the device.
    fn time(&self) -> u64;
    /// A time of the device in seconds of `omp_get_wtime`.
    fn to_wtime(&self, time: u64) -> f64;
    /// How many processors the device has.
    fn processors(&self) -> i32;
    /// Whether the device's threads are the runtime's, so that events inside target regions can be traced, and native
    /// records.
    fn records_inside(&self) -> bool;
}
