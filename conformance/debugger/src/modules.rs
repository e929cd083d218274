//! The files that a process has mapped, and the symbols in them: dynamic ones, and those that `strip` removes where
//! they are still there.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use object::elf::{FileHeader64, PT_LOAD};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol};

/// A part of a file that is mapped.
#[derive(Clone, Debug)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    /// Where in the file it begins.
    pub offset: u64,
    pub path: PathBuf,
}

/// A mapped ELF file.
#[derive(Clone, Debug)]
pub struct Module {
    pub path: PathBuf,
    /// What to add to the addresses in the file.
    pub bias: u64,
    symbols: Arc<Symbols>,
}

/// What a file says of itself.
#[derive(Debug, Default)]
struct Symbols {
    /// The address of the module's first byte in its file, before relocation.
    first: u64,
    names: HashMap<String, u64>,
}

impl Module {
    /// The address of a symbol that the file defines.
    pub fn symbol(&self, name: &str) -> Option<u64> {
        self.symbols.names.get(name).map(|address| self.bias.wrapping_add(*address))
    }

    /// The name of the file without its folder.
    pub fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }
}

/// The ELF files among the mappings, in the order in which they were given, each once.
pub fn of(mappings: &[Mapping]) -> Vec<Module> {
    let mut modules: Vec<Module> = Vec::new();
    for mapping in mappings.iter().filter(|mapping| mapping.offset == 0) {
        if modules.iter().any(|module| module.path == mapping.path) {
            continue;
        }
        if let Some(symbols) = symbols(&mapping.path) {
            let bias = mapping.start.wrapping_sub(symbols.first);
            modules.push(Module { path: mapping.path.clone(), bias, symbols });
        }
    }
    modules
}

/// A file's symbols, read once for as long as the file does not change.
fn symbols(path: &Path) -> Option<Arc<Symbols>> {
    type Known = HashMap<(PathBuf, std::time::SystemTime), Option<Arc<Symbols>>>;
    static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
    let changed = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.modified().ok()?;
    let mut known = KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    known.entry((path.to_owned(), changed)).or_insert_with(|| read(path).map(Arc::new)).clone()
}

fn read(path: &Path) -> Option<Symbols> {
    let data = fs::read(path).ok()?;
    let header = FileHeader64::<Endianness>::parse(&*data).ok()?;
    let endian = header.endian().ok()?;
    let loads = header.program_headers(endian, &*data).ok()?.iter().filter(|part| part.p_type(endian) == PT_LOAD);
    let first = loads.map(|part| part.p_vaddr(endian) & !0xfff).min()?;
    let file = object::File::parse(&*data).ok()?;
    // Dynamic symbols come last, and are the ones that the loader means; of a name with several versions it means the
    // default one.
    let versions = header.sections(endian, &*data).ok()?.versions(endian, &*data).ok()?;
    let is_hidden = |index| versions.as_ref().is_some_and(|versions| versions.version_index(endian, index).is_hidden());
    let (hidden, default): (Vec<_>, Vec<_>) = file.dynamic_symbols().partition(|symbol| is_hidden(symbol.index()));
    let symbols = file.symbols().chain(hidden).chain(default);
    let defined = symbols.filter(|symbol| symbol.is_definition() && symbol.address() != 0);
    let names = defined.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address()))).collect();
    Some(Symbols { first, names })
}
