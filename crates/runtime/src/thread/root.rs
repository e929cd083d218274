//! Root threads: those that the runtime did not create and that entered a door. Each has an initial
//! task in a team of one (OpenMP 5.1 §1.3).

use super::{process, wait};
use crate::arch;
use crate::objects::clauses::Shown;
use crate::objects::current;
use crate::objects::current::set_current;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::ompd::ferromp_ompd;
use crate::ompt;
use crate::park::mutex::Mutex;
use crate::signals;
use crate::team::{hot, initial};
use crate::work::threadprivate;
use std::ffi::c_void;
use std::sync::atomic::{AtomicI32, AtomicU32, Ordering};

/// Descriptors whose threads have ended.
static SPARE: Mutex<Vec<&'static Thread>> = Mutex::new(Vec::new());
/// Teams of initial tasks whose threads have ended.
static SPARE_TEAMS: Mutex<Vec<&'static Team>> = Mutex::new(Vec::new());
/// The next number for a descriptor.
static NEXT: AtomicI32 = AtomicI32::new(0);
/// Threads that have a descriptor now. A plain counter.
static LIVE: AtomicI32 = AtomicI32::new(0);
/// The key whose destructor tells that a root thread ends.
static KEY: AtomicU32 = AtomicU32::new(u32::MAX);

/// A descriptor for a thread of the given kind, new or used before.
pub fn descriptor(kind: ::ompt::Thread) -> &'static Thread {
    let thread = SPARE.with(Vec::pop).unwrap_or_else(|| {
        let thread: &'static Thread = Box::leak(Box::new(Thread::new(NEXT.fetch_add(1, Ordering::Relaxed))));
        list(thread);
        thread
    });
    LIVE.fetch_add(1, Ordering::Relaxed);
    thread.tool.reset(kind);
    thread.set_place(-1);
    thread.set_device(super::HOST);
    thread.shown.set(Shown::default());
    thread
}

/// Takes a descriptor back whose thread has ended.
pub fn give_back(thread: &'static Thread) {
    LIVE.fetch_sub(1, Ordering::Relaxed);
    SPARE.with(|spare| spare.push(thread));
}

/// Puts a new descriptor into the list of all, where debuggers find it: complete at any time, since nothing is ever
/// taken out.
fn list(thread: &'static Thread) {
    let head = &ferromp_ompd.threads;
    let mut newest = head.load(Ordering::Relaxed);
    loop {
        thread.next.store(newest, Ordering::Relaxed);
        // Release: whoever finds the descriptor finds what is in it.
        match head.compare_exchange_weak(
            newest,
            std::ptr::from_ref(thread).cast_mut(),
            Ordering::Release,
            Ordering::Relaxed,
        ) {
            Ok(_) => return,
            Err(now) => newest = now,
        }
    }
}

/// All descriptors, those of ended threads included, the newest first.
pub fn all() -> impl Iterator<Item = &'static Thread> {
    // SAFETY: null or a descriptor, and descriptors live for ever.
    let newest = unsafe { ferromp_ompd.threads.load(Ordering::Acquire).as_ref() };
    // SAFETY: as above.
    std::iter::successors(newest, |thread| unsafe { thread.next.load(Ordering::Relaxed).as_ref() })
}

/// Whether no other thread of the program is in the runtime's hands or may come back to it: the calling one is the only
/// root that lives, and in no region whose threads go on.
pub fn is_alone() -> bool {
    let caller = current::try_current();
    let is_caller = |thread: &Thread| caller.is_some_and(|caller| std::ptr::eq(caller, thread));
    let mut others = all().filter(|thread| thread.pthread() != 0 && thread.tool.kind.get() == ::ompt::Thread::INITIAL);
    caller.is_none_or(Thread::is_outside_regions) && !others.any(|thread| !is_caller(thread))
}

/// How many descriptors have been made: an upper bound of the threads known to the runtime.
pub fn count() -> i32 {
    NEXT.load(Ordering::Relaxed)
}

/// Threads that the runtime knows now: roots, and workers whether they work or not.
pub fn live() -> i32 {
    LIVE.load(Ordering::Relaxed)
}

/// Makes the calling thread a root. The slow path of [`current`](super::current).
#[cold]
pub fn enter() -> &'static Thread {
    let held = signals::hold();
    let first_use = process::prepare();
    let thread = descriptor(::ompt::Thread::INITIAL);
    let team = SPARE_TEAMS.with(Vec::pop).unwrap_or_else(hot::new_team);
    set_current(Some(thread));
    hot::make_initial(team, thread);
    thread.come_in();
    thread.acc.renew();
    watch_end(thread);
    wait::attach(1);
    process::bind_first_root(thread);
    // From here on the thread is a root: a tool's initialiser may call the runtime, and so may signal handlers.
    drop((first_use, held));
    process::bring_up(thread);
    ompt::thread_begin(thread);
    ompt::initial_task_begin(thread);
    thread
}

/// Makes the calling thread, one of the runtime's own that works for devices, a root with an initial task of its own.
/// Tools know it as one of another kind. It counts as none of those that compete for CPUs, since it hardly runs. The
/// runtime is up.
pub fn enter_as_helper() -> &'static Thread {
    let thread = descriptor(::ompt::Thread::OTHER);
    let team = SPARE_TEAMS.with(Vec::pop).unwrap_or_else(hot::new_team);
    set_current(Some(thread));
    hot::make_initial(team, thread);
    thread.come_in();
    ompt::thread_begin(thread);
    ompt::initial_task_begin(thread);
    thread
}

/// The thread that [`enter_as_helper`] has made a root ends.
pub fn leave_helper(thread: &'static Thread) {
    wait::attach(1);
    end(thread);
}

/// Gives a worker that has no slot in a team any more an initial task, of which no tool hears, in a team of one.
pub fn stand_alone(thread: &'static Thread) -> &'static Team {
    let team = SPARE_TEAMS.with(Vec::pop).unwrap_or_else(hot::new_team);
    hot::make_initial(team, thread);
    team
}

/// Takes the team back that [`stand_alone`] has given.
pub fn stand_no_longer(thread: &Thread, team: &'static Team) {
    hot::disband_children(thread.member());
    SPARE_TEAMS.with(|spare| spare.push(team));
}

/// Arranges that [`leave`] is called when the thread ends.
fn watch_end(thread: &'static Thread) {
    let mut key = KEY.load(Ordering::Acquire);
    if key == u32::MAX {
        let mut fresh = 0;
        // SAFETY: creates a key with a destructor of the right type; the library is never unloaded.
        if unsafe { libc::pthread_key_create(&mut fresh, Some(leave)) } == 0 {
            match KEY.compare_exchange(key, fresh, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => key = fresh,
                Err(theirs) => {
                    // SAFETY: nobody has seen our key.
                    unsafe { libc::pthread_key_delete(fresh) };
                    key = theirs;
                }
            }
        }
    }
    if key != u32::MAX {
        // SAFETY: the key exists, and the value is a pointer that lives for ever.
        unsafe { libc::pthread_setspecific(key, std::ptr::from_ref(thread).cast()) };
    }
}

/// A root thread ends: its teams are given up, the tool hears of it, the descriptor is kept for the
/// next thread.
unsafe extern "C" fn leave(descriptor: *mut c_void) {
    // SAFETY: `watch_end` stored a descriptor, and descriptors live for ever.
    let thread = unsafe { &*descriptor.cast::<Thread>() };
    if arch::tls_thread() != descriptor {
        return;
    }
    if !thread.is_outside_regions() {
        return abandon(thread);
    }
    end(thread);
    if !is_any_left() {
        process::rest();
    }
}

/// Whether a root of the host lives.
pub fn is_any_left() -> bool {
    all().any(|thread| {
        thread.pthread() != 0 && thread.tool.kind.get() == ::ompt::Thread::INITIAL && thread.device() == super::HOST
    })
}

/// A root thread ends, outside of all regions.
fn end(thread: &'static Thread) {
    let member = thread.member();
    let team = member.team();
    hot::disband_children(member);
    threadprivate::thread_end(thread);
    ompt::initial_task_end(thread);
    ompt::thread_end(thread);
    let _held = signals::hold();
    set_current(None);
    thread.go_out();
    thread.tasks.release();
    wait::attach(-1);
    if thread.task().has_incomplete_descendants() {
        // Another thread may fulfil an event later (`detach`), and would find the next thread's task in the place of
        // the one that counts. So nobody gets this place again.
        return;
    }
    SPARE_TEAMS.with(|spare| spare.push(team));
    give_back(thread);
}

/// The thread ends inside a region, cancelled or by `pthread_exit`. The others of its team may be anywhere in the
/// region's code, so its teams and its descriptor stay as they are, and nobody uses them again.
#[cold]
fn abandon(thread: &'static Thread) {
    let mut member = thread.member();
    let mut lost = 1;
    while let Some(parent) = member.team().parent() {
        if member.tid != 0 {
            break;
        }
        lost += member.team().attached() as i32 - 1;
        member = parent;
    }
    wait::attach(-lost);
    set_current(None);
    thread.go_out();
}

/// In a forked child the lists start anew: a thread that is gone may have been changing one, and those
/// that are gone would never leave the callback that they were in.
pub fn after_fork() {
    SPARE.renew_after_fork();
    SPARE_TEAMS.renew_after_fork();
    initial::after_fork();
    let caller = current::try_current();
    LIVE.store(i32::from(caller.is_some()), Ordering::Relaxed);
    // The one that steps into a device's code is the same thread.
    let outside = caller.and_then(Thread::steps_for);
    let mut newest = std::ptr::null_mut();
    for thread in [outside, caller].into_iter().flatten() {
        thread.come_in();
        thread.next.store(newest, Ordering::Relaxed);
        newest = std::ptr::from_ref(thread).cast_mut();
    }
    ferromp_ompd.threads.store(newest, Ordering::Release);
}
