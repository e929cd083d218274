//! The trace store: a folder with one file a thread, the modules of the program and a description of the run.
//! `FORMAT.md` in this crate describes the files; the writer is in `recorder`, the decoder in `reader`.

pub mod clock;
pub mod codec;
pub mod comparison;
pub mod files;
pub mod folder;
pub mod limits;
pub mod lock;
pub mod meta;
pub mod modules;
pub mod mpi;
pub mod nodes;
pub mod record;
pub mod sample;
pub mod segment;
pub mod short;
pub mod task_status;
pub mod trimmed;
pub mod writer;

pub use files::Folder;
pub use meta::{FORMAT, Meta};
pub use modules::{Module, Modules};
pub use record::Record;
pub use writer::{Bound, Writer};

/// The environment variable that names the folder to record into.
pub const DIR_VARIABLE: &str = "FERROMP_TRACE_DIR";

/// The environment variable that has each chunk of worksharing loops recorded: `1`.
pub const CHUNKS_VARIABLE: &str = "FERROMP_TRACE_CHUNKS";

/// The environment variable with the names of the counters to record, with commas between them.
pub const COUNTERS_VARIABLE: &str = "FERROMP_TRACE_COUNTERS";

/// The environment variable that has the clocks of MPI's ranks compared: `1`. The library of `crates/mpi` reads it.
pub const MPI_CLOCKS_VARIABLE: &str = "FERROMP_MPI_CLOCKS";

/// The environment variable with the number of samples that the recorder takes in a second of a thread's CPU time; 0
/// for none.
pub const SAMPLES_VARIABLE: &str = "FERROMP_TRACE_SAMPLES";

/// The environment variable that bounds the files of a recording which another process follows; see
/// [`Bound::parse`](writer::Bound::parse).
pub const BOUND_VARIABLE: &str = "FERROMP_TRACE_BOUND";
