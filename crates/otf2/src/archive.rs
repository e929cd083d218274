//! An archive: the files of all locations, and the definitions that they share.

use crate::definitions::{Definitions, Kind};
use crate::library::{FLUSH, FlushCallbacks, Handle, Library, NOT_COMPRESSED, POSIX, WRITE, library};
use crate::memory::CALLBACKS;
use std::ffi::{CString, c_void};
use std::io::{Error, Result};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Bytes that the library keeps of a location before it writes them: the least that it accepts.
const EVENTS_CHUNK: u64 = 256 << 10;
/// Bytes that it keeps of definitions: its own default.
const DEFINITIONS_CHUNK: u64 = 4 << 20;

/// An archive that is written. An archive that is dropped before it is closed is of no use.
pub struct Archive {
    library: &'static Library,
    handle: Handle,
}

/// The events of a location.
pub struct Location {
    /// Its number.
    pub number: u64,
    /// What the library knows it by.
    pub writer: Handle,
}

unsafe extern "C" fn flush(_: *mut c_void, _: u8, _: u64, _: *mut c_void, _: bool) -> u8 {
    FLUSH
}

/// No record says when the library has written something: that is not the program's time.
static FLUSHES: FlushCallbacks = FlushCallbacks { before: flush, after: None };

impl Archive {
    /// Creates the files in a folder.
    pub fn create(folder: &Path) -> Result<Archive> {
        let library = library()?;
        let path = CString::new(folder.as_os_str().as_bytes())?;
        let creator = concat!("ferromp ", env!("CARGO_PKG_VERSION"), "\0");
        // SAFETY: texts end with a zero byte, and the callbacks live for ever. The handle is checked before its use.
        unsafe {
            let handle = library.open(
                path.as_ptr(),
                c"traces".as_ptr(),
                WRITE,
                EVENTS_CHUNK,
                DEFINITIONS_CHUNK,
                POSIX,
                NOT_COMPRESSED,
            );
            if handle.is_null() {
                return Err(Error::other("the archive cannot be created by OTF2's library"));
            }
            library.check(library.set_flush_callbacks(handle, &raw const FLUSHES, std::ptr::null_mut()))?;
            library.check(library.set_memory_callbacks(handle, &raw const CALLBACKS, std::ptr::null_mut()))?;
            library.check(library.set_serial(handle))?;
            library.check(library.set_creator(handle, creator.as_ptr().cast()))?;
            library.check(library.open_event_files(handle))?;
            Ok(Archive { library, handle })
        }
    }

    /// The library's functions.
    pub fn library(&self) -> &'static Library {
        self.library
    }

    /// Begins the events of a location, which has none so far.
    pub fn location(&self, number: u64) -> Result<Location> {
        // SAFETY: the archive is open.
        let writer = unsafe { self.library.event_writer(self.handle, number) };
        if writer.is_null() {
            return Err(Error::other("the events of a location cannot be written by OTF2's library"));
        }
        Ok(Location { number, writer })
    }

    /// Ends the events of a location. Returns how many there are.
    pub fn end(&self, location: Location) -> Result<u64> {
        let mut events = 0;
        // SAFETY: the archive is open, and the writer is not used any more after it is closed.
        unsafe {
            self.library.check(self.library.events(location.writer, &raw mut events))?;
            self.library.check(self.library.close_event_writer(self.handle, location.writer))?;
        }
        Ok(events)
    }

    /// Writes the definitions, and ends the archive. All locations have ended.
    pub fn close(&self, definitions: &Definitions) -> Result<()> {
        let Archive { library, handle } = self;
        // SAFETY: the archive is open, and nothing uses it after it is closed.
        unsafe {
            library.check(library.close_event_files(*handle))?;
            library.check(library.open_definition_files(*handle))?;
            for location in definitions.of_locations() {
                let writer = library.definition_writer(*handle, location);
                library.check(library.close_definition_writer(*handle, writer))?;
            }
            library.check(library.close_definition_files(*handle))?;
            let writer = library.global_writer(*handle);
            if writer.is_null() {
                return Err(Error::other("the definitions cannot be written by OTF2's library"));
            }
            self.define(writer, definitions)?;
            library.check(library.close_global_writer(*handle, writer))?;
            library.check(library.close(*handle))
        }
    }

    /// # Safety
    /// The writer is open.
    unsafe fn define(&self, writer: Handle, definitions: &Definitions) -> Result<()> {
        let library = self.library;
        let check = |status| library.check(status);
        let (offset, length) = definitions.clock();
        // SAFETY: the caller's; texts end with a zero byte, and counts are those of the arrays.
        unsafe {
            check(library.define_clock(writer, 1_000_000_000, offset, length, offset))?;
            for (number, text) in definitions.texts().iter().enumerate() {
                check(library.define_string(writer, number as u32, text.as_ptr()))?;
            }
            definitions.each(|kind| {
                check(match kind {
                    Kind::Paradigm { paradigm, name, class } => library.define_paradigm(writer, paradigm, name, class),
                    Kind::Attribute { number, name, of } => library.define_attribute(writer, number, name, name, of),
                    Kind::Node { number, name, class, parent } => {
                        library.define_node(writer, number, name, class, parent)
                    }
                    Kind::LocationGroup { number, name, of, node, creator } => {
                        library.define_location_group(writer, number, name, of, node, creator)
                    }
                    Kind::Location { number, name, of, events, group } => {
                        library.define_location(writer, number, name, of, events, group)
                    }
                    Kind::Region { number, name, canonical, role, paradigm, file, line } => library
                        .define_region(writer, number, name, canonical, name, role, paradigm, 0, file, line, line),
                    Kind::Group { number, name, of, paradigm, members } => {
                        let count = members.len() as u32;
                        library.define_group(writer, number, name, of, paradigm, 0, count, members.as_ptr())
                    }
                    Kind::Comm { number, name, group } => {
                        library.define_comm(writer, number, name, group, crate::library::UNDEFINED, 0)
                    }
                    Kind::Metric { number, name, description, unit, mode } => {
                        let of = crate::library::UINT64;
                        // The numbers are the user's, to the base of 10, as they are.
                        let member =
                            library.define_metric_member(writer, number, name, description, 3, mode, of, 1, 0, unit);
                        match check(member) {
                            Err(error) => return Err(error),
                            // The thread itself records the metric, now and then.
                            Ok(()) => library.define_metric_class(writer, number, 1, &raw const number, 1, 2),
                        }
                    }
                })
            })
        }
    }
}
