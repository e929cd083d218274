//! The scheduler: simulated threads are coroutines, and the thread whose clock is behind all others goes next.

use crate::line::{Access, LINE, Line};
use crate::machine::{Machine, Time};
use crate::names::{self, Part};
use crate::outcome::{Hot, Outcome};
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, Yielder};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Bytes of a simulated thread's stack.
const STACK: usize = 128 * 1024;

/// The body of a simulated thread.
type Body = Box<dyn FnOnce()>;
/// How often [`watch`] looks.
const WATCH: Time = crate::machine::ns(1.0);

type Suspend = Yielder<(), ()>;

thread_local! {
    /// The simulation that runs on this thread of the system. None outside of a run: atomics then cost nothing.
    static WORLD: RefCell<Option<World>> = const { RefCell::new(None) };
}

/// A simulated thread, which sits on the core of the same number.
struct Thread {
    clock: Time,
    /// When the stores that the thread has made are all in its cache.
    stored_at: Time,
    /// The longest chain of transfers that led to where the thread is.
    chain: u32,
    /// How the coroutine gives way; null before it has begun.
    suspend: *const Suspend,
    asleep: bool,
    /// Where the thread is in the sequence of its pauses' lengths.
    sequence: u32,
}

/// The threads that sleep on a word, and when the next call may use the queue.
#[derive(Default)]
struct Sleepers {
    threads: VecDeque<u32>,
    free_at: Time,
}

struct World {
    machine: Machine,
    threads: Vec<Thread>,
    /// The thread that runs.
    current: u32,
    /// All others that could run, by their clocks.
    ready: BinaryHeap<Reverse<(Time, u32)>>,
    lines: FxHashMap<usize, Line>,
    sleepers: FxHashMap<usize, Sleepers>,
    measuring: bool,
    /// Whether accesses cost nothing.
    is_free: bool,
    rounds: u64,
    time: Time,
    chain: u64,
    /// The names of lines, and the addresses of those that threads have named.
    parts: Vec<Part>,
    named: FxHashSet<usize>,
}

/// Runs one thread a body on `machine`, until all have ended. `parts` gives names to lines.
///
/// # Panics
/// If the machine has fewer cores than there are bodies, if a thread panics, or if all threads sleep.
pub fn run(machine: &Machine, parts: Vec<Part>, bodies: Vec<Body>) -> Outcome {
    assert!(bodies.len() <= machine.cores as usize, "{} has {} cores", machine.name, machine.cores);
    let count = bodies.len() as u32;
    let thread =
        |tid| Thread { clock: 0, stored_at: 0, chain: 0, suspend: std::ptr::null(), asleep: false, sequence: tid };
    let world = World {
        machine: *machine,
        threads: (0..count).map(thread).collect(),
        current: 0,
        ready: (0..count).map(|tid| Reverse((0, tid))).collect(),
        lines: FxHashMap::default(),
        sleepers: FxHashMap::default(),
        measuring: false,
        is_free: false,
        rounds: 0,
        time: 0,
        chain: 0,
        parts,
        named: FxHashSet::default(),
    };
    let before = WORLD.replace(Some(world));
    assert!(before.is_none(), "a run inside a run");
    let mut coroutines: Vec<_> = bodies.into_iter().map(coroutine).collect();
    while let Some(tid) = next_thread() {
        coroutines[tid as usize].resume(());
    }
    let world = WORLD.take().expect("the world of this run");
    let asleep = world.threads.iter().filter(|thread| thread.asleep).count();
    assert!(asleep == 0, "{asleep} of {count} threads sleep for ever");
    world.outcome()
}

fn coroutine(body: Body) -> Coroutine<(), (), ()> {
    let stack = DefaultStack::new(STACK).expect("memory for a stack");
    Coroutine::with_stack(stack, move |suspend: &Suspend, ()| {
        with(|world| world.threads[world.current as usize].suspend = suspend);
        body();
    })
}

/// Takes the thread whose clock is behind all others.
fn next_thread() -> Option<u32> {
    with(|world| {
        let Reverse((_, tid)) = world.ready.pop()?;
        world.current = tid;
        Some(tid)
    })
}

/// Calls `body` with the run under way.
fn with<R>(body: impl FnOnce(&mut World) -> R) -> R {
    WORLD.with_borrow_mut(|world| body(world.as_mut().expect("a run is under way")))
}

/// Whether the caller is a simulated thread.
fn is_running() -> bool {
    WORLD.with_borrow(Option::is_some)
}

/// Lets other threads run until the scheduler takes this one again.
fn suspend() {
    let suspend = with(|world| world.threads[world.current as usize].suspend);
    // SAFETY: the calling code runs inside the coroutine to which this belongs, so the coroutine's function, which got
    // the reference, has not returned.
    unsafe { (*suspend).suspend(()) };
}

/// Lets all threads run whose clocks are behind the caller's.
fn come_to_turn() {
    let late = with(|world| {
        let me = (world.threads[world.current as usize].clock, world.current);
        let late = world.ready.peek().is_some_and(|Reverse(other)| *other < me);
        if late {
            world.ready.push(Reverse(me));
        }
        late
    });
    if late {
        suspend();
    }
}

/// What an access does to its word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Load,
    /// A store goes to the core's store buffer: the thread goes on at once.
    Store,
    /// The thread waits for the line, and for its own stores before.
    ReadModifyWrite,
}

/// The calling thread is about to access the word at `address`. Outside of a run nothing happens.
pub(crate) fn access(address: usize, kind: Kind) {
    if !is_running() || with(|world| world.is_free) {
        return;
    }
    if kind == Kind::ReadModifyWrite {
        with(|world| {
            let thread = world.thread();
            thread.clock = thread.clock.max(thread.stored_at);
        });
    }
    come_to_turn();
    if with(|world| world.access(address, kind)) {
        // The line is on its way. What comes before it arrives comes before this access.
        come_to_turn();
    }
    with(|world| {
        let cost = if kind == Kind::ReadModifyWrite { world.machine.rmw } else { world.machine.hit };
        world.thread().clock += cost;
    });
}

/// The calling thread looks at `objects` side by side, as a processor does with loads none of which depends on another.
/// Each look happens when the object's line is there.
pub fn look_together<'a, T: 'a, R: Default>(objects: impl Iterator<Item = &'a T>, look: impl Fn(&'a T) -> R) -> Vec<R> {
    if !is_running() {
        return objects.map(look).collect();
    }
    come_to_turn();
    let mut arrivals: Vec<(Time, usize, &T)> = with(|world| {
        objects
            .enumerate()
            .map(|(index, object)| (world.fetch(std::ptr::from_ref(object).addr()), index, object))
            .collect()
    });
    arrivals.sort_unstable_by_key(|(at, index, _)| (*at, *index));
    let mut results: Vec<R> = arrivals.iter().map(|_| R::default()).collect();
    for (at, index, object) in arrivals {
        with(|world| {
            let hit = world.machine.hit;
            let thread = world.thread();
            thread.clock = at.max(thread.clock) + hit;
        });
        come_to_turn();
        // The look is paid for. By now another core may have taken the line, which comes after the look.
        with(|world| world.is_free = true);
        results[index] = look(object);
        with(|world| world.is_free = false);
    }
    results
}

/// The calling thread waits until its stores are done.
pub(crate) fn fence() {
    if is_running() {
        with(|world| {
            let rmw = world.machine.rmw;
            let thread = world.thread();
            thread.clock = thread.clock.max(thread.stored_at) + rmw;
        });
    }
}

/// The calling thread sleeps on the word at `address` if it is `as_expected`, which looks at the word.
pub(crate) fn sleep(address: usize, as_expected: impl FnOnce() -> bool) {
    enter_queue(address);
    if !as_expected() {
        return;
    }
    // Nothing comes between the look, which was the last access, and this.
    with(|world| {
        world.thread().asleep = true;
        let current = world.current;
        world.sleepers.entry(address).or_default().threads.push_back(current);
    });
    suspend();
}

/// The calling thread wakes up to `count` threads that sleep on the word at `address`, those first that came first.
pub(crate) fn wake(address: usize, count: usize) {
    enter_queue(address);
    with(|world| {
        let costs = world.machine.futex;
        let threads = &mut world.sleepers.entry(address).or_default().threads;
        let woken: Vec<u32> = threads.drain(..count.min(threads.len())).collect();
        for tid in woken {
            let waker = world.thread();
            waker.clock += costs.wake_each;
            let (time, chain) = (waker.clock + costs.latency, waker.chain);
            let sleeper = &mut world.threads[tid as usize];
            sleeper.asleep = false;
            sleeper.clock = time.max(sleeper.clock);
            sleeper.chain = sleeper.chain.max(chain);
            world.ready.push(Reverse((sleeper.clock, tid)));
        }
    });
}

/// A call of the futex: into the kernel, and to the word's queue.
fn enter_queue(address: usize) {
    with(|world| {
        let call = world.machine.futex.call;
        world.thread().clock += call;
    });
    come_to_turn();
    with(|world| {
        let costs = world.machine.futex;
        let clock = world.thread().clock;
        let sleepers = world.sleepers.entry(address).or_default();
        let done = clock.max(sleepers.free_at) + costs.queue;
        sleepers.free_at = done;
        world.thread().clock = done;
    });
    come_to_turn();
}

/// The calling thread spends `time` on something that uses no shared line.
pub fn work(time: Time) {
    if is_running() {
        with(|world| world.thread().clock += time);
    }
}

/// The calling thread pauses once, as between two looks at a word. A pause takes three to five quarters of its time, by
/// a fixed sequence. Without it threads would stay in step, as no real threads do.
pub fn pause() {
    if is_running() {
        with(|world| {
            let pause = world.machine.pause;
            let thread = world.thread();
            // The linear congruential generator of Numerical Recipes.
            thread.sequence = thread.sequence.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let more = Time::from(thread.sequence >> 24);
            thread.clock += pause * (3 * 128 + more) / 512;
        });
    }
}

/// The calling thread looks at the clock.
pub fn clock() -> Time {
    with(|world| {
        let cost = world.machine.clock;
        world.thread().clock += cost;
        world.thread().clock
    })
}

/// The calling thread yields its core, for which no other thread waits.
pub fn give_way() {
    with(|world| world.thread().clock += world.machine.give_way);
}

/// The calling thread's clock. The look costs nothing.
pub fn now() -> Time {
    with(|world| world.thread().clock)
}

/// Gives the lines of `object` a name, unless they have one.
pub fn name<T: ?Sized>(name: &str, object: &T) {
    with(|world| {
        let address = std::ptr::from_ref(object).addr();
        if world.named.insert(address) {
            world.parts.push(Part::of(name, object));
        }
    });
}

/// Lets the calling thread's clock go on until `ready`, which looks at nothing that the simulator knows of: so that a
/// thread can measure what others do, without a part in it.
pub fn watch(ready: impl Fn() -> bool) {
    while !ready() {
        work(WATCH);
        come_to_turn();
    }
}

/// The calling thread reads `object`, which is no atomic.
pub fn read_plain<T: ?Sized>(object: &T) {
    touch(object, Kind::Load);
}

/// The calling thread writes `object`, which is no atomic.
pub fn write_plain<T: ?Sized>(object: &T) {
    touch(object, Kind::Store);
}

fn touch<T: ?Sized>(object: &T, kind: Kind) {
    let begin = std::ptr::from_ref(object).addr();
    for line in begin / LINE..(begin + size_of_val(object)).div_ceil(LINE) {
        access(line * LINE, kind);
    }
}

/// Measures `body`, which the calling thread executes, as `rounds` rounds. What all threads do meanwhile counts. One
/// thread of a run measures, as often as it likes.
pub fn measure<R>(rounds: u64, body: impl FnOnce() -> R) -> R {
    come_to_turn();
    let begin = with(|world| {
        world.measuring = true;
        world.threads.iter_mut().for_each(|thread| thread.chain = 0);
        world.lines.values_mut().for_each(|line| line.chain = 0);
        world.thread().clock
    });
    let result = body();
    come_to_turn();
    with(|world| {
        world.measuring = false;
        world.rounds += rounds;
        world.time += world.thread().clock - begin;
        world.chain += u64::from(world.threads.iter().map(|thread| thread.chain).max().unwrap_or(0));
    });
    result
}

impl World {
    fn thread(&mut self) -> &mut Thread {
        &mut self.threads[self.current as usize]
    }

    /// Asks for the line. Returns whether the thread has to wait for it: the thread's clock is then when the line
    /// comes.
    fn access(&mut self, address: usize, kind: Kind) -> bool {
        let machine = &self.machine;
        let core = self.current;
        let thread = &mut self.threads[core as usize];
        let line = self.lines.entry(address / LINE).or_insert_with(|| Line::new(machine));
        let access = match kind {
            Kind::Load => Access::Read,
            Kind::Store => Access::Store,
            Kind::ReadModifyWrite => Access::Write,
        };
        let begin = thread.clock;
        let got = line.get(machine, core, access, begin);
        let mut chain = thread.chain;
        if got.moved {
            chain = chain.max(line.chain) + 1;
            line.transfers += u64::from(self.measuring);
        }
        if kind != Kind::Load {
            line.chain = line.chain.max(chain);
        }
        if kind == Kind::Store && !got.waits {
            // Stores reach the cache in the order of the program.
            thread.stored_at = thread.stored_at.max(got.at + machine.hit);
            return false;
        }
        thread.chain = chain;
        thread.clock = got.at;
        if got.moved && self.measuring {
            line.waited += got.at - begin;
        }
        got.waits
    }

    /// Asks for the line of an object. Returns when the line comes.
    fn fetch(&mut self, address: usize) -> Time {
        let machine = &self.machine;
        let core = self.current;
        let thread = &mut self.threads[core as usize];
        let line = self.lines.entry(address / LINE).or_insert_with(|| Line::new(machine));
        let got = line.get(machine, core, Access::Read, thread.clock);
        if got.moved {
            line.transfers += u64::from(self.measuring);
            thread.chain = thread.chain.max(line.chain + 1);
            if self.measuring {
                line.waited += got.at - thread.clock;
            }
        }
        got.at
    }

    fn outcome(self) -> Outcome {
        // The lines of the same name together, such as those of an array's elements.
        let mut waits: FxHashMap<String, Time> = FxHashMap::default();
        for (number, line) in self.lines.iter().filter(|(_, line)| line.waited > 0) {
            *waits.entry(names::of_line(&self.parts, number * LINE, LINE)).or_default() += line.waited;
        }
        let all: Time = waits.values().sum();
        let hottest = waits.into_iter().max_by_key(|(name, waited)| (*waited, Reverse(name.clone())));
        Outcome {
            rounds: self.rounds,
            time: self.time,
            transfers: self.lines.values().map(|line| line.transfers).sum(),
            chain: self.chain,
            hottest: hottest.map(|(name, waited)| Hot { name, percent: waited * 100 / all }),
        }
    }
}
