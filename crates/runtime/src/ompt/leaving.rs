//! What stays known of a region while a worker leaves it.

use crate::objects::presence::Presence;
use crate::objects::structures::{Team, ThreadTool};
use crate::ompt::several;

impl ThreadTool {
    /// A worker waits at the end of the region of `shown`, which is over when `team`, whose slot it has, says so: what
    /// can be asked of the region until the worker has left is kept here.
    pub fn leave_region(&self, shown: &Team, team: &Team) {
        self.left.team.set(team);
        self.left.number.set(team.region_under_way());
        self.left.size.set(shown.shown_size());
        // SAFETY: this thread's word, and that of the region, which cannot be over before this thread has arrived at
        // its end.
        unsafe { several::copy(shown.tool.data(), self.left.data.get()) };
        self.set_presence(Presence::Leaving);
    }
}
