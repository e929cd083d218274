//! The recorder: an OMPT tool (OpenMP 5.1, section 4.2) that writes each event into the calling thread's file.
//! On the path of an event there is no lock, no allocation and no system call; those belong to the rare cases: a
//! thread's first event, code from a page not seen before, a full chunk, a reading of the time on the CPU.
//!
//! The parts:
//! - [`age`]: how long the process has existed when recording starts.
//! - [`session`]: the process's trace folder, its description and its modules. One a process; a forked child that
//!   goes on using OpenMP gets its own, in a folder `process-<pid>` inside its parent's.
//! - [`local`]: a thread's writer, ids and known code pages. One word of thread-local memory ([`tls`]) leads to them.
//! - [`chunks`]: sums over the chunks of a loop, and the time of sections. Each chunk has a record only on request.
//! - [`counting`]: which counters are recorded, if any; they are read where implicit tasks begin and end.
//! - [`usage`]: a thread's time on the CPU, switches and page faults, read about once in a millisecond.
//! - [`devices`]: the records of devices, which the runtime's own threads hand over in buffers.
//! - [`fork`]: the child of a fork lets go of its parent's files.
//! - [`mpi`]: calls of MPI, which the library of `crates/mpi` reports.
//! - [`samples`]: where the threads are, by a timer on each thread's CPU clock.
//! - [`tool`]: the events, translated into records. Ids of regions and tasks are kept in the runtime's data words.

mod age;
mod chunks;
mod counting;
mod devices;
mod errno;
mod fork;
mod local;
mod mpi;
mod number;
mod samples;
mod session;
mod tls;
mod tool;
mod usage;
