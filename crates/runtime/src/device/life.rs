//! The life of a device: it is brought up at its first use, learns of images that come later, and is closed at the end
//! of the program (OpenMP 5.1 §1.3, §4.5.2.19–22).

use super::driver::Address;
use super::images::{self, Global, Loaded, place};
use super::{Device, all, host};
use crate::device::traced;
use crate::model::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use crate::objects::switch;
use crate::ompt;
use crate::park::event::Event;
use crate::park::mutex::Mutex;
use crate::task::helper;
use crate::thread::roster;
use crate::thread::wait;
use crate::warnings;
use std::ffi::CStr;

const CLOSED: u32 = 0;
const OPEN: u32 = 1;
/// It could not be opened, or has been closed at the end of the program.
const LOST: u32 = 2;

/// What is known of a device's life.
pub struct Life {
    /// One more than the generation of images that the device knows; 0 while it is not to be used.
    up_to: AtomicU64,
    state: AtomicU32,
    /// The thread that changes the device's life, as `pthread_self` has it: 0 for none. It may come back from what it
    /// calls, the constructors of images and the tool.
    holder: AtomicUsize,
    /// Where others wait for the holder.
    released: Event,
    /// What it has of programs. The holder alone changes it.
    loaded: Mutex<Vec<Loaded>>,
}

impl Life {
    pub const fn new() -> Self {
        Life {
            up_to: AtomicU64::new(0),
            state: AtomicU32::new(CLOSED),
            holder: AtomicUsize::new(0),
            released: Event::new(),
            loaded: Mutex::new(Vec::new()),
        }
    }

    /// Whether the device can be used and knows all images up to that generation.
    #[inline]
    pub fn is_up_to(&self, generation: u32) -> bool {
        self.up_to.load(Ordering::Acquire) == u64::from(generation) + 1
    }

    /// Calls `body` while no other thread does so for this device. What it calls may come here again: then `again` is
    /// called.
    fn hold<R>(&self, body: impl FnOnce() -> R, again: impl FnOnce() -> R) -> R {
        // SAFETY: only asks for the caller's identity.
        let caller = unsafe { libc::pthread_self() as usize };
        if self.holder.load(Ordering::Relaxed) == caller {
            return again();
        }
        wait::until(&self.released, || {
            self.holder.compare_exchange(0, caller, Ordering::Acquire, Ordering::Relaxed).is_ok()
        });
        let result = body();
        self.holder.store(0, Ordering::Release);
        self.released.notify_all();
        result
    }
}

impl Device {
    /// Brings the device up, if that has not been done, and loads what is new to it. False where it cannot be used.
    #[cold]
    pub(super) fn bring_up(&'static self) -> bool {
        let is_open = || self.life.state.load(Ordering::Relaxed) == OPEN;
        self.life.hold(
            || {
                if self.life.state.load(Ordering::Relaxed) == CLOSED {
                    self.open();
                }
                if is_open() {
                    let generation = images::generation();
                    if images::load_new(self) || self.has(|_| true) {
                        self.life.up_to.store(u64::from(generation) + 1, Ordering::Release);
                    } else {
                        // Without the program's code it is of no use.
                        self.close();
                        warnings::warn(&format!("ferromp: device {}: target regions run on the host\n", self.number()));
                    }
                }
                is_open()
            },
            is_open,
        )
    }

    fn open(&'static self) {
        if let Err(why) = self.driver().open() {
            self.life.state.store(LOST, Ordering::Relaxed);
            warnings::warn(&format!(
                "ferromp: device {} cannot be used ({why}); its target regions run on the host\n",
                self.number()
            ));
            return;
        }
        self.life.state.store(OPEN, Ordering::Relaxed);
        close_at_exit();
        if switch::active() {
            let device = traced::open(self.number(), self.driver());
            let (kind, documentation) = (self.driver().kind(), self.driver().documentation());
            ompt::device_initialize(self.number(), kind, documentation, device, ompt::device_lookup(0));
        }
    }

    /// Whether the device has something of a program that satisfies `is`.
    pub(super) fn has(&self, is: impl Fn(&Loaded) -> bool) -> bool {
        self.life.loaded.with(|loaded| loaded.iter().any(is))
    }

    /// Notes what the device has loaded, and tells the tool.
    pub(super) fn loaded(&self, loaded: Loaded) {
        let (number, image) = (loaded.number(), loaded.image());
        let there = self.driver().address(loaded.module());
        self.life.loaded.with(|all| all.push(loaded));
        if switch::active() {
            place::tell_load(self.number(), number, image, there);
        }
    }

    /// Unloads all that satisfies `is`.
    pub(super) fn unload(&self, is: impl Fn(&Loaded) -> bool) {
        let unload = || {
            // One after the other, last come, first gone: what is called here may come here again.
            while let Some(gone) = self.life.loaded.with(|all| Some(all.remove(all.iter().rposition(&is)?))) {
                if switch::active() {
                    ompt::device_unload(self.number(), gone.number());
                }
                gone.withdraw(self);
                // Threads of the program are in the device's code only where that is the runtime's own.
                let may_go = || self.driver().is_idle() && (!self.driver().records_inside() || roster::is_alone());
                if self.life.state.load(Ordering::Relaxed) == OPEN || may_go() {
                    self.driver().unload(gone.module());
                }
            }
        };
        self.life.hold(unload, unload);
    }

    /// Ends the use of the device, for ever. Where another thread of the program may still be in the device's code, or
    /// come there, that stays.
    fn close(&self) {
        let close = || {
            self.life.up_to.store(0, Ordering::Release);
            if self.life.state.swap(LOST, Ordering::Relaxed) == OPEN {
                self.unload(|_| true);
                self.driver().close();
                ompt::trace::finalize(self.number());
                if switch::active() {
                    ompt::device_finalize(self.number());
                }
            }
        };
        self.life.hold(close, close);
    }

    /// Gives back what the device keeps for later use.
    pub fn pause(&self) {
        if self.life.state.load(Ordering::Relaxed) == OPEN {
            self.driver().pause();
        }
    }

    /// The device has a variable from now on, as long as the image that brought it.
    pub(super) fn declare(&self, global: &Global) {
        self.maps.declare(global.host, global.bytes, global.device, global.name);
    }

    /// It has it no longer.
    pub(super) fn withdraw(&self, host: usize) {
        self.maps.disassociate(host);
    }

    /// Where the device has a variable, by its name in any image.
    pub fn symbol(&self, name: &CStr) -> Option<(Address, usize)> {
        self.life.loaded.with(|all| all.iter().find_map(|loaded| self.driver().symbol(loaded.module(), name)))
    }
}

/// Closes all devices at the end of the program, before what the images are in is gone: registered later than whatever
/// registered them, so called earlier.
fn close_at_exit() {
    extern "C" fn close() {
        host::step_out();
        close_all();
    }
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.swap(true, Ordering::Relaxed) {
        // SAFETY: a handler of the right type in a library that is never unloaded.
        unsafe { libc::atexit(close) };
    }
}

/// Closes all devices, in their order, for ever. What is under way there is complete before, and told to tools.
pub fn close_all() {
    if all().next().is_some() {
        helper::drain();
    }
    all().for_each(Device::close);
}

/// Has all devices give back what they keep for later use.
pub fn pause_all() {
    all().for_each(Device::pause);
}

/// The threads of devices that nobody uses end; what devices remember stays.
pub fn rest_all() {
    let idle = |device: &&Device| device.life.state.load(Ordering::Acquire) == OPEN && device.driver().is_idle();
    all().filter(idle).for_each(|device| device.driver().rest());
}

/// In a forked child: a device that is not there any more is brought up anew when it is used.
pub fn after_fork() {
    images::after_fork();
    super::cuda::after_fork();
    super::interop_sync::after_fork();
    super::ADDING.renew_after_fork();
    for device in all() {
        device.life.holder.store(0, Ordering::Relaxed);
        device.life.released.forget_sleepers();
        device.life.loaded.force_open();
        if device.life.state.load(Ordering::Relaxed) == OPEN && !device.driver().after_fork() {
            device.life.up_to.store(0, Ordering::Relaxed);
            device.life.state.store(CLOSED, Ordering::Relaxed);
            device.life.loaded.renew_after_fork();
            device.kernels.after_fork();
            device.maps.renew_after_fork();
            device.blocks.renew_after_fork();
        } else {
            device.maps.force_open();
            device.blocks.force_open();
        }
    }
}
