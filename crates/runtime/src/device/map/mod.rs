//! Mapping: which variables have counterparts on a device, and how they come about and go (OpenMP 5.1 §2.21.7,
//! §2.14.2–6). `README.md` says in which steps, and why they can be taken by many threads at once.

mod arguments;
mod begin;
mod end;
mod failure;
pub mod info;
mod mapper;
pub mod stage;
mod table;
#[cfg(test)]
mod tests;
mod types;
mod update;
mod work;

pub use failure::Failure;
pub use mapper::Components;
pub use table::Table;
pub use types::{Lists, MapType, Name, Variable};
pub use work::{Done, Work, Works};

use super::Device;
use super::driver::{Address, Direction, Space, Stream};
use crate::device;
use crate::objects::structures::TargetTool;
use crate::ompt;
use crate::ompt::DataOp;
use table::Gone;

/// What a construct's operations need: its device, its stream, and what it has for tools.
pub struct Context<'a> {
    pub device: &'static Device,
    pub stream: &'a dyn Stream,
    /// Whether nobody waits for the construct.
    pub asynchronous: bool,
    /// Whether what it has queued may be under way while others look at what it has mapped.
    pub queues: bool,
    pub tool: &'a TargetTool,
}

impl Context<'_> {
    /// Allocates the counterpart of `bytes` bytes at `host`, after `padding` others.
    fn allocate(&self, host: usize, bytes: usize, padding: usize) -> Option<Address> {
        let operation = DataOp::alloc(host, bytes, device::host(), self.device.number());
        ompt::data_op_begin(self.tool, &operation);
        let memory = self.device.driver().allocate(bytes + padding, Space::Device);
        let memory = memory.map(|memory| memory + padding);
        ompt::data_op_end(self.tool, &operation.at(memory.unwrap_or(0)));
        memory
    }

    /// Allocates memory of the device for something at `host`.
    fn allocate_memory(&self, host: usize, bytes: usize, space: Space) -> Option<Address> {
        let operation = DataOp::alloc(host, bytes, device::host(), self.device.number());
        ompt::data_op_begin(self.tool, &operation);
        let memory = self.device.driver().allocate(bytes, space);
        ompt::data_op_end(self.tool, &operation.at(memory.unwrap_or(0)));
        memory
    }

    /// Frees a counterpart.
    fn free(&self, gone: &Gone) {
        self.free_memory(gone.device, gone.device - gone.padding, gone.bytes, gone.bytes + gone.padding);
        if info::is_on() {
            info::removed(self.device, gone);
        }
    }

    /// Frees a block of the device's memory, of which tools know `told_bytes` at `told`.
    fn free_memory(&self, told: Address, memory: Address, told_bytes: usize, bytes: usize) {
        let operation = DataOp::delete(told, told_bytes, device::host(), self.device.number());
        ompt::data_op_begin(self.tool, &operation);
        // SAFETY: allocated with as many bytes, and nobody uses it any more.
        unsafe { self.device.driver().free(memory, bytes, Space::Device) };
        ompt::data_op_end(self.tool, &operation);
    }

    /// Copies `bytes` bytes at `source` to the device. Tools are told that they are the ones at `host`.
    ///
    /// # Safety
    /// Both are there until that is complete.
    unsafe fn send(&self, host: usize, source: usize, address: Address, bytes: usize) {
        let operation = DataOp::to_device(host, address, bytes, device::host(), self.device.number());
        let note = ompt::data_op_begin(self.tool, &operation);
        let state = if self.asynchronous { None } else { self.tool.waiting_for_data() };
        // SAFETY: the caller's.
        unsafe { self.stream.transfer(Direction::ToDevice, address, source as *mut u8, bytes, note) };
        drop(state);
        ompt::data_op_end(self.tool, &operation);
        if info::is_on() {
            info::copied(self.device, host, address, bytes, true);
        }
    }

    /// Copies from the device.
    ///
    /// # Safety
    /// Both are there until that is complete.
    unsafe fn fetch(&self, address: Address, host: usize, bytes: usize) {
        let operation = DataOp::from_device(address, host, bytes, device::host(), self.device.number());
        let note = ompt::data_op_begin(self.tool, &operation);
        let state = if self.asynchronous { None } else { self.tool.waiting_for_data() };
        // SAFETY: the caller's.
        unsafe { self.stream.transfer(Direction::FromDevice, address, host as *mut u8, bytes, note) };
        drop(state);
        ompt::data_op_end(self.tool, &operation);
        if info::is_on() {
            info::copied(self.device, host, address, bytes, false);
        }
    }
}
