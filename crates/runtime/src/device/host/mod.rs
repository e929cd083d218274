//! A host device: the processor that the program runs on, as a device with memory, code and threads of its own (OpenMP
//! 5.1 §1.2.1, §2.14). A program brings an image for the processor's architecture, and each device loads a copy. Host
//! and device share nothing but what is mapped.
//!
//! `device/README.md` has the protocol between threads that queue operations and the thread that performs them.

mod executor;
mod image;
mod lane;
mod memory;
mod operation;
mod queue;
mod shared;
mod stream;

pub use image::fits as accepts;
pub use lane::step_out;
pub use shared::{TeamMemory, of as team_memory};

use super::driver::{Abilities, Address, Clock, Driver, Kernel, Module, Space, Stream};
use super::pool::Pool;
use crate::thread::wait::now_ns;
use crate::{arch, ompt, place};
use executor::Executor;
use lane::Lanes;
use memory::Memory;
use std::ffi::{CStr, CString};
use std::sync::OnceLock;
use stream::HostStream;

/// One host device.
struct HostDevice {
    memory: Memory,
    lanes: &'static Lanes,
    executor: &'static Executor,
    /// The stream of all synchronous operations, which the calling threads perform themselves.
    direct: &'static HostStream,
    /// The asynchronous streams.
    streams: &'static Pool<HostStream>,
}

static ABILITIES: Abilities = Abilities {
    documentation: ompt::trace::DOCUMENTATION,
    team_memory: shared::MOST,
    shares_memory: true,
    takes_list: true,
    queues: false,
    copied_by_processor: true,
};

/// A device that is not open yet, with the number that it will have.
pub fn new(number: i32) -> &'static dyn Driver {
    let lanes: &'static Lanes = Box::leak(Box::new(Lanes::new(number)));
    let executor: &'static Executor = Box::leak(Box::new(Executor::new(lanes)));
    Box::leak(Box::new(HostDevice {
        memory: Memory::new(),
        lanes,
        executor,
        direct: Box::leak(Box::new(HostStream::Direct(lanes))),
        streams: Box::leak(Box::new(Pool::new())),
    }))
}

/// The kind of these devices for tools.
pub fn kind() -> &'static CStr {
    static KIND: OnceLock<CString> = OnceLock::new();
    KIND.get_or_init(|| kind_of(&arch::processor()))
}

/// Vendor, model and architecture of the processor, for tools (§4.5.2.19).
fn kind_of((vendor, model): &(String, String)) -> CString {
    let part = |text: &str, unknown| {
        // Semicolons separate the parts.
        let words: Vec<&str> = text.split([' ', ';', '\0']).filter(|word| !word.is_empty()).collect();
        if words.is_empty() { String::from(unknown) } else { words.join(" ") }
    };
    let vendor = arch::vendor_name(vendor).map_or_else(|| part(vendor, "unknown"), String::from);
    CString::new(format!("{vendor};{};{}", part(model, "processor"), std::env::consts::ARCH)).unwrap_or_default()
}

impl Driver for HostDevice {
    fn abilities(&self) -> &Abilities {
        &ABILITIES
    }

    fn kind(&self) -> &'static CStr {
        kind()
    }

    fn accepts(&self, image: &[u8]) -> bool {
        image::fits(image)
    }

    fn open(&self) -> Result<(), String> {
        Ok(())
    }

    fn close(&self) {
        self.executor.end();
        self.pause();
    }

    fn rest(&self) {
        self.executor.end();
        self.lanes.disband();
    }

    fn is_idle(&self) -> bool {
        self.lanes.are_free()
    }

    fn pause(&self) {
        self.lanes.disband();
        self.memory.release();
    }

    fn after_fork(&self) -> bool {
        self.memory.after_fork();
        shared::after_fork();
        self.lanes.after_fork();
        self.executor.after_fork();
        stream::after_fork(self.streams);
        image::after_fork();
        true
    }

    fn load(&self, image: &[u8]) -> Result<Module, String> {
        // Constructors are the device's code.
        self.lanes.visit(|| image::load(image))
    }

    fn unload(&self, module: Module) {
        self.lanes.visit(|| image::unload(module));
    }

    fn address(&self, module: Module) -> Option<Address> {
        image::address(module)
    }

    fn symbol(&self, module: Module, name: &CStr) -> Option<(Address, usize)> {
        image::symbol(module, name)
    }

    fn kernel(&self, module: Module, name: &CStr) -> Option<Kernel> {
        image::symbol(module, name).map(|(address, _)| Kernel(address))
    }

    fn allocate(&self, bytes: usize, _: Space) -> Option<Address> {
        self.memory.allocate(bytes)
    }

    unsafe fn free(&self, memory: Address, bytes: usize, _: Space) {
        // SAFETY: the caller keeps to the `# Safety` section of the trait.
        unsafe { self.memory.free(memory, bytes) };
    }

    fn stream(&self, asynchronous: bool) -> &'static dyn Stream {
        if asynchronous { stream::take(self.streams, self.executor) } else { self.direct }
    }
}

impl Clock for HostDevice {
    fn processors(&self) -> i32 {
        place::num_procs()
    }

    fn time(&self) -> u64 {
        now_ns()
    }

    fn to_wtime(&self, time: u64) -> f64 {
        time as f64 * 1e-9
    }

    fn records_inside(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_type_had_neither_vendor_nor_model() {
        let kind = |vendor: &str, model: &str| kind_of(&(vendor.into(), model.into())).into_string().unwrap();
        let expected = |kind: &str| format!("{kind};{}", std::env::consts::ARCH);
        assert_eq!(
            kind("Genuine; Vendor", " Fast(R)  Processor(R) CPU @ 2.00GHz"),
            expected("Genuine Vendor;Fast(R) Processor(R) CPU @ 2.00GHz")
        );
        assert_eq!(kind("", "EPYC; 7"), expected("unknown;EPYC 7"));
        assert_eq!(kind("", ""), expected("unknown;processor"));
        let (vendor, model) = arch::processor();
        if let Some(name) = arch::vendor_name(&vendor) {
            assert!(kind(&vendor, &model).starts_with(&format!("{name};")), "{vendor}");
        }
    }
}
