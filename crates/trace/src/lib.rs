//! ferromp's recorder, its trace store, and what is made of a trace: summary, text report, exports.
//! The library half serves the `ferromp` command; the shared library `libferromp-trace.so` is the recorder, an OMPT
//! tool (OpenMP 5.1, section 4.2) for any runtime that has OMPT.
//!
//! Data flows one way:
//!
//! ```text
//! runtime --OMPT--> recorder --> store (a folder) --> reader --> analysis --> report
//!                                                           \--> export::perfetto, export::html
//!                                                     symbols names the addresses for both
//! ```
//!
//! [`compare`] sets several runs of a program side by side, and [`ranks`] makes one run of the ranks of a job.
//! [`cached`] keeps what the analysis has found, so that a further report of the same trace need not read its events.
//! Names from outside pass through [`escape`] on their way to a terminal.
//!
//! The usual path through the library:
//!
//! ```no_run
//! use ferromp_trace::{analysis::Summary, reader::Trace, report, symbols::Symbolizer};
//! # fn main() -> Result<(), ferromp_trace::Error> {
//! let trace = Trace::open("ferromp-heat-20260101-120000-4711".as_ref())?;
//! let summary = Summary::of(&trace, &mut |_done, _total| {});
//! let mut symbols = Symbolizer::new(&trace.modules);
//! print!("{}", report::text(&trace, &summary, &mut symbols, &report::Style::plain()));
//! # Ok(()) }
//! ```

pub mod analysis;
mod arch;
pub mod cached;
pub mod compare;
pub mod counters;
mod error;
pub mod escape;
pub mod export;
pub mod findings;
pub mod live;
pub mod ranks;
pub mod reader;
mod recorder;
pub mod replay;
pub mod report;
pub mod selection;
mod site;
pub mod store;
pub mod symbols;
mod units;

pub use error::Error;
pub use site::Site;

/// The recorder runs in other people's programs. If memory runs out, a line says that the recorder needed it.
#[global_allocator]
static HEAP: ferromp_tool::Heap = ferromp_tool::Heap("ferromp: trace");

/// Reports the progress of a long operation: bytes done and bytes in total. Called now and then, on the calling thread.
pub type Progress<'a> = &'a mut dyn FnMut(u64, u64);
