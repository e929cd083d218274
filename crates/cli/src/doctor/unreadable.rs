//! What is said of a file that cannot be looked at.

use std::path::Path;

use crate::elf::Unreadable;
use crate::failure::{Failure, reason};

/// The line for a file that cannot be looked at.
pub fn unreadable(path: &Path, why: &Unreadable) -> Failure {
    let shown = path.display();
    Failure::new(match why {
        Unreadable::NotElf => format!("{shown}: neither a program nor a shared library (no ELF file)"),
        Unreadable::OtherMachine(machine) => format!("{shown}: made for {machine}; ferromp runs on x86-64"),
        Unreadable::Damaged(what) => format!("{shown}: damaged ELF file: {what}"),
        Unreadable::Io(error) => format!("cannot read {shown}: {}", reason(error)),
    })
}
