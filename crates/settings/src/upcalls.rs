//! Calls from the settings to what stands above them: declared here and answered by one function each, which the linker
//! finds by its name.

unsafe extern "Rust" {
    /// How many devices there will be for the programs that have been registered so far, if there are to be `wanted`
    /// host devices, and those alone that the value of `OMP_AVAILABLE_DEVICES` says. Answered in `device/upward.rs` of
    /// `crates/runtime`.
    pub safe fn ferromp_up_expected_devices(wanted: i32, available: Option<&str>) -> u32;

    /// Reads the settings, if that has not happened yet. Answered in `icv/in_force.rs`.
    pub safe fn ferromp_up_read_settings();
}

#[cfg(test)]
mod tests {
    /// The answer in the tests of this crate, which has no devices.
    #[unsafe(no_mangle)]
    fn ferromp_up_expected_devices(_: i32, _: Option<&str>) -> u32 {
        0
    }
}
