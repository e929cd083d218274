//! Several runs side by side: how a program scales with its threads, and what differs between two versions of it.

mod diff;
mod noise;
mod place;
mod run;
mod scaling;

pub use diff::{Diff, Row, Slower, Subject, Tolerance, Verdict};
pub use noise::{LEVEL, tells};
pub use place::Place;
pub use run::{Measured, Run};
pub use scaling::{Kind, Limit, Measure, Point, Scaling};
