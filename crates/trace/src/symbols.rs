//! Names for code addresses: function, file and line from DWARF; else symbol and offset; else module and offset.
//! A `codeptr_ra` (OpenMP 5.1, section 4.5.1) is a return address, so the byte before it is looked up.
//!
//! A trace may name any path and any file as a module. Only regular files are opened, never a file that another file
//! names. The memory for a file is bounded by the file's size.

mod lines;

use crate::store::{Module, Modules, files};
use lines::Lines;
use memmap2::Mmap;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where separate debug files lie, by build id below `.build-id`.
const DEBUG_FOLDER: &str = "/usr/lib/debug/.build-id";

/// What is known about an address. Displays as `file.c:42`, else `symbol+0x1f`, else `libx.so+0x1234`, else `0x1234`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Location {
    /// The return address.
    pub address: u64,
    /// The function, demangled; the outermost one that was not inlined.
    pub function: Option<String>,
    /// Bytes from the function symbol's start to the return address, where a symbol was found.
    pub function_offset: Option<u64>,
    /// Source file as the compiler recorded it.
    pub file: Option<PathBuf>,
    /// Line in `file`.
    pub line: Option<u32>,
    /// The mapped file.
    pub module: Option<String>,
    /// The return address as the file's symbol table counts.
    pub module_offset: u64,
}

impl Location {
    /// The short form without a function: as `Display`, but the source file without its folders.
    pub fn short(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => {
                let name = file.file_name().unwrap_or(file.as_os_str());
                format!("{}:{line}", name.to_string_lossy())
            }
            _ => self.unsourced(),
        }
    }

    /// The function and its place: `solve (heat.c:42)`, or the short form where there is no source line.
    pub fn long(&self) -> String {
        match (&self.function, self.line) {
            (Some(function), Some(_)) => format!("{function} ({})", self.short()),
            _ => self.short(),
        }
    }

    fn unsourced(&self) -> String {
        if let (Some(function), Some(offset)) = (&self.function, self.function_offset) {
            return format!("{function}+{offset:#x}");
        }
        match &self.module {
            Some(module) => {
                format!("{}+{:#x}", module.rsplit('/').next().unwrap_or(module), self.module_offset)
            }
            None if self.address == 0 => "(unknown place)".into(),
            None => format!("{:#x}", self.address),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}", file.display()),
            _ => f.write_str(&self.unsourced()),
        }
    }
}

/// Names addresses of one process; keeps what it has read.
pub struct Symbolizer {
    modules: Modules,
    files: HashMap<String, Option<Rc<File>>>,
    known: HashMap<u64, Rc<Location>>,
    /// The first address on each function and line for which [`Symbolizer::place`] was called.
    places: HashMap<String, u64>,
    /// What could not be used, one line each.
    pub problems: Vec<String>,
    /// Modules that cannot be the recorded modules, one line each: the trace is damaged, or was tampered with.
    pub damage: Vec<String>,
}

impl Symbolizer {
    /// A symbolizer for addresses in `modules`. Files are opened when they are first needed.
    pub fn new(modules: &Modules) -> Symbolizer {
        let (files, known, places) = (HashMap::new(), HashMap::new(), HashMap::new());
        Symbolizer { modules: modules.clone(), files, known, places, problems: Vec::new(), damage: Vec::new() }
    }

    /// What is known about a return address. Never fails; what is unknown is left out.
    pub fn locate(&mut self, address: u64) -> Rc<Location> {
        if let Some(location) = self.known.get(&address) {
            return location.clone();
        }
        let location = Rc::new(self.look_up(address));
        self.known.insert(address, location.clone());
        location
    }

    /// One address for all addresses on the same line of the same function: the first for which this function was
    /// called. An address without a known line stands for itself.
    pub fn place(&mut self, address: u64) -> u64 {
        let location = self.locate(address);
        if location.line.is_none() {
            return address;
        }
        let name = format!("{}\0{location}", location.function.as_deref().unwrap_or_default());
        *self.places.entry(name).or_insert(address)
    }

    fn look_up(&mut self, address: u64) -> Location {
        let mut location = Location { address, ..Location::default() };
        let before = address.wrapping_sub(1);
        let Some(module) = self.modules.find(before).cloned() else { return location };
        location.module = Some(module.path.clone());
        let file_offset = before - module.start + module.offset;
        location.module_offset = file_offset + 1;
        let Some(file) = self.file(&module) else { return location };
        let Some(probe) = file.virtual_address(file_offset) else { return location };
        location.module_offset = probe + 1;
        file.describe(probe, &mut location);
        location
    }

    fn file(&mut self, module: &Module) -> Option<Rc<File>> {
        if !module.path.starts_with('/') {
            return None;
        }
        if !self.files.contains_key(&module.path) {
            let file = self.open(module).map(Rc::new);
            self.files.insert(module.path.clone(), file);
        }
        self.files[&module.path].clone()
    }

    fn open(&mut self, module: &Module) -> Option<File> {
        // Code is mapped from files that have bytes.
        let file = match map(Path::new(&module.path)) {
            Err(error) if files::is_irregular(&error) => {
                self.damage
                    .push(format!("{}: {error}, and so no module; its addresses are left as numbers", module.path));
                return None;
            }
            Err(error) => Err(error.to_string()),
            Ok(map) => File::of(module, map),
        };
        file.map_err(|problem| self.problems.push(format!("{}: {problem}", module.path))).ok()
    }
}

/// Maps a regular file.
fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = files::open(path)?;
    // SAFETY: programs and libraries are replaced, not shortened, while they are in use, so the mapping stays readable.
    // If the bytes change nevertheless, only names of addresses are wrong.
    unsafe { Mmap::map(&file) }
}

/// A mapped file, its symbols and its debug information.
struct File {
    /// `(file offset, size in the file, virtual address)` of each loaded segment.
    segments: Vec<(u64, u64, u64)>,
    /// `(address, size, name)` of each function, by address.
    functions: Vec<(u64, u64, String)>,
    lines: Option<Lines>,
}

impl File {
    fn of(module: &Module, map: Mmap) -> Result<File, String> {
        let object = object::File::parse(&*map).map_err(|error| error.to_string())?;
        let build_id = object.build_id().ok().flatten().map(hex);
        if module.build_id.is_some() && module.build_id != build_id {
            return Err("has changed since it was recorded; its addresses are left as numbers".into());
        }
        let segments = object.segments().map(|segment| {
            let (offset, size) = segment.file_range();
            (offset, size, segment.address())
        });
        let mut file = File { segments: segments.collect(), functions: functions(&object, map.len()), lines: None };
        if object.section_by_name(".debug_line").is_some() {
            file.lines = Lines::of(map);
            return Ok(file);
        }
        let separate = build_id.and_then(|id| separate_debug_file(&id)).and_then(|path| self::map(&path).ok());
        if let Some(separate) = separate
            && let Ok(object) = object::File::parse(&*separate)
        {
            file.functions = functions(&object, separate.len());
            file.lines = Lines::of(separate);
        }
        Ok(file)
    }

    fn virtual_address(&self, file_offset: u64) -> Option<u64> {
        let inside =
            |(offset, size, _): &&(u64, u64, u64)| file_offset.checked_sub(*offset).is_some_and(|into| into < *size);
        self.segments.iter().find(inside).map(|(offset, _, address)| (file_offset - offset).wrapping_add(*address))
    }

    fn describe(&self, probe: u64, location: &mut Location) {
        let after = self.functions.partition_point(|(address, ..)| *address <= probe);
        if let Some((address, size, name)) = after.checked_sub(1).map(|index| &self.functions[index])
            && probe - address < *size
        {
            location.function = Some(addr2line::demangle_auto(name.into(), None).into_owned());
            location.function_offset = Some(probe + 1 - address);
        }
        let Some(lines) = &self.lines else { return };
        if let Some((file, line)) = lines.find(probe) {
            location.file = file;
            location.line = line.filter(|line| *line != 0);
        }
        if location.function.is_none() {
            location.function = lines.function(probe);
        }
    }
}

/// The functions of a file of `size` bytes. In files that a linker made, each name has its own bytes. In a forged file
/// names may share bytes, and all names together could be far longer than the file; hence the bound.
fn functions(object: &object::File<'_>, size: usize) -> Vec<(u64, u64, String)> {
    let symbols = object.symbols().chain(object.dynamic_symbols());
    let mut room = size;
    let mut functions: Vec<(u64, u64, String)> = symbols
        .filter(|symbol| symbol.is_definition() && symbol.kind() == object::SymbolKind::Text && symbol.size() > 0)
        .map_while(|symbol| {
            let name = symbol.name().unwrap_or_default();
            room = room.checked_sub(name.len())?;
            Some((symbol.address(), symbol.size(), name.to_owned()))
        })
        .filter(|(.., name)| !name.is_empty())
        .collect();
    functions.sort();
    functions.dedup_by_key(|(address, ..)| *address);
    functions
}

fn separate_debug_file(build_id: &str) -> Option<PathBuf> {
    let (head, tail) = build_id.split_at_checked(2)?;
    let path = Path::new(DEBUG_FOLDER).join(head).join(format!("{tail}.debug"));
    path.is_file().then_some(path)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(never)]
    fn return_address() -> u64 {
        std::hint::black_box(return_address as fn() -> u64 as usize as u64 + 1)
    }

    #[test]
    fn a_function_of_this_program_is_found() {
        let mut symbols = Symbolizer::new(&Modules::of_this_process());
        let location = symbols.locate(return_address());
        assert!(location.function.as_deref().is_some_and(|name| name.contains("return_address")), "{location:?}");
        assert!(location.file.as_ref().is_some_and(|file| file.ends_with("symbols.rs")), "{location:?}");
        assert!(location.short().starts_with("symbols.rs:"), "{location:?}");
    }

    #[test]
    fn addresses_on_one_line_are_one_place() {
        let mut symbols = Symbolizer::new(&Modules::of_this_process());
        let addresses: Vec<u64> = (return_address()..).take(12).collect();
        let lines: Vec<_> = addresses.iter().map(|address| symbols.locate(*address).line).collect();
        let places: Vec<u64> = addresses.iter().map(|address| symbols.place(*address)).collect();
        assert!(lines.windows(2).any(|pair| pair[0] == pair[1]), "{lines:?}");
        assert!(
            (0..11).all(|index| (lines[index] == lines[index + 1]) == (places[index] == places[index + 1])),
            "{lines:?} {places:?}"
        );
        assert_eq!((symbols.place(0x1234), symbols.place(0x1235)), (0x1234, 0x1235));
    }

    #[test]
    fn an_address_of_nothing_stays_a_number() {
        let mut symbols = Symbolizer::new(&Modules::default());
        assert_eq!(symbols.locate(0x1234).to_string(), "0x1234");
        assert_eq!(symbols.locate(0).to_string(), "(unknown place)");
    }

    #[test]
    fn a_pipe_beside_a_module_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let (copy, pipe) = (dir.path().join("copy"), dir.path().join("copy.dwp"));
        std::fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
        let pipe = std::ffi::CString::new(pipe.into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: plain system call with a terminated path.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        let here = Modules::of_this_process().find(return_address()).unwrap().clone();
        let copied = Module { path: copy.to_str().unwrap().to_owned(), ..here };
        let location = Symbolizer::new(&[copied].into_iter().collect()).locate(return_address());
        assert!(location.line.is_some(), "{location:?}");
    }

    #[test]
    fn a_module_that_is_no_file_is_not_read() {
        let module = |path: &str| Module { start: 0, end: 16, offset: 0, build_id: None, path: path.into() };
        for (path, damage) in [("/dev/zero", 1), ("/", 1), ("/absent", 0)] {
            let mut symbols = Symbolizer::new(&[module(path)].into_iter().collect());
            assert_eq!(symbols.locate(9).function, None);
            assert_eq!((symbols.damage.len(), symbols.problems.len()), (damage, 1 - damage), "{path}");
        }
    }

    #[test]
    fn a_changed_file_is_not_used() {
        let mut modules = Modules::of_this_process();
        let here = modules.find(return_address()).unwrap().clone();
        modules = [Module { build_id: Some("00".into()), ..here }].into_iter().collect();
        let mut symbols = Symbolizer::new(&modules);
        let location = symbols.locate(return_address());
        assert_eq!(location.function, None);
        assert_eq!(symbols.problems.len(), 1, "{:?}", symbols.problems);
    }
}
