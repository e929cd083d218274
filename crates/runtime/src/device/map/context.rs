//! Operations on a device for a construct, and their events for tools.

use super::info;
use super::table::Gone;
use crate::device::available;
use crate::device::devices::Device;
use crate::device::driver::{Address, Direction, Space, Stream};
use crate::objects::structures::TargetTool;
use crate::ompt::{self, DataOp};

/// What a construct's operations need.
pub struct Context<'a> {
    pub device: &'static Device,
    pub stream: &'a dyn Stream,
    /// Whether no thread waits for the construct.
    pub asynchronous: bool,
    /// Whether the construct's operations may be under way while other constructs find what it has mapped.
    pub queues: bool,
    pub tool: &'a TargetTool,
}

impl Context<'_> {
    /// Allocates the counterpart of `bytes` bytes at `host`, behind `padding` unused bytes.
    pub fn allocate(&self, host: usize, bytes: usize, padding: usize) -> Option<Address> {
        let operation = DataOp::alloc(host, bytes, available::host(), self.device.number);
        ompt::data_op_begin(self.tool, &operation);
        let memory = self.device.driver.allocate(bytes + padding, Space::Device);
        let memory = memory.map(|memory| memory + padding);
        ompt::data_op_end(self.tool, &operation.at(memory.unwrap_or(0)));
        memory
    }

    /// Frees memory of [`allocate`](Self::allocate) that is no longer used.
    pub fn free(&self, device: Address, bytes: usize, padding: usize) {
        let operation = DataOp::delete(device, bytes, available::host(), self.device.number);
        ompt::data_op_begin(self.tool, &operation);
        // SAFETY: allocated with as many bytes; the callers are done with the memory.
        unsafe { self.device.driver.free(device - padding, bytes + padding, Space::Device) };
        ompt::data_op_end(self.tool, &operation);
    }

    /// Frees a counterpart that the table has forgotten.
    pub fn free_counterpart(&self, gone: &Gone) {
        self.free(gone.device, gone.bytes, gone.padding);
        if info::is_on() {
            info::removed(self.device, gone);
        }
    }

    /// Copies `bytes` bytes at `source` to the device. For tools they are the bytes at `host`.
    ///
    /// # Safety
    /// As for the operations of [`Stream`].
    pub unsafe fn send(&self, host: usize, source: usize, address: Address, bytes: usize) {
        let operation = DataOp::to_device(host, address, bytes, available::host(), self.device.number);
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.copy(Direction::ToDevice, &operation, address, source) };
        if info::is_on() {
            info::copied(self.device, host, address, bytes, true);
        }
    }

    /// Copies `bytes` bytes from the device to `host`.
    ///
    /// # Safety
    /// As for the operations of [`Stream`].
    pub unsafe fn fetch(&self, address: Address, host: usize, bytes: usize) {
        let operation = DataOp::from_device(address, host, bytes, available::host(), self.device.number);
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.copy(Direction::FromDevice, &operation, host, address) };
        if info::is_on() {
            info::copied(self.device, host, address, bytes, false);
        }
    }

    /// # Safety
    /// As for the operations of [`Stream`].
    #[inline(always)]
    unsafe fn copy(&self, direction: Direction, operation: &DataOp, to: usize, from: usize) {
        let note = ompt::data_op_begin(self.tool, operation);
        let state = if self.asynchronous { None } else { self.tool.waiting_for_data() };
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { self.stream.copy(direction, to, from, operation.bytes, note) };
        drop(state);
        ompt::data_op_end(self.tool, operation);
    }
}
