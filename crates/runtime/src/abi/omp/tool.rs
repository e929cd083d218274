//! `omp_control_tool`, by which a program controls its OMPT tool (OpenMP 5.1 §3.14).

use std::ffi::{c_int, c_void};

use crate::abi::entry_point;
use crate::ompt::control_tool;

entry_point! {
    /// Passes a command to the tool and returns the tool's answer; -2 without a tool, -1 for a tool without the
    /// callback (§3.14).
    ///
    /// # Safety
    /// `arg` is what the tool expects for this command.
    pub fn omp_control_tool(command: c_int, modifier: c_int, arg: *mut c_void) -> c_int, |call| {
        control_tool(command, modifier, arg, call)
    }

    /// [`omp_control_tool`] as Fortran calls it.
    ///
    /// # Safety
    /// As for [`omp_control_tool`]; the others point to integers.
    pub fn omp_control_tool_(command: *const c_int, modifier: *const c_int, arg: *mut c_void) -> c_int, |call| {
        control_tool(*command, *modifier, arg, call)
    }
}
