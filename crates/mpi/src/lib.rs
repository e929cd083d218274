//! Shows a program's MPI calls to ferromp's recorder. `libferromp-mpi.so` is preloaded, has the names of MPI's
//! functions, and calls MPI's own by their names of the profiling interface (MPI 4.0, section 15.2). Without a
//! recorder, calls pass through and nothing else happens.
//!
//! The library is built without any MPI. Arguments pass through as machine words, so one library serves Open MPI, whose
//! handles are pointers, and MPICH with its kin, whose handles are integers.
//!
//! The parts:
//! - [`calls`]: the table of functions, with what their arguments say of bytes and partners.
//! - [`clocks`]: compares the clocks of the ranks' hosts.
//! - [`entry`]: makes the entry points of a row of the table: one for C, several for Fortran.
//! - [`route`]: where an entry point goes on to.
//! - [`around`]: what happens before and after a call. A call inside another one is part of the outer one.
//! - [`traffic`]: reads the arguments.
//! - [`library`]: finds MPI's own functions.
//! - [`recorder`]: the recorder's functions, as the recorder has handed them over.

mod arch;
mod around;
mod calls;
mod clocks;
mod entry;
mod library;
mod recorder;
mod route;
mod traffic;
