//! Failures of mappings. A failure's text names the variable, its range and its map type (OpenMP 5.1 §2.21.7.1).

use super::types::{Name, Variable};
use std::fmt;

/// Why a construct cannot be executed.
pub enum Failure {
    /// A part of the variable is mapped as a part of this range, and the rest is not mapped.
    Overlap { variable: Variable, host: usize, end: usize, name: Name },
    /// The map type says `present`, and the variable is not mapped.
    Absent { variable: Variable },
    /// The map type has unknown bits.
    Unknown { variable: Variable },
    /// The device has no memory for the variable.
    NoMemory { variable: Variable },
    /// The device has no memory for the private variables.
    NoMemoryForPrivates { bytes: usize },
    /// The variable could not be copied, for the device's reason.
    Transfer { variable: Variable, why: String },
    /// Another error of the device.
    Device(String),
}

/// The result of a phase.
pub type Done = Result<(), Failure>;

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
                let range = Range(variable);
                write!(f, "{range} is mapped only in part, as {host:#x}..{end:#x} ({} bytes)", end - host)?;
                if name.is_known() { write!(f, " of {name}") } else { Ok(()) }
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
        let &Variable { begin, bytes, kind, name, .. } = self.0;
        write!(f, "{name}, map({kind}), {begin:#x}..{:#x} ({bytes} bytes),", self.0.end())
    }
}
