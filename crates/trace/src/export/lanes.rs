//! A device's operations on lanes, because slices of one lane must not overlap: kernels on some, copies on others.

use super::walk::Operation;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Operations that wait for others that may have begun before them. Devices report operations when they are over.
const WAITING: usize = 4096;

/// A place for operations that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The device.
    pub device: u64,
    /// Whether it is for kernels, and not for operations on data.
    pub kernels: bool,
    /// The number among the device's lanes of the kind, from 0.
    pub nth: usize,
    /// The end of the last operation.
    taken: u64,
}

impl Lane {
    /// What users call it, such as `device 0 copies (2)`.
    pub fn name(&self) -> String {
        let what = if self.kernels { "kernels" } else { "copies" };
        let nth = if self.nth == 0 { String::new() } else { format!(" ({})", self.nth + 1) };
        format!("device {} {what}{nth}", self.device)
    }
}

/// The lanes of all devices.
#[derive(Default)]
pub struct Lanes {
    lanes: Vec<Lane>,
    waiting: BinaryHeap<Reverse<ByBegin>>,
}

/// An operation in the order of its begin.
struct ByBegin(Operation);

impl ByBegin {
    fn key(&self) -> (u64, u64, u64) {
        (self.0.begin_ns, self.0.end_ns, self.0.op)
    }
}

impl PartialEq for ByBegin {
    fn eq(&self, other: &ByBegin) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ByBegin {}

impl PartialOrd for ByBegin {
    fn partial_cmp(&self, other: &ByBegin) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByBegin {
    fn cmp(&self, other: &ByBegin) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// An operation with the index of its lane.
pub struct Placed {
    /// The index, from 0 over all lanes.
    pub index: usize,
    /// The lane.
    pub lane: Lane,
    /// Whether it is the first operation of the lane.
    pub first: bool,
    /// What was carried out.
    pub operation: Operation,
}

impl Lanes {
    /// Takes the next operation. Returns one that can be written; those of a lane come in the order of time.
    pub fn add(&mut self, operation: Operation) -> Option<Placed> {
        self.waiting.push(Reverse(ByBegin(operation)));
        if self.waiting.len() > WAITING { self.left() } else { None }
    }

    /// After the last operation, returns those that are left, one a call.
    pub fn left(&mut self) -> Option<Placed> {
        let Reverse(ByBegin(operation)) = self.waiting.pop()?;
        let (device, kernels) = (operation.device, operation.is_kernel());
        let of_kind = |lane: &Lane| lane.device == device && lane.kernels == kernels;
        let free = self.lanes.iter().position(|lane| of_kind(lane) && lane.taken <= operation.begin_ns);
        let index = free.unwrap_or_else(|| {
            let nth = self.lanes.iter().filter(|lane| of_kind(lane)).count();
            self.lanes.push(Lane { device, kernels, nth, taken: 0 });
            self.lanes.len() - 1
        });
        self.lanes[index].taken = operation.end_ns;
        Some(Placed { index, lane: self.lanes[index], first: free.is_none(), operation })
    }
}
