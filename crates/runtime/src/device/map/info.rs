//! The display of mappings (`LIBOMPTARGET_INFO`, `__tgt_set_info_flag`): one line on stderr for each event of the kinds
//! whose bits are set. Nothing is displayed by default.

use super::items::{Item, flag};
use super::table::Gone;
use super::types::{Lists, Variable};
use crate::device::devices::Device;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::stderr;
use std::fmt::Write;

/// The kinds, as LLVM numbers them.
pub mod kind {
    /// Variables of constructs.
    pub const ARGUMENTS: u32 = 0x1;
    /// Entries that exist already.
    pub const EXISTS: u32 = 0x2;
    /// The whole table, when an error ends the program.
    pub const TABLE: u32 = 0x4;
    /// Entries that are added or removed.
    pub const CHANGED: u32 = 0x8;
    /// Transfers.
    pub const TRANSFER: u32 = 0x20;
    /// Variables without a counterpart.
    pub const EMPTY: u32 = 0x40;
}

static LEVEL: AtomicU32 = AtomicU32::new(0);

/// Sets which kinds are displayed.
pub fn set_level(level: u32) {
    LEVEL.store(level, Ordering::Relaxed);
}

/// Which kinds are displayed.
#[inline(always)]
pub fn level() -> u32 {
    LEVEL.load(Ordering::Relaxed)
}

/// Whether anything is displayed.
#[inline(always)]
pub fn is_on() -> bool {
    level() != 0
}

/// The value of `LIBOMPTARGET_INFO`: a number, in the notations of C.
pub fn parse(text: &str) -> Option<u32> {
    let text = text.trim();
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse::<i32>().ok().map(|number| number as u32),
    }
}

/// Prints a line about the device, if this kind is displayed.
fn line(device: &Device, kind: u32, text: impl FnOnce() -> String) {
    if level() & kind != 0 {
        stderr::write_stderr(&format!("ferromp: device {}: {}\n", device.number, text()));
    }
}

/// Displays the variables of a construct.
///
/// # Safety
/// The lists are as the compiler makes them.
#[cold]
pub unsafe fn arguments(device: &Device, what: &str, lists: &Lists) {
    line(device, kind::ARGUMENTS, || {
        let mut text = format!("{what} with {} variables", lists.count);
        for index in 0..lists.count {
            // SAFETY: the caller keeps to the `# Safety` section.
            let Variable { kind, bytes, begin, name, .. } = unsafe { lists.variable(index) };
            let _ = write!(text, "\nferromp:   {kind}({name})[{bytes}] at {begin:#x}");
        }
        text
    });
}

/// Displays the mappings at the begin of a construct.
#[cold]
pub fn begun(device: &Device, items: &[Item]) {
    for item in items.iter().filter(|item| !item.variable.kind.is_unmapped()) {
        let Variable { begin, bytes, name, .. } = item.variable;
        let (kind, text) = match item.entry {
            Some(_) if item.has(flag::MADE) => (kind::CHANGED, "is mapped"),
            Some(_) => (kind::EXISTS, "is already mapped"),
            None if item.has(flag::SHARED) => (kind::CHANGED, "is shared with the host"),
            None => (kind::EMPTY, "is not mapped"),
        };
        line(device, kind, || {
            let at = item.entry.map_or(String::new(), |_| format!(", at {:#x} there", item.device_begin()));
            format!("{name}, {begin:#x} ({bytes} bytes), {text}{at}")
        });
    }
}

/// Displays the mappings that a construct has released.
#[cold]
pub fn ended(device: &Device, items: &[Item]) {
    for item in items.iter().filter(|item| item.entry.is_some() && !item.variable.kind.is_unmapped()) {
        let Variable { begin, bytes, name, .. } = item.variable;
        line(device, kind::EXISTS, || format!("{name}, {begin:#x} ({bytes} bytes), is released"));
    }
}

/// Displays an entry that has been removed.
#[cold]
pub fn removed(device: &Device, gone: &Gone) {
    let &Gone { host, bytes, name, .. } = gone;
    line(device, kind::CHANGED, || format!("{name}, {host:#x} ({bytes} bytes), is mapped no longer"));
}

/// Displays a transfer.
#[cold]
pub fn copied(device: &Device, host: usize, address: usize, bytes: usize, to_device: bool) {
    let (from, to, way) = if to_device { (host, address, "to") } else { (address, host, "from") };
    line(device, kind::TRANSFER, || format!("{bytes} bytes are copied {way} the device, {from:#x} to {to:#x}"));
}

/// A description of a device, in lines.
pub fn describe(device: &Device) -> String {
    let Device { number, driver, .. } = device;
    format!("Device {number}\n  kind: {}\n  processors: {}\n", driver.kind().to_string_lossy(), driver.processors())
}

/// Displays the whole table of a device.
#[cold]
pub fn table(device: &Device) {
    let mut text = String::new();
    device.maps.for_each(|state, address| {
        let count =
            |count: u64| if count == super::table::INFINITE { String::from("for ever") } else { count.to_string() };
        let (host, bytes, name) = (state.host, state.end - state.host, state.name);
        let (references, held) = (count(state.dynamic), count(state.hold));
        let _ = write!(
            text,
            "\nferromp:   {host:#x} ({bytes} bytes) at {address:#x}, references {references}, held {held}: {name}"
        );
    });
    let text = if text.is_empty() { String::from("nothing is mapped") } else { format!("mapped:{text}") };
    stderr::write_stderr(&format!("ferromp: device {}: {text}\n", device.number));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(parse(" 0x2A "), Some(42));
        assert_eq!(parse("-1"), Some(u32::MAX));
        assert_eq!(parse("all"), None);
    }
}
