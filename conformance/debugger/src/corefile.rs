//! Core files: the memory, the threads and the mapped files of a process that has ended. ELF notes are in Linux's form.
//! Memory that is not in the core is read from the files that were mapped.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{ET_CORE, FileHeader64, NT_PRSTATUS, NoteType, PT_LOAD, PT_NOTE};
use object::read::elf::{FileHeader, ProgramHeader};

use crate::modules::{self, Mapping, Module};
use crate::target::{Target, Thread};

/// The note that lists the mapped files.
const NT_FILE: NoteType = NoteType(0x4649_4c45);
/// Offsets in the note of a thread: its number, and the three registers that are needed.
const LWP: usize = 32;
const REGISTERS: usize = 112;
const RIP: usize = REGISTERS + 16 * 8;
const RSP: usize = REGISTERS + 19 * 8;
const FS_BASE: usize = REGISTERS + 21 * 8;

/// A process that left a core file.
pub struct CoreFile {
    file: File,
    segments: Vec<Segment>,
    mappings: Vec<Mapping>,
    threads: Vec<Thread>,
    modules: Vec<Module>,
}

/// A piece of memory that is in the core file.
struct Segment {
    start: u64,
    offset: u64,
    /// Bytes in the file; the memory may have been larger.
    length: u64,
}

impl CoreFile {
    /// Opens one.
    pub fn open(path: &Path) -> io::Result<CoreFile> {
        let data = std::fs::read(path)?;
        let wrong = |why: object::Error| io::Error::other(format!("{}: {why}", path.display()));
        let header = FileHeader64::<Endianness>::parse(&*data).map_err(wrong)?;
        let endian = header.endian().map_err(wrong)?;
        if header.e_type(endian) != ET_CORE {
            return Err(io::Error::other(format!("{} is no core file", path.display())));
        }
        let mut core = CoreFile {
            file: File::open(path)?,
            segments: Vec::new(),
            mappings: Vec::new(),
            threads: Vec::new(),
            modules: Vec::new(),
        };
        for part in header.program_headers(endian, &*data).map_err(wrong)? {
            match part.p_type(endian) {
                PT_LOAD => core.segments.push(Segment {
                    start: part.p_vaddr(endian),
                    offset: part.p_offset(endian),
                    length: part.p_filesz(endian),
                }),
                PT_NOTE => {
                    for note in part.notes(endian, &*data).map_err(wrong)?.into_iter().flatten() {
                        let note = note.map_err(wrong)?;
                        match note.n_type(endian) {
                            NT_PRSTATUS => core.threads.extend(thread(note.desc())),
                            NT_FILE => core.mappings = mapped(note.desc()).unwrap_or_default(),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        core.threads.sort_by_key(|thread| thread.lwp);
        core.modules = modules::of(&core.mappings);
        Ok(core)
    }

    /// Reads from one piece of the core or of a mapped file, and returns how many bytes it had.
    fn read_piece(&self, address: u64, bytes: &mut [u8]) -> usize {
        let at_most = |left: u64| bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let within = |start: u64, length: u64| address.checked_sub(start).filter(|offset| *offset < length);
        for segment in &self.segments {
            if let Some(offset) = within(segment.start, segment.length) {
                let length = at_most(segment.length - offset);
                return self.file.read_at(&mut bytes[..length], segment.offset + offset).unwrap_or(0);
            }
        }
        for mapping in &self.mappings {
            if let Some(offset) = within(mapping.start, mapping.end - mapping.start) {
                let length = at_most(mapping.end - address);
                let file = File::open(&mapping.path);
                return file.and_then(|file| file.read_at(&mut bytes[..length], mapping.offset + offset)).unwrap_or(0);
            }
        }
        0
    }
}

impl Target for CoreFile {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        let mut done = 0;
        while done < bytes.len() {
            match self.read_piece(address.wrapping_add(done as u64), &mut bytes[done..]) {
                0 => return false,
                more => done += more,
            }
        }
        true
    }

    fn write(&self, _address: u64, _bytes: &[u8]) -> bool {
        false
    }

    fn threads(&self) -> Vec<Thread> {
        self.threads.clone()
    }

    fn modules(&self) -> Vec<Module> {
        self.modules.clone()
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn thread(note: &[u8]) -> Option<Thread> {
    let lwp = i32::from_ne_bytes(note.get(LWP..LWP + 4)?.try_into().ok()?);
    Some(Thread { lwp, pthread: word(note, FS_BASE)?, pc: word(note, RIP)?, sp: word(note, RSP)? })
}

/// The list of mapped files: how many, the unit of offsets, three numbers for each, then the names.
fn mapped(note: &[u8]) -> Option<Vec<Mapping>> {
    let count = usize::try_from(word(note, 0)?).ok()?;
    let unit = word(note, 8)?;
    let mut names = note.get(16 + count * 24..)?.split(|byte| *byte == 0);
    let mut mappings = Vec::new();
    for number in 0..count {
        let at = 16 + number * 24;
        let path = PathBuf::from(String::from_utf8_lossy(names.next()?).into_owned());
        mappings.push(Mapping {
            start: word(note, at)?,
            end: word(note, at + 8)?,
            offset: word(note, at + 16)? * unit,
            path,
        });
    }
    Some(mappings)
}
