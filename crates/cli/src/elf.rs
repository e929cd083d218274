//! What one ELF file says about OpenMP: the libraries that it names, the OpenMP functions that it calls or contains,
//! and whether a dynamic loader loads it at all.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use object::elf as spec;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use object::read::{ReadCache, ReadRef};
use object::{Endianness, SymbolIndex};

type Header = spec::FileHeader64<Endianness>;

/// An OpenMP function that a file needs from another file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Want {
    /// The function.
    pub name: String,
    /// The version node that it must carry, such as `GOMP_4.0`; none if any will do.
    pub node: Option<String>,
    /// True if the program also starts without the function.
    pub weak: bool,
}

/// One ELF file for x86-64, as far as OpenMP is concerned.
#[derive(Debug)]
pub struct Elf {
    /// The file.
    pub path: PathBuf,
    /// The dynamic loader that the file names (`PT_INTERP`); none in shared libraries and static programs.
    pub interpreter: Option<String>,
    /// True if the file has a dynamic section.
    pub dynamic: bool,
    /// True if the file may be executed as it is: it has an entry point and is a program by type or interpreter.
    pub program: bool,
    /// `DT_SONAME`.
    pub soname: Option<String>,
    /// `DT_NEEDED`, in order.
    pub needed: Vec<String>,
    /// `DT_RPATH`, split; ignored by the loader if there is a `DT_RUNPATH`.
    pub rpath: Vec<String>,
    /// `DT_RUNPATH`, split.
    pub runpath: Vec<String>,
    /// OpenMP functions that the file calls, but does not contain.
    pub wants: BTreeSet<Want>,
    /// OpenMP functions that the file contains, exported or not, without their version.
    pub contains: BTreeSet<String>,
    /// OpenMP functions that the file exports, with their version node.
    pub exports: BTreeSet<(String, Option<String>)>,
    /// Whether the code was built for a thread sanitizer, clang's or gcc's.
    pub has_thread_sanitizer: bool,
    /// Version nodes that the loader insists on: library and node.
    pub needs_nodes: Vec<(String, String)>,
    /// Version nodes that this file defines.
    pub nodes: BTreeSet<String>,
    /// Whether clang has put device code into the file.
    pub device_code: bool,
    /// The versions of the device code's entries; none up to clang 20, whose entries have no version.
    pub entry_versions: BTreeSet<u16>,
}

/// The sections in which clang lists the entries of device code, up to clang 20 and since. Then the size of a later
/// entry in bytes, and the place of its version.
const OLD_ENTRIES: &[u8] = b"omp_offloading_entries";
const ENTRIES: &[u8] = b"llvm_offload_entries";
const ENTRY_BYTES: usize = 56;
const ENTRY_VERSION: usize = 8;

/// Why a file could not be examined.
#[derive(Debug)]
pub enum Unreadable {
    /// Not an ELF file at all.
    NotElf,
    /// An ELF file for another machine; the text names it.
    OtherMachine(String),
    /// An ELF file that contradicts itself.
    Damaged(String),
    /// The system refused.
    Io(std::io::Error),
}

impl Elf {
    /// Reads the headers, the dynamic section, the symbol tables and the list of code for devices of a file; other
    /// contents are not read.
    pub fn read(path: &Path) -> Result<Self, Unreadable> {
        Self::parsed(path, symbols)
    }

    /// As [`read`](Self::read), without symbols and code for devices, which take most of the time: what the loader
    /// needs to find the file's libraries.
    pub fn links(path: &Path) -> Result<Self, Unreadable> {
        Self::parsed(path, |_, _| Ok(()))
    }

    fn parsed(
        path: &Path,
        more: impl FnOnce(&mut Self, &ReadCache<File>) -> object::read::Result<()>,
    ) -> Result<Self, Unreadable> {
        let file = File::open(path).map_err(Unreadable::Io)?;
        let cache = ReadCache::new(file);
        let ident: &[u8] = (&cache).read_bytes_at(0, 20).map_err(|()| Unreadable::NotElf)?;
        if ident[..4] != spec::ELFMAG {
            return Err(Unreadable::NotElf);
        }
        let machine = u16::from_le_bytes([ident[18], ident[19]]);
        if ident[4] != 2 || ident[5] != 1 || machine != 62 {
            return Err(Unreadable::OtherMachine(machine_name(ident[4], ident[5], machine)));
        }
        let elf = links(path, &cache).and_then(|mut elf| more(&mut elf, &cache).map(|()| elf));
        elf.map_err(|error| Unreadable::Damaged(error.to_string()))
    }

    /// True if the file contains an OpenMP runtime, that is, defines a function that starts a region.
    pub fn is_runtime(&self) -> bool {
        self.contains.contains("__kmpc_fork_call") || self.contains.contains("GOMP_parallel")
    }

    /// True if the file needs an OpenMP runtime. A file that only tests by a weak symbol whether there is a runtime
    /// does not need one.
    pub fn uses_openmp(&self) -> bool {
        self.wants.iter().any(|want| !want.weak) || self.needed.iter().any(|name| is_runtime_name(name))
    }

    /// True for a program without a dynamic loader.
    pub fn is_static(&self) -> bool {
        self.program && self.interpreter.is_none()
    }

    /// True if the loader is musl's, which cannot load libraries made for glibc.
    pub fn is_musl(&self) -> bool {
        self.interpreter.as_deref().is_some_and(|path| path.contains("ld-musl"))
            || self.needed.iter().any(|name| name.starts_with("libc.musl-"))
    }
}

/// True for names under which programs need an OpenMP runtime, including `libgomp-<hash>.so.1` of Python wheels.
pub fn is_runtime_name(name: &str) -> bool {
    ["libgomp", "libomp", "libiomp5", "libomptarget"].iter().any(|stem| {
        name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.') || rest.starts_with('-'))
            && name.contains(".so")
    })
}

/// The routines of OpenACC. Other libraries may use the same names; under libgomp's version nodes they are libgomp's.
fn is_openacc(name: &str, node: Option<&str>) -> bool {
    name.starts_with("acc_") && node.is_some_and(|node| node.starts_with("OACC_"))
}

/// True for functions of an OpenMP runtime, judged by their names.
fn is_openmp(name: &str) -> bool {
    ["GOMP_", "GOACC_", "__kmpc_", "omp_", "kmpc_", "kmp_"].iter().any(|prefix| name.starts_with(prefix))
}

fn links(path: &Path, data: &ReadCache<File>) -> object::read::Result<Elf> {
    let header: &Header = Header::parse(data)?;
    let endian = header.endian()?;
    let mut elf = Elf {
        path: path.to_path_buf(),
        interpreter: None,
        dynamic: false,
        program: false,
        soname: None,
        needed: Vec::new(),
        rpath: Vec::new(),
        runpath: Vec::new(),
        wants: BTreeSet::new(),
        contains: BTreeSet::new(),
        exports: BTreeSet::new(),
        has_thread_sanitizer: false,
        needs_nodes: Vec::new(),
        nodes: BTreeSet::new(),
        device_code: false,
        entry_versions: BTreeSet::new(),
    };
    for segment in header.program_headers(endian, data)? {
        if let Some(name) = segment.interpreter(endian, data)? {
            elf.interpreter = Some(text(name));
        }
        elf.dynamic |= segment.p_type(endian) == spec::PT_DYNAMIC;
    }
    let sections = header.sections(endian, data)?;
    let mut position_independent_program = false;
    let table = sections.dynamic_table(endian, data)?;
    for entry in &table {
        match entry.tag {
            spec::DT_NEEDED => elf.needed.push(text(table.string(entry)?)),
            spec::DT_SONAME => elf.soname = Some(text(table.string(entry)?)),
            spec::DT_RPATH => elf.rpath = split(table.string(entry)?),
            spec::DT_RUNPATH => elf.runpath = split(table.string(entry)?),
            // DF_1_PIE: a static position-independent program differs from a shared library by this flag alone.
            spec::DT_FLAGS_1 => position_independent_program = entry.val & 0x0800_0000 != 0,
            _ => {}
        }
    }
    elf.program = header.e_type(endian) == spec::ET_EXEC || elf.interpreter.is_some() || position_independent_program;
    Ok(elf)
}

fn symbols(elf: &mut Elf, data: &ReadCache<File>) -> object::read::Result<()> {
    let header: &Header = Header::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let versions = sections.versions(endian, data)?;
    let dynamic = sections.symbols(endian, data, spec::SHT_DYNSYM)?;
    for (index, symbol) in dynamic.enumerate() {
        let Ok(name) = symbol.name(endian, dynamic.strings()) else { continue };
        let Ok(name) = std::str::from_utf8(name) else { continue };
        elf.has_thread_sanitizer |= name == "__tsan_init";
        let node = versions.as_ref().and_then(|table| {
            let version = table.version_index(endian, SymbolIndex(index.0)).index();
            table.version(version).ok().flatten().map(|version| text(version.name()))
        });
        if !is_openmp(name) && !is_openacc(name, node.as_deref()) {
            continue;
        }
        if symbol.is_undefined(endian) {
            elf.wants.insert(Want { name: name.to_owned(), node, weak: symbol.is_weak() });
        } else {
            elf.contains.insert(name.to_owned());
            elf.exports.insert((name.to_owned(), node));
        }
    }
    let full = sections.symbols(endian, data, spec::SHT_SYMTAB)?;
    for symbol in full.iter() {
        let Ok(name) = symbol.name(endian, full.strings()) else { continue };
        if let Ok(name) = std::str::from_utf8(name)
            && symbol.st_type() == spec::STT_FUNC
            && !symbol.is_undefined(endian)
            && is_openmp(name)
        {
            elf.contains.insert(name.to_owned());
        }
    }
    if let Some((mut needs, link)) = sections.gnu_verneed(endian, data)? {
        let strings = sections.strings(endian, data, link)?;
        while let Some((need, mut nodes)) = needs.next()? {
            let file = text(need.file(endian, strings)?);
            while let Some(node) = nodes.next()? {
                elf.needs_nodes.push((file.clone(), text(node.name(endian, strings)?)));
            }
        }
    }
    if let Some((mut definitions, link)) = sections.gnu_verdef(endian, data)? {
        let strings = sections.strings(endian, data, link)?;
        while let Some((_, mut names)) = definitions.next()? {
            if let Some(name) = names.next()? {
                elf.nodes.insert(text(name.name(endian, strings)?));
            }
        }
    }
    for section in sections.iter() {
        match sections.section_name(endian, section)? {
            OLD_ENTRIES => elf.device_code |= section.sh_size(endian) != 0,
            ENTRIES => {
                let versions = section.data(endian, data)?.chunks_exact(ENTRY_BYTES);
                let version = |entry: &[u8]| u16::from_le_bytes([entry[ENTRY_VERSION], entry[ENTRY_VERSION + 1]]);
                elf.entry_versions.extend(versions.map(version));
                elf.device_code |= section.sh_size(endian) != 0;
            }
            _ => {}
        }
    }
    Ok(())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn split(paths: &[u8]) -> Vec<String> {
    text(paths).split(':').filter(|path| !path.is_empty()).map(str::to_owned).collect()
}

/// A short name for a machine that ferromp does not run on.
fn machine_name(class: u8, data: u8, machine: u16) -> String {
    let machine = if data == 2 { machine.swap_bytes() } else { machine };
    let name = match machine {
        3 => "x86",
        21 => "ppc64",
        22 => "s390x",
        40 => "arm",
        62 => "x86-64",
        183 => "aarch64",
        243 => "riscv",
        258 => "loongarch",
        _ => return format!("machine {machine}"),
    };
    let bits = if class == 1 { ", 32 bits" } else { "" };
    format!("{name}{bits}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_are_known_by_their_names() {
        for name in [
            "libgomp.so.1",
            "libgomp-a34b3233.so.1.0.0",
            "libomp.so",
            "libomp.so.5",
            "libiomp5.so",
            "libomptarget.so.19.1",
        ] {
            assert!(is_runtime_name(name), "{name}");
        }
        for name in ["libompi.so", "libomptarget-amdgpu.bc", "libcomp.so", "libgomp", "libompd.so"] {
            assert!(!is_runtime_name(name), "{name}");
        }
    }

    #[test]
    fn routines_of_openacc_are_known_by_their_nodes() {
        assert!(is_openacc("acc_init", Some("OACC_2.0")));
        assert!(
            !is_openacc("acc_init", Some("MYLIB_1"))
                && !is_openacc("acc_init", None)
                && !is_openacc("init", Some("OACC_2.0"))
        );
    }

    #[test]
    fn this_very_program_is_readable_and_has_no_openmp() {
        let elf = Elf::read(&std::env::current_exe().unwrap()).unwrap();
        assert!(elf.program && elf.dynamic && !elf.is_static() && !elf.is_musl());
        assert!(elf.needed.iter().any(|name| name == "libc.so.6"));
        assert!(!elf.uses_openmp() && !elf.is_runtime());
        assert!(elf.needs_nodes.iter().any(|(file, node)| file == "libc.so.6" && node.starts_with("GLIBC_")));
    }

    #[test]
    fn text_is_not_elf() {
        assert!(matches!(Elf::read(Path::new("Cargo.toml")), Err(Unreadable::NotElf)));
    }
}
