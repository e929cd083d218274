//! `ferromp system`: ferromp as the OpenMP runtime of every program of the machine, as long as root wants that.
//!
//! The means is a file in `/etc/ld.so.conf.d` that names ferromp's folder before all others. `update-alternatives` does
//! not serve: Debian installs `libgomp.so.1` and `libomp.so.5` as plain files of their packages, and other distributors
//! have no alternatives for them either. A diversion would move files of other packages. The loader's list leaves every
//! such file where it is, and works alike on all distributions with glibc.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::args::{SystemAction, SystemArgs};
use crate::elf::Elf;
use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::say;

/// The file that names the folder of ferromp's libraries for the loader. The loader reads the files in the order of
/// their names, and the first library of a name counts.
const LIST: &str = "/etc/ld.so.conf.d/00-ferromp.conf";

/// Where `ldconfig` may be: `sbin` need not be in `PATH`.
const LDCONFIG: [&str; 2] = ["/sbin/ldconfig", "/usr/sbin/ldconfig"];

/// The names that become ferromp's: those of GCC's, LLVM's and Intel's runtimes.
const NAMES: [&str; 3] = ["libgomp.so.1", "libomp.so.5", "libiomp5.so"];

/// The runtime itself, in the same folder. The names need it, and the loader finds it by the same list.
const RUNTIME: &str = "libferromp.so.1";

/// Performs one of the actions.
pub fn perform(args: &SystemArgs) -> Result<u8, Failure> {
    match args.action {
        SystemAction::Enable => enable()?,
        SystemAction::Disable => disable()?,
        SystemAction::Status => {}
    }
    say::answer(&status()?)?;
    Ok(0)
}

fn enable() -> Result<(), Failure> {
    require_root("enable")?;
    let folder = libraries()?;
    trusted(&folder)?;
    let text = format!(
        "# Written by `ferromp system enable`; `ferromp system disable` removes it.\n{}\n",
        folder.to_string_lossy()
    );
    // What an earlier `enable` wrote, perhaps of another ferromp.
    let before = fs::read_to_string(LIST).ok();
    write_list(&text)?;
    let found = run_ldconfig(&[]).and_then(|_| resolved());
    let strange =
        found.map(|found| found.into_iter().find(|(_, file)| file.as_deref().is_none_or(|file| !is_ours(file))));
    let why = match strange {
        Ok(None) => return Ok(()),
        Ok(Some((name, file))) => {
            let file = file.map_or_else(|| "nothing".to_owned(), |file| file.display().to_string());
            Failure::new(format!("{LIST}: has no effect, the loader finds {file} for {name}; nothing was changed"))
        }
        Err(failure) => failure,
    };
    match before {
        Some(text) => write_list(&text)?,
        None => remove_list()?,
    }
    run_ldconfig(&[])?;
    Err(why)
}

/// Writes the loader's list. The file gets its name only when it is complete, because ldconfig may run at any time.
fn write_list(text: &str) -> Result<(), Failure> {
    let partial = Path::new(LIST).with_extension("new");
    fs::write(&partial, text)
        .and_then(|()| fs::rename(&partial, LIST))
        .map_err(|error| Failure::file("write", Path::new(LIST), &error))
}

fn disable() -> Result<(), Failure> {
    require_root("disable")?;
    if Path::new(LIST).exists() {
        remove_list()?;
        run_ldconfig(&[])?;
    }
    Ok(())
}

fn remove_list() -> Result<(), Failure> {
    fs::remove_file(LIST).map_err(|error| Failure::file("remove", Path::new(LIST), &error))
}

/// What each name of a runtime is to the loader, and whether ferromp is enabled.
fn status() -> Result<String, Failure> {
    let mut text = String::new();
    for (name, file) in resolved()? {
        let shown = match &file {
            None => "not found".to_owned(),
            Some(file) if is_ours(file) => format!("{} (ferromp)", file.display()),
            Some(file) => file.display().to_string(),
        };
        text.push_str(&format!("{name:13} {shown}\n"));
    }
    let state = match fs::read_to_string(LIST) {
        Ok(list) => {
            let folder = list.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
            format!("enabled: {LIST} names {folder}\n")
        }
        Err(_) => "not enabled: programs have the runtimes above, unless ferromp starts them\n".to_owned(),
    };
    Ok(ferromp_trace::escape::lines(&(text + &state)).into_owned())
}

/// The file that the loader's cache has for each name.
fn resolved() -> Result<Vec<(&'static str, Option<PathBuf>)>, Failure> {
    let cache = run_ldconfig(&["-p"])?;
    Ok(NAMES.map(|name| (name, in_cache(&cache, name))).into())
}

/// The first file for a name in what `ldconfig -p` prints: lines such as `libm.so.6 (libc6,x86-64) => /lib/libm.so.6`.
fn in_cache(cache: &str, name: &str) -> Option<PathBuf> {
    cache.lines().find_map(|line| {
        let (found, rest) = line.trim().split_once(' ')?;
        let (kind, file) = rest.split_once(" => ")?;
        (found == name && kind.contains(CACHE_KIND)).then(|| PathBuf::from(file))
    })
}

/// How the loader's cache marks libraries of this processor.
const CACHE_KIND: &str = if cfg!(target_pointer_width = "64") { "64" } else { "libc6" };

/// Whether a library is ferromp's runtime under another name, of this or another installation.
fn is_ours(file: &Path) -> bool {
    Elf::read(file).is_ok_and(|elf| elf.needed.iter().any(|needed| needed == RUNTIME))
}

/// The folder that has ferromp's runtime under its names and nothing else.
fn libraries() -> Result<PathBuf, Failure> {
    let folder = Prefix::find()?.lib().join("system");
    let missing = NAMES.iter().find(|name| !is_ours(&folder.join(name)));
    if let Some(name) = missing.or_else(|| [RUNTIME].iter().find(|name| !folder.join(name).exists())) {
        let line = format!("{} is missing: this installation is not made for it", folder.join(name).display());
        return Err(Failure::new(format!("{line}; install ferromp for the whole machine")));
    }
    let folder = folder.canonicalize().map_err(|error| Failure::file("find", &folder, &error))?;
    let shown = folder.to_string_lossy();
    // Such letters have a meaning in the loader's list.
    if shown.contains(|letter: char| letter.is_whitespace() || letter.is_control() || "#=:,".contains(letter)) {
        return Err(Failure::new(format!("{shown}: the loader's list cannot hold this path; move the installation")));
    }
    Ok(folder)
}

/// Fails unless only root can change the libraries and the folders above them. The loader uses the list for setuid
/// programs as well: whoever can write there could have root's programs run his code.
fn trusted(folder: &Path) -> Result<(), Failure> {
    let mut files: Vec<PathBuf> = folder.ancestors().map(Path::to_path_buf).collect();
    for name in NAMES.into_iter().chain([RUNTIME]) {
        let real =
            folder.join(name).canonicalize().map_err(|error| Failure::file("find", &folder.join(name), &error))?;
        files.extend(real.ancestors().map(Path::to_path_buf));
    }
    for file in files {
        let data = fs::metadata(&file).map_err(|error| Failure::file("examine", &file, &error))?;
        let why = match (data.uid(), data.mode()) {
            (0, mode) if mode & 0o022 == 0 => continue,
            (0, _) => "is writable for others than root".to_owned(),
            (owner, _) => format!("belongs to user {owner}, not to root"),
        };
        let line = format!("{} {why}, and setuid programs would load the runtime from there", file.display());
        return Err(Failure::new(format!("system enable: {line}; nothing was changed")));
    }
    Ok(())
}

fn require_root(action: &str) -> Result<(), Failure> {
    // SAFETY: the call only returns a number.
    if unsafe { libc::geteuid() } == 0 {
        return Ok(());
    }
    Err(Failure::new(format!("system {action}: only root may; type: sudo ferromp system {action}")))
}

/// Runs `ldconfig` and returns what it prints.
fn run_ldconfig(options: &[&str]) -> Result<String, Failure> {
    let path = LDCONFIG.iter().map(Path::new).find(|path| path.exists());
    let path = path.ok_or_else(|| Failure::new("there is no ldconfig in /sbin: only systems with glibc have one"))?;
    let done = Command::new(path).args(options).output().map_err(|error| Failure::file("start", path, &error))?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    Err(Failure::new(format!("{}: {}", path.display(), said.lines().last().unwrap_or("failed"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_is_read_by_name_and_processor() {
        let cache = "2 libs found in cache `/etc/ld.so.cache'\n\tlibgomp.so.1 (libc6) => /lib32/libgomp.so.1\n\
                     \tlibgomp.so.1 (libc6,x86-64) => /lib/libgomp.so.1\n\tlibgomp.so.1 (libc6,x86-64) => /b\n";
        assert_eq!(in_cache(cache, "libgomp.so.1"), Some(PathBuf::from("/lib/libgomp.so.1")));
        assert_eq!(in_cache(cache, "libgomp.so"), None);
    }

    #[test]
    fn what_others_can_write_is_not_trusted() {
        // The folder for temporary files is everybody's.
        let folder = tempfile::tempdir().unwrap();
        for name in NAMES.into_iter().chain([RUNTIME]) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let failure = trusted(folder.path()).unwrap_err();
        assert!(failure.line.contains("setuid") && failure.line.contains("nothing was changed"), "{}", failure.line);
    }
}
