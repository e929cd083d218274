//! The kept summary of a trace: used while nothing has changed, computed anew otherwise, and never in the way.

mod synthetic;

use ferromp_trace::cached;
use ferromp_trace::store::lock::Lock;
use ferromp_trace::store::{Folder, Meta, Record, folder};
use std::path::{Path, PathBuf};
use synthetic::implicit;

const REGION: u64 = 0x1000;

/// A trace of one region, and a folder that holds nothing else.
fn trace() -> (tempfile::TempDir, PathBuf) {
    let outer = tempfile::tempdir().unwrap();
    let dir = outer.path().join("trace");
    std::fs::create_dir(&dir).unwrap();
    write(&dir);
    // A trace that is complete has a lock file of a process that has ended.
    drop(Lock::take(&Folder::open(&dir).unwrap()).unwrap());
    (outer, dir)
}

fn write(dir: &Path) {
    synthetic::trace(
        dir,
        1000,
        &[&[
            (100, Record::ParallelBegin { parallel: 1, task: 1, requested: 1, flags: 0, codeptr: REGION }),
            (100, implicit(1, 2, 1, 0)),
            (300, Record::ImplicitTaskEnd { task: 2, index: 0 }),
            (300, Record::ParallelEnd { parallel: 1, codeptr: REGION }),
        ]],
    );
}

/// The regions' time, and whether the events were read for it.
fn open(dir: &Path) -> (u64, bool) {
    let mut read = false;
    let (_, summary, _) = cached::open(dir, &mut |_, _| read = true).unwrap();
    (summary.regions[0].total_ns, read)
}

#[test]
fn events_are_read_once() {
    let (_outer, dir) = trace();
    let first = cached::open(&dir, &mut |_, _| {}).unwrap();
    let again = cached::open(&dir, &mut |_, _| panic!("the events are read again")).unwrap();
    assert_eq!(first.1, again.1);
    assert_eq!(open(&dir), (200, false));
    let moved = dir.with_file_name("moved");
    std::fs::rename(&dir, &moved).unwrap();
    assert_eq!(open(&moved), (200, false));
}

#[test]
fn a_changed_trace_is_read_again() {
    let (_outer, dir) = trace();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)));
    let thread = dir.join(folder::thread_file(0));
    let file = std::fs::File::options().append(true).open(&thread).unwrap();
    let before = file.metadata().unwrap().modified().unwrap();
    file.set_modified(before + std::time::Duration::from_nanos(1000)).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)), "another time");
    file.set_len(file.metadata().unwrap().len() + 1).unwrap();
    file.set_modified(before + std::time::Duration::from_nanos(1000)).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)), "another length");
    let meta = Meta { cpus: 77, ..Meta::read(&dir).unwrap() };
    meta.write(&Folder::open(&dir).unwrap()).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)), "another description");
    std::fs::write(dir.join(folder::thread_file(7)), "no thread").unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)), "another thread");
}

#[test]
fn a_changed_module_has_the_trace_read_again() {
    let (outer, dir) = trace();
    let module = outer.path().join("module");
    std::fs::write(&module, "one").unwrap();
    std::fs::write(dir.join("modules.txt"), format!("1000 2000 0 - {}\n", module.display())).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)));
    std::fs::write(&module, "another").unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)), "another module");
    std::fs::remove_file(&module).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)), "no module");
}

#[test]
fn a_damaged_summary_is_not_used() {
    let (_outer, dir) = trace();
    open(&dir);
    let path = dir.join(folder::SUMMARY);
    let good = std::fs::read(&path).unwrap();
    for at in 0..good.len() {
        let mut bad = good.clone();
        bad[at] ^= 0x20;
        std::fs::write(&path, bad).unwrap();
        assert_eq!(open(&dir), (200, true), "byte {at}");
        assert_eq!(std::fs::read(&path).unwrap(), good);
    }
    for bad in [&b""[..], b"abc", &good[..good.len() / 2], &[0; 4096], &[0xff; 4096]] {
        std::fs::write(&path, bad).unwrap();
        assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)));
    }
}

#[test]
fn nothing_is_kept_while_the_program_runs() {
    let (_outer, dir) = trace();
    std::fs::remove_file(dir.join(ferromp_trace::store::lock::FILE)).unwrap();
    let lock = Lock::take(&Folder::open(&dir).unwrap()).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, true)));
    assert!(!dir.join(folder::SUMMARY).exists());
    drop(lock);
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, false)));
}

#[test]
fn a_trace_that_was_cut_off_is_damaged_each_time() {
    let (_outer, dir) = trace();
    let thread = dir.join(folder::thread_file(0));
    let mut bytes = std::fs::read(&thread).unwrap();
    let end = bytes.len();
    bytes[end - 3..].fill(0xee);
    std::fs::write(&thread, bytes).unwrap();
    let damage = || cached::open(&dir, &mut |_, _| {}).unwrap().0.all_damage();
    let first = damage();
    assert!(!first.is_empty());
    assert_eq!(damage(), first);
}

#[test]
fn a_link_in_place_of_the_summary_is_neither_read_nor_followed() {
    let (outer, dir) = trace();
    open(&dir);
    let (path, elsewhere) = (dir.join(folder::SUMMARY), outer.path().join("elsewhere"));
    std::fs::rename(&path, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
    let before = std::fs::read(&elsewhere).unwrap();
    assert_eq!(open(&dir), (200, true));
    assert_eq!(std::fs::read(&elsewhere).unwrap(), before);
    assert!(!path.is_symlink());
}

#[test]
fn a_folder_that_cannot_be_written_costs_only_time() {
    let (_outer, dir) = trace();
    // As a user without rights would find it, and for root as well.
    std::fs::create_dir(dir.join(format!("{}.new", folder::SUMMARY))).unwrap();
    assert_eq!((open(&dir), open(&dir)), ((200, true), (200, true)));
}

#[test]
fn the_summary_goes_with_its_trace() {
    let (_outer, dir) = trace();
    open(&dir);
    assert!(folder::files_of_trace(&dir).unwrap().contains(&dir.join(folder::SUMMARY)));
}
