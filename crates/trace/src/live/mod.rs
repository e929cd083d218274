//! The analysis of a trace while it is being recorded: the same pass as over a finished trace, event by event, as far
//! as no thread can have an earlier event any more.
//!
//! How far that is, no file says: an idle thread records nothing. The clock decides. An event is in its file a moment
//! after its time was taken, so that a tenth of a second later all events are there. An event that comes still later is
//! taken when it comes, and counted. A thread that waits for space may have an event that is older; it says how old.
//!
//! What has been read need not be kept: [`Keep`] says how much of a trace stays.

mod page;
mod space;
mod stored;
mod stream;
mod tail;

pub use space::Keep;
pub use stream::{Patience, Stream, View};
