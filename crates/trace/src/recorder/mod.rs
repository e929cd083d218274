//! The recorder: an OMPT tool (OpenMP 5.1, section 4.2) that writes each event into the calling thread's file.
//! On the path of an event there is no lock, no allocation and no system call; those belong to the rare cases: a
//! thread's first event, code from a page not seen before, a full chunk.
//!
//! The parts:
//! - [`session`]: the process's trace folder, its description and its modules. One a process; a forked child that
//!   goes on using OpenMP gets its own, in a folder `process-<pid>` inside its parent's.
//! - [`local`]: a thread's writer, ids and known code pages. One word of thread-local memory ([`tls`]) leads to them.
//! - [`devices`]: the records of devices, which the runtime's own threads hand over in buffers.
//! - [`tool`]: the events, translated into records. Ids of regions and tasks are kept in the runtime's data words.

mod devices;
mod local;
mod session;
mod tls;
mod tool;
