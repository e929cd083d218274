//! Computes a [`Summary`] from a trace.

use super::Summary;
use crate::Progress;
use crate::reader::Trace;

impl Summary {
    /// Reads all events of `trace` and sums them up. `progress` is told of the bytes read.
    pub fn of(_trace: &Trace, _progress: Progress<'_>) -> Summary {
        todo!()
    }
}
