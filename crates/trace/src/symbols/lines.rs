//! The lines and functions of one file's debug information. Files that the debug information names are not opened.
//! Their parts (`.dwo`, `.dwp`) have no lines or functions that the file itself lacks.

use addr2line::{Context, gimli};
use memmap2::Mmap;
use object::{Object as _, ObjectSection as _};
use std::borrow::Cow;
use std::path::PathBuf;

type Slice = gimli::EndianSlice<'static, gimli::RunTimeEndian>;

/// A compressed section may have at most this many bytes when decompressed. No real program has more.
const LARGEST: u64 = 8 << 30;

/// The debug information of a file, and the bytes that hold it.
pub struct Lines {
    /// Refers to the fields below. No reference of this lifetime leaves this file.
    context: Context<Slice>,
    _decompressed: Vec<Vec<u8>>,
    _file: Mmap,
}

impl Lines {
    /// Reads the debug information of a file; `None` if the file has none that makes sense.
    pub fn of(file: Mmap) -> Option<Lines> {
        let mut decompressed = Vec::new();
        let context = {
            let object = object::File::parse(&*file).ok()?;
            let endian =
                if object.is_little_endian() { gimli::RunTimeEndian::Little } else { gimli::RunTimeEndian::Big };
            let load = |id: gimli::SectionId| {
                let data = section(&object, id.name(), &mut decompressed).ok_or(gimli::Error::Io)?;
                Ok::<Slice, gimli::Error>(gimli::EndianSlice::new(data, endian))
            };
            let mut dwarf = gimli::Dwarf::load(load).ok()?;
            dwarf.populate_abbreviations_cache(gimli::AbbreviationsCacheStrategy::Duplicates);
            Context::from_dwarf(dwarf).ok()?
        };
        Some(Lines { context, _decompressed: decompressed, _file: file })
    }

    /// The source file and line of an address, as far as they are known.
    pub fn find(&self, probe: u64) -> Option<(Option<PathBuf>, Option<u32>)> {
        let place = self.context.find_location(probe).ok()??;
        Some((place.file.map(PathBuf::from), place.line))
    }

    /// The function of an address, demangled; the outermost one that was not inlined.
    pub fn function(&self, probe: u64) -> Option<String> {
        let mut frames = self.context.find_frames(probe).skip_all_loads().ok()?;
        let mut outermost = None;
        while let Ok(Some(frame)) = frames.next() {
            let name = frame.function.as_ref().and_then(|function| function.demangle().ok());
            outermost = name.map(|name| name.into_owned()).or(outermost);
        }
        outermost
    }
}

/// A section's bytes: in the mapped file, or decompressed and kept. Empty if there is no such section.
fn section(object: &object::File<'_>, name: &str, kept: &mut Vec<Vec<u8>>) -> Option<&'static [u8]> {
    let Some(section) = object.section_by_name(name) else { return Some(&[]) };
    if section.compressed_file_range().ok()?.uncompressed_size > LARGEST {
        return None;
    }
    let bytes: *const [u8] = match section.uncompressed_data().ok()? {
        Cow::Borrowed(bytes) => bytes,
        Cow::Owned(bytes) => {
            kept.push(bytes);
            kept.last()?.as_slice()
        }
    };
    // SAFETY: the bytes lie in the mapping, or on the heap in a vector that is never changed. `Lines` keeps both as
    // long as the references to them, and moving `Lines` does not move the bytes.
    Some(unsafe { &*bytes })
}
