//! The life of a device: opened at its first use, given the images that programs register later, closed at the end of
//! the program (OpenMP 5.1 §1.3, §4.5.2.19–22).

use super::devices::{Device, all};
use super::images::{self, BinaryDescription, Loaded, load};
use super::state::Stage;
use super::{available, cuda, host, interop_sync};
use crate::model::atomic::{AtomicBool, Ordering};
use crate::objects::switch;
use crate::task::helper;
use crate::thread::roster;
use crate::upcalls::ferromp_up_device_lookup;
use crate::{ompt, stderr};

impl Device {
    /// Brings the device up, with all images that fit the device. False, after a line on stderr, if the device cannot
    /// be used.
    #[inline]
    pub fn ready(&'static self) -> bool {
        self.state.is_up_to(images::generation()) || self.bring_up()
    }

    #[cold]
    fn bring_up(&'static self) -> bool {
        let is_open = || self.state.is(Stage::Open);
        self.state.hold(
            || {
                if self.state.is(Stage::Closed) {
                    self.open();
                }
                if is_open() {
                    let generation = images::generation();
                    if load::load_new(self) || self.loaded.with(|loaded| !loaded.is_empty()) {
                        self.state.set_up_to(Some(generation));
                    } else {
                        // The device is of no use without the program's code.
                        self.close();
                        self.warn("target regions run on the host");
                    }
                }
                is_open()
            },
            is_open,
        )
    }

    fn open(&'static self) {
        if let Err(why) = self.driver.open() {
            self.state.set(Stage::Lost);
            crate::warnings::warn(&format!(
                "ferromp: device {} cannot be used ({why}); its target regions run on the host\n",
                self.number
            ));
            return;
        }
        self.state.set(Stage::Open);
        close_at_exit();
        if switch::active() {
            let device = ompt::trace::make(self.number, self.driver);
            let (kind, documentation) = (self.driver.kind(), self.abilities.documentation);
            let lookup = Some(ferromp_up_device_lookup(0));
            ompt::device_initialize(self.number, kind, documentation, device, lookup);
        }
    }

    /// Unloads the images for which `is` holds.
    fn unload(&self, is: impl Fn(&Loaded) -> bool) {
        let unload = || {
            // One image after the other, the last loaded first: destructors and callbacks may come here again.
            while let Some(gone) = self.loaded.with(|all| Some(all.remove(all.iter().rposition(&is)?))) {
                if switch::active() {
                    ompt::device_unload(self.number, gone.number);
                }
                load::withdraw(self, &gone);
                // Threads of the program can be in the device's code only if the code runs on the runtime's threads.
                let may_go = || self.driver.is_idle() && (!self.driver.records_inside() || roster::is_alone());
                if self.state.is(Stage::Open) || may_go() {
                    self.driver.unload(gone.module);
                }
            }
        };
        self.state.hold(unload, unload);
    }

    /// Ends the use of the device, for ever. The code stays loaded while another thread of the program may be in it, or
    /// may still come there.
    fn close(&self) {
        let close = || {
            self.state.set_up_to(None);
            let was_open = self.state.is(Stage::Open);
            self.state.set(Stage::Lost);
            if was_open {
                self.unload(|_| true);
                self.driver.close();
                ompt::trace::finalize(self.number);
                if switch::active() {
                    ompt::device_finalize(self.number);
                }
            }
        };
        self.state.hold(close, close);
    }

    /// Gives back what the device keeps for later use.
    pub fn pause(&self) {
        if self.state.is(Stage::Open) {
            self.driver.pause();
        }
    }
}

/// Unloads the images of a program or library that is about to go (`__tgt_unregister_lib`) from all devices.
pub fn unregister(description: *const BinaryDescription) {
    if let Some(gone) = images::remove(description) {
        all().for_each(|device| device.unload(|loaded| loaded.is_of(&gone)));
    }
}

/// Has all devices closed at exit, before the libraries that images lie in are gone. Handlers run in reverse order, and
/// this one is registered after those of whatever registered the images.
fn close_at_exit() {
    extern "C" fn close() {
        stderr::begin_exit();
        host::step_out();
        close_all();
    }
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    if !REGISTERED.swap(true, Ordering::Relaxed) {
        // SAFETY: the handler has the right type, and its library is never unloaded.
        unsafe { libc::atexit(close) };
    }
}

/// Closes all devices in their order, for ever. All that is under way on devices is completed first, and reported to
/// tools.
pub fn close_all() {
    if all().next().is_some() {
        helper::drain();
    }
    all().for_each(Device::close);
}

/// Gives back what devices keep for later use.
pub fn pause_all() {
    all().for_each(Device::pause);
}

/// Ends the threads of idle devices. Memory and images stay.
pub fn rest_all() {
    let idle = all().filter(|device| device.state.is(Stage::Open) && device.driver.is_idle());
    idle.for_each(|device| device.driver.rest());
}

/// In a forked child. A device that does not exist there is brought up anew at its next use.
pub fn after_fork() {
    images::after_fork();
    cuda::after_fork();
    interop_sync::after_fork();
    available::after_fork();
    for device in all() {
        device.state.after_fork();
        device.loaded.force_open();
        device.maps.force_open();
        device.blocks.force_open();
        if device.state.is(Stage::Open) && !device.driver.after_fork() {
            device.state.set_up_to(None);
            device.state.set(Stage::Closed);
            device.loaded.renew_after_fork();
            device.kernels.after_fork();
            device.maps.renew_after_fork();
            device.blocks.renew_after_fork();
        }
    }
}
