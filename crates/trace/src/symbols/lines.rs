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

/// Functions may be inlined into each other this deep. Compilers stop far earlier.
const DEEPEST: usize = 64;

/// A function at an address: its symbol, and its part of the source at the address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// As the linker knows it, or as the source names it.
    pub function: Option<String>,
    /// The source file as the compiler recorded it.
    pub file: Option<PathBuf>,
    /// The line in it.
    pub line: Option<u32>,
}

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

    /// The functions that have the byte at `probe`, each inlined into the next. Empty if nothing is known.
    pub fn frames(&self, probe: u64) -> Vec<Frame> {
        let mut found = Vec::new();
        if let Ok(mut frames) = self.context.find_frames(probe).skip_all_loads() {
            while found.len() < DEEPEST
                && let Ok(Some(frame)) = frames.next()
            {
                let function = frame.function.as_ref().and_then(|function| function.raw_name().ok());
                let place = frame.location;
                found.push(Frame {
                    function: function.map(Cow::into_owned),
                    file: place.as_ref().and_then(|place| place.file).map(PathBuf::from),
                    line: place.and_then(|place| place.line),
                });
            }
        }
        found
    }

    /// What the compiler says of itself in the compilation unit that has `address`.
    pub fn producer(&self, address: u64) -> Option<String> {
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads()?;
        let mut entries = unit.entries();
        let entry = entries.next_dfs().ok()??;
        let producer = entry.attr_value(gimli::DW_AT_producer)?;
        Some(String::from_utf8_lossy(unit.attr_string(producer).ok()?.slice()).into_owned())
    }

    /// The source file and line of the first row of the line table for `address`, the begin of a function. Later rows
    /// for the same address belong to the first statements of the function.
    pub fn first(&self, address: u64) -> Option<(PathBuf, u32)> {
        let unit = self.context.find_dwarf_and_unit(address).skip_all_loads()?;
        let mut rows = unit.line_program.clone()?.rows();
        while let Some((header, row)) = rows.next_row().ok()? {
            if row.address() == address && !row.end_sequence() {
                let line = u32::try_from(row.line()?.get()).ok()?;
                return Some((path(&unit, header, row.file(header)?)?, line));
            }
        }
        None
    }
}

/// A file of a line table, as the compiler recorded it.
fn path(
    unit: &gimli::UnitRef<'_, Slice>,
    header: &gimli::LineProgramHeader<Slice>,
    file: &gimli::FileEntry<Slice>,
) -> Option<PathBuf> {
    let text = |bytes: Slice| String::from_utf8_lossy(bytes.slice()).into_owned();
    let mut path = unit.comp_dir.map_or_else(PathBuf::new, |folder| PathBuf::from(text(folder)));
    if let Some(folder) = file.directory(header) {
        path.push(text(unit.attr_string(folder).ok()?));
    }
    path.push(text(unit.attr_string(file.path_name()).ok()?));
    Some(path)
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
