//! `modules.txt`: the executable mappings of the program, so that addresses can be named after it has ended.
//! One line a mapping: start, end and file offset in hexadecimal, build id or `-`, path; separated by one space.

use super::files::{self, Folder};
use crate::Error;
use object::Object as _;
use std::io::Write as _;
use std::path::Path;

/// Name of the file in the trace folder.
pub const FILE: &str = "modules.txt";
/// The file is not longer than this: as many mappings as a process may have, with long paths.
const LONGEST: u64 = 64 << 20;

/// One executable mapping of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Module {
    /// First address.
    pub start: u64,
    /// One past the last address.
    pub end: u64,
    /// Offset in the file of the first address.
    pub offset: u64,
    /// GNU build id in hexadecimal.
    pub build_id: Option<String>,
    /// The file, or a name in brackets such as `[vdso]`.
    pub path: String,
}

impl Module {
    /// The file's name without folders.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// The mappings of a process, by address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    list: Vec<Module>,
}

impl Modules {
    /// Reads the executable mappings of this process from `/proc/self/maps`.
    pub fn of_this_process() -> Modules {
        let maps = std::fs::read("/proc/self/maps").unwrap_or_default();
        let maps = String::from_utf8_lossy(&maps);
        let mut known: Vec<(String, Option<String>)> = Vec::new();
        let mut modules = Modules::of_maps(&maps);
        for module in &mut modules.list {
            if !module.path.starts_with('/') {
                continue;
            }
            if !known.iter().any(|(path, _)| *path == module.path) {
                known.push((module.path.clone(), build_id(Path::new(&module.path))));
            }
            module.build_id = known.iter().find(|(path, _)| *path == module.path).and_then(|(_, id)| id.clone());
        }
        modules
    }

    /// The executable mappings among lines of a process's `/proc/<pid>/maps`, without build ids.
    pub fn of_maps(maps: &str) -> Modules {
        Modules { list: maps.lines().filter_map(mapping).collect() }
    }

    /// Gives the code at `address` another file to take names from. The code's own file has no name that can be opened.
    pub fn stands_for(&mut self, address: u64, file: &Path) {
        let at = self.list.partition_point(|module| module.end <= address);
        let Some(nameless) =
            self.list.get(at).map(|module| module.path.clone()).filter(|path| path.starts_with("/memfd:"))
        else {
            return;
        };
        for module in self.list[at..].iter_mut().take_while(|module| module.path == nameless) {
            module.path = file.to_string_lossy().into_owned();
            module.build_id = build_id(file);
        }
    }

    /// Adds the mappings of `later` that this list lacks. A newer mapping does not replace an older one at the same
    /// address, because it is unknown whether the older mapping is gone for good.
    pub fn merge(&mut self, later: Modules) {
        for module in later.list {
            if !self.list.iter().any(|known| module.start < known.end && known.start < module.end) {
                self.list.push(module);
            }
        }
        self.list.sort();
    }

    /// The mapping that holds `address`.
    pub fn find(&self, address: u64) -> Option<&Module> {
        self.list.iter().find(|module| (module.start..module.end).contains(&address))
    }

    /// All mappings.
    pub fn iter(&self) -> impl Iterator<Item = &Module> {
        self.list.iter()
    }

    /// Reads `modules.txt` of a trace folder; lines that make no sense are left out.
    pub fn read(dir: &Path) -> Result<Modules, Error> {
        let path = dir.join(FILE);
        let text = files::read(&path, LONGEST).map_err(Error::io(&path))?;
        let mut modules = Modules { list: String::from_utf8_lossy(&text).lines().filter_map(line).collect() };
        modules.list.sort();
        Ok(modules)
    }

    /// Replaces `modules.txt` as a whole.
    pub fn write(&self, folder: &Folder) -> Result<(), Error> {
        let mut text = Vec::new();
        for module in &self.list {
            let build_id = module.build_id.as_deref().unwrap_or("-");
            writeln!(text, "{:x} {:x} {:x} {build_id} {}", module.start, module.end, module.offset, module.path)
                .expect("memory takes every byte");
        }
        folder.replace(FILE, &text).map_err(folder.error(FILE))
    }
}

impl FromIterator<Module> for Modules {
    fn from_iter<I: IntoIterator<Item = Module>>(modules: I) -> Modules {
        let mut list: Vec<Module> = modules.into_iter().collect();
        list.sort();
        Modules { list }
    }
}

/// A line of `modules.txt`.
fn line(line: &str) -> Option<Module> {
    let mut fields = line.splitn(5, ' ');
    let mut hex = || u64::from_str_radix(fields.next()?, 16).ok();
    let (start, end, offset) = (hex()?, hex()?, hex()?);
    let build_id = fields.next().filter(|id| *id != "-").map(str::to_owned);
    Some(Module { start, end, offset, build_id, path: fields.next()?.to_owned() })
}

/// An executable line of `/proc/self/maps`: `start-end perms offset device inode path`.
fn mapping(line: &str) -> Option<Module> {
    let mut rest = line;
    let mut field = || {
        let (head, tail) = rest.trim_start().split_once(' ')?;
        rest = tail;
        Some(head)
    };
    let (start, end) = field()?.split_once('-')?;
    let permissions = field()?;
    let offset = field()?;
    field()?;
    field()?;
    let path = rest.trim_start();
    let hex = |text| u64::from_str_radix(text, 16).ok();
    (permissions.contains('x') && !path.is_empty()).then_some(Module {
        start: hex(start)?,
        end: hex(end)?,
        offset: hex(offset)?,
        build_id: None,
        path: path.into(),
    })
}

fn build_id(path: &Path) -> Option<String> {
    let file = files::open(path).ok()?;
    let cache = object::ReadCache::new(file);
    let object = object::File::parse(&cache).ok()?;
    let id = object.build_id().ok()??;
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_a_name_is_replaced() {
        let maps =
            "1000-2000 r-xp 00001000 00:01 5 /memfd:image (deleted)\n3000-4000 r-xp 00000000 00:01 6 /lib/other.so\n";
        let mut modules = Modules::of_maps(maps);
        modules.stands_for(0x800, Path::new("/trace/image.so"));
        modules.stands_for(0x3000, Path::new("/trace/wrong.so"));
        let paths: Vec<&str> = modules.iter().map(|module| module.path.as_str()).collect();
        assert_eq!(paths, ["/trace/image.so", "/lib/other.so"]);
    }

    #[test]
    fn this_process_comes_back_from_its_file() {
        let modules = Modules::of_this_process();
        let here = this_process_comes_back_from_its_file as fn() as usize as u64;
        let exe = std::env::current_exe().unwrap();
        assert_eq!(modules.find(here).map(|module| module.path.as_str()), exe.to_str());
        let dir = tempfile::tempdir().unwrap();
        modules.write(&Folder::open(dir.path()).unwrap()).unwrap();
        assert_eq!(Modules::read(dir.path()).unwrap().find(here), modules.find(here));
    }

    #[test]
    fn paths_with_spaces_survive() {
        let maps = "7f00-7f10 r-xp 00001000 08:01 123   /opt/my app/lib x.so";
        assert_eq!(mapping(maps).unwrap().path, "/opt/my app/lib x.so");
        assert_eq!(line("7f00 7f10 1000 - /opt/my app/lib x.so"), mapping(maps));
    }

    #[test]
    fn merge_keeps_the_first_holder_of_an_address() {
        let module =
            |start, path: &str| Module { start, end: start + 16, offset: 0, build_id: None, path: path.into() };
        let mut modules: Modules = [module(16, "a")].into_iter().collect();
        modules.merge([module(24, "b"), module(32, "c")].into_iter().collect());
        assert_eq!(modules.find(24).unwrap().path, "a");
        assert_eq!(modules.find(33).unwrap().path, "c");
    }
}
