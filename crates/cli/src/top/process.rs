//! Finds the recording of a running process.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use ferromp_trace::store::meta;

use crate::failure::{Failure, reason};

/// The folder that a process records into. Its threads' files are among the process's mappings.
pub fn recording(pid: u32) -> Result<PathBuf, Failure> {
    let maps = std::fs::read(format!("/proc/{pid}/maps")).map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new(format!("there is no process {pid}")),
        _ => Failure::new(format!("cannot look into process {pid}: {}", reason(&error))),
    })?;
    let maps = String::from_utf8_lossy(&maps);
    folder_of(&maps).filter(|folder| folder.join(meta::FILE).is_file()).ok_or_else(|| {
        let way = "start its program with ferromp top -- PROGRAM, or with ferromp trace";
        Failure::new(format!("process {pid} is not being recorded by ferromp; {way}"))
    })
}

/// The folder of the threads' files that are mapped there.
fn folder_of(maps: &str) -> Option<PathBuf> {
    maps.lines().find_map(|line| {
        let path = Path::new(&line[line.find('/')?..]);
        let name = path.file_name()?.to_str()?;
        (name.starts_with("thread-") && name.ends_with(".fmt")).then(|| path.parent().map(Path::to_path_buf))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_is_that_of_a_mapped_file() {
        let maps = "55d0-55e0 r-xp 00001000 08:01 12   /usr/bin/app\n\
                    7f00-7f40 rw-s 00000000 08:01 13   /data/my trace/thread-00000.fmt\n";
        assert_eq!(folder_of(maps), Some("/data/my trace".into()));
        assert_eq!(folder_of("55d0-55e0 r-xp 00001000 08:01 12   /usr/bin/app\n"), None);
    }
}
