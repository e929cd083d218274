//! Worksharing: how the threads of a team divide loops, sections and single regions among them (OpenMP 5.1 §2.10,
//! §2.11).
//!
//! Every member of a team encounters the same constructs in the same order. So each member numbers them for itself, and
//! the numbers agree. What the members share about a construct is in a ring of slots; `README.md` has the protocol.

pub mod cancel;
pub mod collapse;
pub mod doacross;
pub mod loops;
pub mod masked;
pub mod merges;
pub mod ordered;
pub mod reduction;
pub mod schedule;
pub mod scope;
pub mod sections;
pub mod single;
mod slot;
pub mod static_schedule;
pub mod threadprivate;

use crate::objects::call::Call;
use crate::objects::structures::Thread;
use crate::objects::work::Preset;

/// Starts the worksharing construct of a combined construct on the calling member. The member's code then asks for its
/// first chunk or section.
pub fn start_preset(thread: &Thread, preset: Preset) {
    let codeptr = thread.member().team().tool.codeptr.get();
    let call = Call::at(codeptr);
    match preset {
        Preset::Loop { space, schedule } => loops::start(thread, space, schedule, call),
        Preset::Sections(count) => sections::start(thread, count, call),
    }
}
