//! Which locks and critical sections threads wait for: how often each was taken, and how long threads waited for it, by
//! the address that was waited at longest. Load it as the printer is loaded.

use ferromp_tool::*;
use std::collections::HashMap;
use std::ffi::c_uint;
use std::sync::Mutex as StdMutex;
use std::time::{Duration, Instant};

/// What is known of one lock.
#[derive(Clone, Copy, Default)]
struct Row {
    taken: u64,
    waited: Duration,
    longest: Duration,
    at: CodePtr,
}

/// One thread's part, which nobody else touches before the thread ends: its lock is free of charge.
#[derive(Default)]
struct Locks {
    rows: HashMap<(Mutex, WaitId), Row>,
    /// What the thread wants, since when, and where.
    wanted: Option<(Instant, CodePtr)>,
}

struct Watcher {
    runtime: Runtime<Watcher>,
    ended: StdMutex<HashMap<(Mutex, WaitId), Row>>,
}

impl Watcher {
    fn with(&self, f: impl FnOnce(&mut Locks)) {
        self.runtime.thread_data(|slot| slot.held().map(|locks| f(&mut locks.lock().unwrap())));
    }
}

#[tool]
impl Tool for Watcher {
    const NAME: &'static str = "locks";
    type ThreadData = Box<StdMutex<Locks>>;

    fn initialize(init: &Init<Self>) -> Result<Self, String> {
        Ok(Watcher { runtime: init.runtime(), ended: StdMutex::default() })
    }

    fn thread_begin(&self, _kind: Thread, thread_data: Option<Slot<'_, Self::ThreadData>>) {
        thread_data.map(|slot| slot.put(Box::default()));
    }

    fn mutex_acquire(&self, _kind: Mutex, _hint: SyncHint, _impl: c_uint, _wait_id: WaitId, codeptr_ra: CodePtr) {
        self.with(|locks| locks.wanted = Some((Instant::now(), codeptr_ra)));
    }

    fn mutex_acquired(&self, kind: Mutex, wait_id: WaitId, _codeptr_ra: CodePtr) {
        self.with(|locks| {
            let Some((since, at)) = locks.wanted.take() else { return };
            add(
                &mut locks.rows,
                (kind, wait_id),
                Row { taken: 1, waited: since.elapsed(), longest: since.elapsed(), at },
            );
        });
    }

    fn thread_end(&self, _thread_data: Option<Slot<'_, Self::ThreadData>>) {
        self.with(|locks| {
            let mut ended = self.ended.lock().unwrap();
            locks.rows.drain().for_each(|(lock, row)| add(&mut ended, lock, row));
        });
    }

    fn finalize(&self) {
        let ended = self.ended.lock().unwrap();
        let mut rows: Vec<_> = ended.iter().collect();
        rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.waited));
        eprintln!("{:>10} {:>12} {:>12}  lock", "taken", "waited", "longest");
        for ((kind, wait_id), Row { taken, waited, longest, at }) in rows {
            eprintln!("{taken:>10} {waited:>12.3?} {longest:>12.3?}  {kind:?} {wait_id:#x}, longest at {at:?}");
        }
    }
}

fn add(rows: &mut HashMap<(Mutex, WaitId), Row>, lock: (Mutex, WaitId), new: Row) {
    let row = rows.entry(lock).or_default();
    row.taken += new.taken;
    row.waited += new.waited;
    if new.longest >= row.longest {
        (row.longest, row.at) = (new.longest, new.at);
    }
}
