//! What constructors and destructors of programs with code for devices call (`__tgt_register_lib`; OpenMP 5.1 §2.14,
//! §2.5.1).

use crate::abi::routines;
use crate::device::{self, construct, images, map::info};
use crate::objects::current;

routines! {
    /// `__tgt_register_lib`: a program or library that is being loaded brings code for devices. Only notes the code:
    /// devices come up when they are first used.
    pub fn __tgt_register_lib(description: *const images::BinaryDescription) {
        if let Some(level) = std::env::var("LIBOMPTARGET_INFO").ok().and_then(|text| info::parse(&text)) {
            info::set_level(level);
        }
        let bytes = std::env::var("LIBOMPTARGET_SHARED_MEMORY_SIZE").ok().and_then(|text| text.trim().parse().ok());
        if let Some(bytes) = bytes {
            construct::set_team_memory(bytes);
        }
        images::register(description);
    }

    /// `__tgt_unregister_lib`: the program or library is being unloaded.
    pub fn __tgt_unregister_lib(description: *const images::BinaryDescription) {
        device::unregister(description);
    }

    /// `__tgt_register_requires`: `requires` directives of the program, from older compilers.
    pub fn __tgt_register_requires(flags: i64) {
        images::require(flags);
    }

    /// `__tgt_init_all_rtls`: brings up all devices, whatever their code.
    pub fn __tgt_init_all_rtls() {
        current::current();
        for number in 0..device::count() {
            device::find(number).map(device::Device::ready);
        }
    }

    /// `__tgt_rtl_init`: brings the runtime up, as any other entry point does.
    pub fn __tgt_rtl_init() {
        current::current();
    }

    /// `__tgt_rtl_deinit`: the caller needs devices no longer. Other code of the process may need them, so they stay up
    /// until the process ends.
    pub fn __tgt_rtl_deinit() {}
}
