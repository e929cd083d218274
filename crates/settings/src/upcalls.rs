//! The call from one part of the settings to what stands above that part: declared here and answered by one function,
//! which the linker finds by its name.

unsafe extern "Rust" {
    /// Reads the settings, if that has not happened yet. Answered in `icv/in_force.rs`.
    pub safe fn ferromp_up_read_settings();
}
