//! What the checker remembers of the program (`state/`): threads, parallel regions, tasks, mutexes, and the open scopes
//! of each task. Every data word gets a distinct value, by which the checker finds the object again. The rules stand
//! beside the state, one file a concept.

mod barriers;
mod depend;
mod devices;
mod events;
mod fork;
mod mutexes;
mod nesting;
mod oversubscribed;
mod regions;
mod scopes;
mod slots;
mod state;
mod states;
mod tasks;
mod waiting;
mod work;

pub use devices::TargetSays;
pub use regions::Implicit;
pub use state::scope::{Family, Says};
pub use state::{Model, Progress, Region, Seen, SeenTask, Task, Thread};
