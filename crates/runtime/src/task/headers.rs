//! When the header of a complete task is freed: after the headers of its children. `README.md` says why, and
//! `protocol/children.rs` counts.

use super::offers::OFFERS;
use crate::objects::structures::{Task, TaskThread, Team};
use crate::objects::task::flag;
use crate::protocol::quiescence::GROUP;

/// The most headers that a thread sets aside before it frees them.
const MOST_ASIDE: u32 = 8;

/// Whether all children of the completed `task` are complete and their headers freed. If not, the last of them frees
/// this header, and `parent`'s stays until then.
#[cold]
#[inline(never)]
pub(super) fn children_are_done(task: &Task, parent: &Task) -> bool {
    task.disown();
    // For debuggers: the header is there for the children's sake alone.
    task.change_flags(flag::FINISHED, 0);
    task.generated.hand_over(&parent.generated)
}

/// The completed `task` of `team` has just lost its last incomplete child, which the thread of `tasks` has completed.
///
/// The header may be the last one of its parent's, and so on up to the root: one cache line after the other, each
/// from another CPU. The thread has better things to do in a large team, where others may wait for what it does next.
/// So the header waits until the thread finds no task, or until there are [`MOST_ASIDE`].
#[cold]
pub(super) fn last_child(tasks: &TaskThread, team: &Team, task: &Task) {
    if !task.generated.seal() {
        return;
    }
    // A free agent waits until the headers of all descendants are gone.
    if team.nthreads() <= GROUP || OFFERS.has_agents() {
        return free(tasks, task);
    }
    if tasks.set_aside(task) == MOST_ASIDE {
        free_those_aside(tasks);
    }
}

/// Frees the headers that the thread has set aside. Owner of `tasks` only.
#[cold]
pub(super) fn free_those_aside(tasks: &TaskThread) {
    tasks.take_aside().for_each(|task| free(tasks, task));
}

/// Frees the header of `task`, whose children's headers are gone, and those above it that stayed for this one alone.
fn free(tasks: &TaskThread, task: &Task) {
    let mut task = task;
    loop {
        let parent = task.parent().expect("an explicit task has a parent");
        tasks.give(task);
        if !parent.generated.let_go() {
            return;
        }
        task = parent;
    }
}
