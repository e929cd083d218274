//! Compares the clocks of the ranks' hosts, at the end of `MPI_Init` and at the begin of `MPI_Finalize`, on a duplicate
//! of `MPI_COMM_WORLD`.
//!
//! All ranks take part in the comparison, so all must have this library and the variable. Otherwise the ranks that have
//! them would wait for ever. Nothing tells a rank whether the others have them, so the user says so
//! (`ferromp trace --clocks`). A rank whose recorder could not start takes part by the system's clock, which recordings
//! follow as well, and drops the result.
//!
//! Each rank tells all others which clock it has ([`identity`]). One rank of each clock other than rank 0's exchanges
//! [`ROUNDS`] messages with rank 0, which estimates the offset ([`estimate`]) and tells all ranks.

mod estimate;
mod identity;

use crate::library::Symbol;
use crate::recorder;
use crate::traffic::{OMPI_COMM_WORLD, is_open_mpi};
use estimate::{Estimate, Round, estimate};
use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Messages there and back. The quickest one counts, and some tens are enough for one that nothing has delayed.
const ROUNDS: usize = 50;
const TAG: usize = 1;

/// The environment variable that asks for the comparison: `1`. `ferromp trace --clocks` sets it.
const VARIABLE: &str = "FERROMP_MPI_CLOCKS";

/// The duplicate of `MPI_COMM_WORLD`; 0 if there is none.
static DUPLICATE: AtomicUsize = AtomicUsize::new(0);

static OMPI_BYTE: Symbol = Symbol::named(c"ompi_mpi_byte");
static INITIALIZED: Symbol = Symbol::named(c"PMPI_Initialized");
static COMM_DUP: Symbol = Symbol::named(c"PMPI_Comm_dup");
static COMM_FREE: Symbol = Symbol::named(c"PMPI_Comm_free");
static COMM_RANK: Symbol = Symbol::named(c"PMPI_Comm_rank");
static COMM_SIZE: Symbol = Symbol::named(c"PMPI_Comm_size");
static ALLGATHER: Symbol = Symbol::named(c"PMPI_Allgather");
static BCAST: Symbol = Symbol::named(c"PMPI_Bcast");
static SEND: Symbol = Symbol::named(c"PMPI_Send");
static RECV: Symbol = Symbol::named(c"PMPI_Recv");

/// What a rank knows of the others.
struct World {
    comm: usize,
    rank: usize,
    /// The clock of each rank.
    clocks: Vec<u64>,
    /// The first rank of each clock other than rank 0's.
    speakers: Vec<usize>,
}

/// `MPI_Init` or `MPI_Init_thread` has returned.
#[cold]
pub fn begin() {
    let mut is_initialized: c_int = 0;
    let known = call(&INITIALIZED, &[(&raw mut is_initialized) as usize]);
    if !known || is_initialized == 0 || std::env::var_os(VARIABLE).is_none_or(|value| value != "1") {
        return;
    }
    let world = OMPI_COMM_WORLD.find().unwrap_or(0x4400_0000);
    let mut comm: usize = 0;
    if call(&COMM_DUP, &[world, (&raw mut comm) as usize]) {
        DUPLICATE.store(comm, Ordering::Relaxed);
        compare(comm);
    }
}

/// The program calls `MPI_Finalize`.
#[cold]
pub fn end() {
    let mut comm = DUPLICATE.swap(0, Ordering::Relaxed);
    if comm != 0 {
        compare(comm);
        call(&COMM_FREE, &[(&raw mut comm) as usize]);
    }
}

fn compare(comm: usize) {
    let Some(world) = World::of(comm) else { return };
    let mut table = vec![Estimate::default(); world.speakers.len()];
    for (entry, speaker) in table.iter_mut().zip(&world.speakers) {
        if world.rank == 0 {
            *entry = world.ask(*speaker);
        } else if world.rank == *speaker {
            world.answer();
        }
    }
    let mut numbers: Vec<u64> = table.iter().flat_map(|entry| [entry.offset as u64, entry.error]).collect();
    let bytes = numbers.len() * size_of::<u64>();
    if bytes > 0 && !call(&BCAST, &[numbers.as_mut_ptr() as usize, bytes, byte(), 0, comm]) {
        return;
    }
    let own = world.clocks[world.rank];
    let place = world.speakers.iter().position(|speaker| world.clocks[*speaker] == own);
    let (offset, error) = place.map_or((0, 0), |place| (numbers[2 * place] as i64, numbers[2 * place + 1]));
    if let Some(recorder) = recorder::of_this_thread() {
        (recorder.compared)(offset, error, 1 + world.speakers.len() as u64);
    }
}

impl World {
    /// Asks all ranks for their clocks. None for a single rank, or if MPI refuses.
    fn of(comm: usize) -> Option<World> {
        let (rank, size) = (number(&COMM_RANK, comm)?, number(&COMM_SIZE, comm)?);
        if size < 2 {
            return None;
        }
        let own = identity::of_this_process();
        let mut clocks = vec![0u64; size];
        let (from, to) = ((&raw const own) as usize, clocks.as_mut_ptr() as usize);
        let each = size_of::<u64>();
        if !call(&ALLGATHER, &[from, each, byte(), to, each, byte(), comm]) {
            return None;
        }
        let mut speakers: Vec<usize> = Vec::new();
        for (other, clock) in clocks.iter().enumerate() {
            if *clock != clocks[0] && !speakers.iter().any(|speaker| clocks[*speaker] == *clock) {
                speakers.push(other);
            }
        }
        Some(World { comm, rank, clocks, speakers })
    }

    /// Asks another rank for its time, again and again.
    fn ask(&self, speaker: usize) -> Estimate {
        let mut rounds = Vec::with_capacity(ROUNDS);
        for _ in 0..ROUNDS {
            let asked = now();
            self.send(speaker, asked);
            let answered = self.receive(speaker);
            rounds.push(Round { asked, answered, back: now() });
        }
        estimate(&rounds).unwrap_or_default()
    }

    /// Answers rank 0.
    fn answer(&self) {
        for _ in 0..ROUNDS {
            self.receive(0);
            self.send(0, now());
        }
    }

    fn send(&self, to: usize, value: u64) {
        call(&SEND, &[(&raw const value) as usize, size_of::<u64>(), byte(), to, TAG, self.comm]);
    }

    fn receive(&self, from: usize) -> u64 {
        let mut value = 0u64;
        let ignore = if is_open_mpi() { 0 } else { 1 };
        call(&RECV, &[(&raw mut value) as usize, size_of::<u64>(), byte(), from, TAG, self.comm, ignore]);
        value
    }
}

/// The time by the recording's clock; without a recording, by the system's, in nanoseconds since 1970-01-01 UTC.
fn now() -> u64 {
    let recorded = recorder::of_this_thread().map_or(0, |recorder| (recorder.now)());
    if recorded != 0 {
        return recorded;
    }
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the clock is always there, and the memory is the caller's.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// `MPI_BYTE`.
fn byte() -> usize {
    OMPI_BYTE.find().unwrap_or(0x4c00_010d)
}

fn number(function: &Symbol, comm: usize) -> Option<usize> {
    let mut value: c_int = 0;
    call(function, &[comm, (&raw mut value) as usize]).then(|| usize::try_from(value).ok())?
}

/// Calls a function of MPI with words. Whether MPI has the function, and the function succeeds.
fn call(function: &Symbol, words: &[usize]) -> bool {
    let Some(function) = function.find() else { return false };
    let word = |index: usize| words.get(index).copied().unwrap_or(0);
    // SAFETY: MPI's function, with at least as many words as it has arguments; the words are those of its arguments,
    // and buffers live through the call.
    unsafe {
        let function: unsafe extern "C" fn(usize, usize, usize, usize, usize, usize, usize) -> c_int =
            std::mem::transmute(function);
        function(word(0), word(1), word(2), word(3), word(4), word(5), word(6)) == 0
    }
}
