//! The runtime library routines, `omp_*`, in their C spelling, in Fortran's (`_` and, for 8-byte integers, `_8_`), and
//! under the symbol versions that gcc-built programs bind to. OpenMP 5.1 §3.

pub mod affinity;
mod device;
mod gprivate;
mod icvs;
mod interop;
mod kmp;
mod locks;
mod masks;
pub mod memory;
mod places;
mod resources;
mod spaces;
mod target;
mod tasks;
mod threads;
mod time;
mod tool;
mod uid;
