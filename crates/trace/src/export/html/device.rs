//! A device's own rows: kernels on one, copies on another. Operations at the same time are on further rows, because
//! slices of a lane follow each other.

use super::cells::Lane;
use super::exact::Slice;
use super::live::Live;
use super::row::Shared;
use crate::analysis::operation_name;
use crate::reader::Event;
use crate::store::Record;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Devices report operations about in the order of their ends. So many are put into the order of their begins.
const REORDERED: usize = 4096;
/// The operation of a kernel; no `ompt_target_data_op_t` has this value.
const KERNEL: u64 = 0;

/// An operation: begin, end, number and kind.
type Operation = (u64, u64, u64, u64);

/// A row.
pub struct DeviceRow {
    pub number: u32,
    pub label: String,
    pub lanes: Vec<Option<Lane>>,
    kernels: bool,
    /// The end of its last slice.
    taken: u64,
}

/// The operations of one device.
pub struct Device {
    device: u64,
    waiting: BinaryHeap<Reverse<Operation>>,
    pub rows: Vec<DeviceRow>,
}

impl Device {
    pub fn new(device: u64) -> Device {
        Device { device, waiting: BinaryHeap::new(), rows: Vec::new() }
    }

    /// Takes a record of the device's file. `next_row` is the number of the next new row.
    pub fn event(&mut self, event: Event, live: &mut Live, shared: &mut Shared<'_>, next_row: &mut u32) {
        if let Record::Operation { op, kind, late, length, .. } = event.record {
            let end = event.ns.saturating_sub(late);
            self.waiting.push(Reverse((end.saturating_sub(length), end, op, kind)));
        }
        if self.waiting.len() > REORDERED {
            self.show_first(live, shared, next_row);
        }
    }

    /// No further record follows.
    pub fn finish(&mut self, live: &mut Live, shared: &mut Shared<'_>, next_row: &mut u32) {
        while !self.waiting.is_empty() {
            self.show_first(live, shared, next_row);
        }
    }

    fn show_first(&mut self, live: &mut Live, shared: &mut Shared<'_>, next_row: &mut u32) {
        let Some(Reverse((begin, end, op, kind))) = self.waiting.pop() else { return };
        let kernels = kind == KERNEL;
        let free = self.rows.iter().position(|row| row.kernels == kernels && row.taken <= begin);
        let index = free.unwrap_or_else(|| {
            let nth = self.rows.iter().filter(|row| row.kernels == kernels).count();
            let what = if kernels { "kernels" } else { "copies" };
            let more = if nth == 0 { String::new() } else { format!(" ({})", nth + 1) };
            let label = format!("device {} {what}{more}", self.device);
            self.rows.push(DeviceRow { number: *next_row, label, lanes: Vec::new(), kernels, taken: 0 });
            *next_row += 1;
            self.rows.len() - 1
        });
        let row = &mut self.rows[index];
        row.taken = end;
        let name = shared.names.number(operation_name(kind), "device", live.take_operation(op));
        shared.show(&mut row.lanes, Slice { row: row.number, lane: 0, name, begin, end });
    }
}
