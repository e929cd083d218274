//! What can be wrong with a mapping, in one line that names the variable, its range and its map type (OpenMP 5.1
//! §2.21.7.1).

use super::types::{Name, Variable};
use std::ffi::c_char;
use std::fmt;

/// Why a construct cannot be executed.
pub enum Failure {
    /// A part of the variable is mapped, as this range of another one, and the rest is not.
    Overlap { variable: Variable, host: usize, end: usize, name: *const c_char },
    /// The variable is said to be mapped, and is not.
    Absent { variable: Variable },
    /// Its map type has bits that mean nothing here.
    Unknown { variable: Variable },
    /// The device has no memory for it.
    NoMemory { variable: Variable },
    /// The device has no memory for the private variables.
    NoMemoryForPrivates { bytes: usize },
    /// It could not be copied, as the device reports.
    Transfer { variable: Variable, why: String },
    /// What the device reports.
    Device(String),
}

impl Failure {
    /// Whether the device had no memory.
    pub fn is_about_memory(&self) -> bool {
        matches!(self, Failure::NoMemory { .. } | Failure::NoMemoryForPrivates { .. })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Overlap { variable, host, end, name } => {
                // SAFETY: the compiler's.
                let other = unsafe { Name::new(*name) };
                let range = Range(variable);
                write!(f, "{range} is mapped only in part, as {host:#x}..{end:#x} ({} bytes)", end - host)?;
                if other.is_known() { write!(f, " of {other}") } else { Ok(()) }
            }
            Failure::Absent { variable } => {
                write!(f, "{} is not mapped, though it is said to be present", Range(variable))
            }
            Failure::Unknown { variable } => {
                let (range, bits) = (Range(variable), variable.kind.unknown());
                write!(f, "{range} has the bits {bits:#x} in its map type, which no compiler known here gives it")
            }
            Failure::NoMemory { variable } => write!(f, "no memory on the device for {}", Range(variable)),
            Failure::NoMemoryForPrivates { bytes } => {
                write!(f, "no memory on the device for {bytes} bytes of private variables")
            }
            Failure::Transfer { variable, why } => write!(f, "{} cannot be copied: {why}", Range(variable)),
            Failure::Device(why) => f.write_str(why),
        }
    }
}

/// A variable with its map type and its range.
pub struct Range<'a>(pub &'a Variable);

impl fmt::Display for Range<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let variable = self.0;
        // SAFETY: the compiler's.
        let name = unsafe { Name::new(variable.name) };
        write!(
            f,
            "{name}, map({}), {:#x}..{:#x} ({} bytes),",
            variable.kind,
            variable.begin,
            variable.end(),
            variable.bytes
        )
    }
}
