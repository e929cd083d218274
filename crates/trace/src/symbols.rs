//! Names for code addresses: function, file and line from DWARF; else symbol and offset; else module and offset.
//! A `codeptr_ra` (OpenMP 5.1, section 4.5.1) is a return address, so the byte before it is looked up.
//!
//! A trace may name any path and any file as a module. Only regular files are opened, never a file that another file
//! names. The memory for a file is bounded by the file's size.

mod access;
mod atomic;
mod compilers;
mod directive;
mod excerpt;
mod lines;
mod location;
mod names;

use crate::Site;
use crate::store::{Module, Modules, files};
pub use excerpt::{Excerpt, excerpt};
pub use lines::Frame;
use lines::Lines;
pub use location::Location;
use memmap2::Mmap;
pub(crate) use names::shortened;
use object::{Object as _, ObjectSegment as _, ObjectSymbol as _};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Where separate debug files lie, by build id below `.build-id`.
const DEBUG_FOLDER: &str = "/usr/lib/debug/.build-id";

/// Names addresses of one process; keeps what it has read.
pub struct Symbolizer {
    modules: Modules,
    files: HashMap<String, Option<Rc<File>>>,
    known: HashMap<Site, Rc<Location>>,
    /// The first site of each place for which [`Symbolizer::place`] was called.
    places: HashMap<String, Site>,
    /// The functions of constructs that have their place from their function, not from their call.
    placed: HashSet<u64>,
    /// The sites that stand for copies in several functions.
    copies: HashSet<Site>,
    /// The compiler that each module's notes name.
    comments: HashMap<String, Option<String>>,
    /// What could not be used, one line each.
    pub problems: Vec<String>,
    /// Modules that cannot be the recorded modules, one line each: the trace is damaged, or was tampered with.
    pub damage: Vec<String>,
}

/// What a symbolizer has found out; see [`Symbolizer::findings`].
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Findings {
    copies: Vec<Site>,
    problems: Vec<String>,
    damage: Vec<String>,
}

impl Symbolizer {
    /// A symbolizer for addresses in `modules`. Files are opened when they are first needed.
    pub fn new(modules: &Modules) -> Symbolizer {
        Symbolizer {
            modules: modules.clone(),
            files: HashMap::new(),
            known: HashMap::new(),
            places: HashMap::new(),
            placed: HashSet::new(),
            copies: HashSet::new(),
            comments: HashMap::new(),
            problems: Vec::new(),
            damage: Vec::new(),
        }
    }

    /// What is known about a construct, or about a return address alone. Never fails; what is unknown is left out.
    ///
    /// gcc with optimization gives a call the line of a neighbouring statement, but the construct's function begins on
    /// the construct's line. clang's calls have the construct's line, unless the call is a tail call. Its address is
    /// that of the function around it, and the construct's function says more.
    pub fn locate(&mut self, site: impl Into<Site>) -> Rc<Location> {
        let site = site.into();
        if let Some(location) = self.known.get(&site) {
            return location.clone();
        }
        let location = Rc::new(self.look_up(site));
        self.known.insert(site, location.clone());
        location
    }

    /// One site for all sites of one construct: the first for which this function was called. Sites with different
    /// functions are different constructs, even on one line. Sites without a function are one construct if they lie on
    /// the same line of the same function. A site without function and line stands for itself.
    pub fn place(&mut self, site: impl Into<Site>) -> Site {
        let site = site.into();
        let location = self.locate(site);
        let function = site.function;
        let name = match location.line {
            None if function == 0 => return site,
            Some(_) if !self.placed.contains(&function) => {
                format!("{}\0{location}\0{function:x}", location.function.as_deref().unwrap_or_default())
            }
            _ => format!("\0{function:x}"),
        };
        let first = *self.places.entry(name).or_insert(site);
        let known = self.locate(first);
        if known.inlined_into != location.inlined_into {
            self.has_copies(first);
        }
        first
    }

    /// Notes that a site stands for copies in several functions.
    fn has_copies(&mut self, site: Site) {
        let known = self.locate(site);
        self.known.insert(site, Rc::new(Location { inlined_into: Vec::new(), ..(*known).clone() }));
        self.copies.insert(site);
    }

    /// What the calls so far have found out and cannot be found out again from the sites that they have returned.
    pub(crate) fn findings(&self) -> Findings {
        let mut copies: Vec<Site> = self.copies.iter().copied().collect();
        copies.sort();
        Findings { copies, problems: self.problems.clone(), damage: self.damage.clone() }
    }

    /// Takes over what another symbolizer has found out about the same modules. Call before the first site is located.
    pub(crate) fn set_findings(&mut self, findings: Findings) {
        (self.problems, self.damage) = (findings.problems, findings.damage);
        for site in findings.copies {
            self.has_copies(site);
        }
    }

    /// What is known about all sites that were located.
    pub(crate) fn names(&self) -> Vec<(Site, Location)> {
        let is_text = |location: &Location| location.file.as_ref().is_none_or(|file| file.to_str().is_some());
        let known = self.known.iter().filter(|(_, location)| is_text(location));
        let mut names: Vec<(Site, Location)> = known.map(|(site, location)| (*site, (**location).clone())).collect();
        names.sort_by_key(|(site, _)| *site);
        names
    }

    /// Takes over names that were found before modules were replaced. `problem` says that in one line.
    pub(crate) fn set_names(&mut self, names: Vec<(Site, Location)>, problem: String) {
        // Without the module, nobody shows lines of a source that is newer than what was recorded.
        let names = names.into_iter().map(|(site, name)| (site, Rc::new(Location { module: None, ..name })));
        self.known.extend(names);
        note(&mut self.problems, problem);
    }

    /// Tells what is known about a site, in tests that have no program.
    #[cfg(test)]
    pub(crate) fn know(&mut self, site: impl Into<Site>, location: Location) {
        self.known.insert(site.into(), Rc::new(location));
    }

    /// The functions at a return address with their lines, each inlined into the next. Empty without debug information.
    pub fn frames(&mut self, address: u64) -> Vec<Frame> {
        let found = self.find(address.wrapping_sub(1));
        let frames = found.and_then(|(file, probe)| Some(file.lines.as_ref()?.frames(probe))).unwrap_or_default();
        let readable = |frame: Frame| Frame { function: frame.function.map(|name| names::readable(&name)), ..frame };
        frames.into_iter().map(readable).collect()
    }

    fn look_up(&mut self, site: Site) -> Location {
        let mut location = Location { address: site.codeptr, ..Location::default() };
        let code = self.describe_call(site.codeptr.wrapping_sub(1), &mut location);
        if site.function == 0 {
            return location;
        }
        if let Some((file, start)) = self.find(site.function)
            && let Some(symbol) = file.symbol_at(start)
            && (names::is_outlined_by_gcc(symbol) || location.is_tail_call())
            && let Some((source, line)) = file.lines.as_ref().and_then(|lines| lines.first(start))
        {
            self.placed.insert(site.function);
            (location.file, location.line) = (Some(source), Some(line));
            let function = names::readable(symbol);
            if !names::is_of_compiler(&function) {
                enclose(&mut location, function);
            }
        } else if location.line.is_none()
            && let Some(file) = code
            // The call and what identifies the region lie in the same module, as far apart as in its file.
            && let Some(kernel) =
                file.kernel(site.function.wrapping_sub(site.codeptr).wrapping_add(location.module_offset))
        {
            let (function, line) = kernel;
            location.line = Some(line);
            location.function.get_or_insert(function);
        }
        location
    }

    /// Finds the file of an address in code, and the address as the file's symbol table counts.
    fn find(&mut self, address: u64) -> Option<(Rc<File>, u64)> {
        let module = self.modules.find(address).cloned()?;
        let file = self.file(&module)?;
        let address = file.virtual_address((address - module.start).wrapping_add(module.offset))?;
        Some((file, address))
    }

    /// Describes the call whose last byte is at `before`. Returns the file.
    fn describe_call(&mut self, before: u64, location: &mut Location) -> Option<Rc<File>> {
        let module = self.modules.find(before)?;
        location.module = Some(module.path.clone());
        location.module_offset = (before - module.start).wrapping_add(module.offset).wrapping_add(1);
        let (file, probe) = self.find(before)?;
        location.module_offset = probe.wrapping_add(1);
        file.describe(probe, location);
        Some(file)
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
                let line = format!("{}: {error}, and so no module; its addresses are left as numbers", module.path);
                note(&mut self.damage, line);
                return None;
            }
            Err(error) => Err(error.to_string()),
            Ok(map) => File::of(module, map),
        };
        file.map_err(|problem| note(&mut self.problems, format!("{}: {problem}", module.path))).ok()
    }
}

/// Whether the file of a module is certainly not the one that was recorded any more.
pub(crate) fn is_replaced(module: &Module) -> bool {
    let Some(recorded) = &module.build_id else { return false };
    match map(Path::new(&module.path)) {
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
        Ok(map) => {
            let now = object::File::parse(&*map).ok().and_then(|object| object.build_id().ok().flatten().map(hex));
            now.as_ref() != Some(recorded)
        }
    }
}

/// Adds a line unless the lines have it.
fn note(lines: &mut Vec<String>, line: String) {
    if !lines.contains(&line) {
        lines.push(line);
    }
}

/// Maps a regular file.
fn map(path: &Path) -> std::io::Result<Mmap> {
    let file = files::open(path)?;
    // SAFETY: programs and libraries are replaced, not shortened, while they are in use, so the mapping stays readable.
    // If the bytes change nevertheless, only names of addresses are wrong.
    unsafe { Mmap::map(&file) }
}

/// Puts `function`, which a construct's own function is named for, in the place of the function of its call. The call
/// may be inlined into further functions.
fn enclose(location: &mut Location, function: String) {
    let mut around: Vec<String> = location.function.take().into_iter().collect();
    around.append(&mut location.inlined_into);
    let inside = around.iter().position(|name| *name == function).map_or(0, |index| index + 1);
    location.inlined_into = around.split_off(inside);
    location.function = Some(function);
}

/// A mapped file, its symbols and its debug information.
struct File {
    /// `(file offset, size in the file, virtual address)` of each loaded segment.
    segments: Vec<(u64, u64, u64)>,
    /// `(address, size, name)` of each function, by address.
    functions: Vec<(u64, u64, String)>,
    /// The name of each target region, by the address that identifies it.
    kernels: HashMap<u64, String>,
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
        let mut file = File {
            segments: segments.collect(),
            functions: functions(&object, map.len()),
            kernels: kernels(&object, map.len()),
            lines: None,
        };
        if object.section_by_name(".debug_line").is_some() {
            file.lines = Lines::of(map);
            return Ok(file);
        }
        let separate = build_id.and_then(|id| separate_debug_file(&id)).and_then(|path| self::map(&path).ok());
        if let Some(separate) = separate
            && let Ok(object) = object::File::parse(&*separate)
        {
            file.functions = functions(&object, separate.len());
            file.kernels.extend(kernels(&object, separate.len()));
            file.lines = Lines::of(separate);
        }
        Ok(file)
    }

    fn virtual_address(&self, file_offset: u64) -> Option<u64> {
        let inside =
            |(offset, size, _): &&(u64, u64, u64)| file_offset.checked_sub(*offset).is_some_and(|into| into < *size);
        self.segments.iter().find(inside).map(|(offset, _, address)| (file_offset - offset).wrapping_add(*address))
    }

    /// The function that has the byte at `address`: its address and its symbol.
    fn symbol(&self, address: u64) -> Option<(u64, &str)> {
        let after = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, size, name) = after.checked_sub(1).map(|index| &self.functions[index])?;
        (address - start < *size).then_some((*start, name))
    }

    /// Where the function around `address` begins, and its size.
    fn extent(&self, address: u64) -> Option<(u64, u64)> {
        let after = self.functions.partition_point(|(start, ..)| *start <= address);
        let (start, size, _) = after.checked_sub(1).map(|index| &self.functions[index])?;
        (address - start < *size).then_some((*start, *size))
    }

    /// The symbol of the function that begins at `address`.
    fn symbol_at(&self, address: u64) -> Option<&str> {
        self.symbol(address).filter(|(start, _)| *start == address).map(|(_, name)| name)
    }

    /// The function and line of the target region that `address` identifies.
    fn kernel(&self, address: u64) -> Option<(String, u32)> {
        names::kernel(self.kernels.get(&address)?)
    }

    fn describe(&self, probe: u64, location: &mut Location) {
        let symbol = self.symbol(probe);
        if let Some((start, name)) = symbol {
            location.symbol = Some(names::demangled(name));
            location.function_offset = Some(probe + 1 - start);
        }
        let mut frames = self.lines.as_ref().map_or_else(Vec::new, |lines| lines.frames(probe));
        if let Some(inner) = frames.first_mut() {
            location.file = inner.file.take();
            location.line = inner.line.filter(|line| *line != 0);
        }
        if location.line.is_none() {
            // Without a line, an inlined function would say less than the function around it.
            frames.drain(..frames.len().saturating_sub(1));
        }
        let mut functions: Vec<Option<String>> = frames.into_iter().map(|frame| frame.function).collect();
        if let Some((_, name)) = symbol {
            functions.pop();
            functions.push(Some(name.to_owned()));
        }
        let mut functions: Vec<String> = functions.into_iter().flatten().map(|name| names::readable(&name)).collect();
        if functions.iter().any(|name| !names::is_of_compiler(name)) {
            functions.retain(|name| !names::is_of_compiler(name));
        }
        functions.dedup();
        let mut functions = functions.into_iter();
        location.function = functions.next();
        location.inlined_into = functions.collect();
    }
}

/// The symbols that identify target regions, by their addresses. Bounded as in [`functions`].
fn kernels(object: &object::File<'_>, size: usize) -> HashMap<u64, String> {
    let mut room = size;
    let symbols = object.symbols().chain(object.dynamic_symbols()).filter(|symbol| symbol.is_definition());
    let named = symbols.filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?)));
    named
        .filter(|(_, name)| names::is_kernel(name))
        .map_while(|(address, name)| {
            room = room.checked_sub(name.len())?;
            Some((address, name.to_owned()))
        })
        .collect()
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
        let places: Vec<u64> = addresses.iter().map(|address| symbols.place(*address).codeptr).collect();
        assert!(lines.windows(2).any(|pair| pair[0] == pair[1]), "{lines:?}");
        assert!(
            (0..11).all(|index| (lines[index] == lines[index + 1]) == (places[index] == places[index + 1])),
            "{lines:?} {places:?}"
        );
        assert_eq!((symbols.place(0x1234), symbols.place(0x1235)), (Site::from(0x1234), Site::from(0x1235)));
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
