//! The ranks of a job as one run: what each region takes from rank to rank, how well all threads of all ranks are used,
//! and which findings which ranks have. Of each trace only sums are kept, so the memory does not grow with the traces.

mod balance;
mod cpus;
mod found;
mod imbalance;
mod numbers;
mod part;
mod rank;
mod region;
mod run;
mod waiting;

pub use balance::RankEfficiency;
pub use found::{Found, RankFinding};
pub use numbers::{named, text as numbers};
pub use part::Part;
pub use rank::Rank;
pub use region::{RankRegion, RegionTime};
pub use run::{Adding, Ranks};
