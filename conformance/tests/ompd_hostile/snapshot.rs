//! The memory of a program that has stopped, as it was: what the debugger that lies starts from.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::process::{Command, Stdio};

/// A snapshot.
pub struct Snapshot {
    /// Pieces of memory, by address.
    pieces: Vec<(u64, Vec<u8>)>,
    /// Where the runtime's object lies.
    pub object: u64,
    /// The kernel's numbers of its threads.
    pub lwps: Vec<u32>,
}

/// Pieces larger than this are reserved rather than used.
const LARGEST: u64 = 64 << 20;

impl Snapshot {
    /// Runs a program that says where the object lies and stops itself, and takes its memory. The program is killed
    /// then.
    ///
    /// # Panics
    /// If it does not stop.
    pub fn of(command: &mut Command) -> Snapshot {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("the program starts");
        let pid = child.id();
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it can be read");
        let object = u64::from_str_radix(line.trim(), 16).unwrap_or_else(|_| panic!("the program says {line:?}"));
        assert_ne!(object, 0, "the runtime does not show itself");
        let mut status = 0;
        // SAFETY: waits for a child of ours to stop.
        let waited = unsafe { libc::waitpid(pid as i32, &mut status, libc::WUNTRACED) };
        assert!(waited == pid as i32 && libc::WIFSTOPPED(status), "the program does not stop: {status:#x}");
        let lwps = std::fs::read_dir(format!("/proc/{pid}/task")).expect("it can be listed");
        let lwps = lwps.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok()).collect();
        let snapshot = Snapshot { pieces: memory(pid), object, lwps };
        child.kill().and_then(|()| child.wait()).expect("it can be killed");
        assert!(snapshot.holds(object), "the object cannot be read");
        snapshot
    }

    /// Whether there is a word at that address.
    pub fn holds(&self, address: u64) -> bool {
        self.read(address, &mut [0; 8])
    }

    /// Fills the buffer from the snapshot; false if a part is missing.
    pub fn read(&self, address: u64, buffer: &mut [u8]) -> bool {
        let after = self.pieces.partition_point(|(start, _)| *start <= address);
        let Some((start, bytes)) = after.checked_sub(1).map(|index| &self.pieces[index]) else { return false };
        let from = (address - start) as usize;
        match bytes.get(from..).and_then(|bytes| bytes.get(..buffer.len())) {
            Some(bytes) => {
                buffer.copy_from_slice(bytes);
                true
            }
            None => false,
        }
    }
}

/// All memory of a process that can be read and is not too large.
fn memory(pid: u32) -> Vec<(u64, Vec<u8>)> {
    let maps = std::fs::read_to_string(format!("/proc/{pid}/maps")).expect("it can be read");
    let file = File::open(format!("/proc/{pid}/mem")).expect("it can be read");
    let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
    for line in maps.lines() {
        let mut words = line.split(' ');
        let (range, rights) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let Some((start, end)) = range.split_once('-') else { continue };
        let number = |text| u64::from_str_radix(text, 16).expect("an address");
        let (start, end) = (number(start), number(end));
        if !rights.starts_with("rw") || end - start > LARGEST {
            continue;
        }
        let mut bytes = vec![0; (end - start) as usize];
        if file.read_exact_at(&mut bytes, start).is_err() {
            continue;
        }
        match pieces.last_mut() {
            Some((first, before)) if *first + before.len() as u64 == start => before.extend(bytes),
            _ => pieces.push((start, bytes)),
        }
    }
    pieces
}
