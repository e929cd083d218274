//! Teams: whether a slot is filled, and whether the team's region is under way.

use super::slot;
pub use super::slot::{Go, Slot};
use super::steps::Steps;
use crate::space::{HOST, Space};
use crate::{Rc, TeamGenerator};
use ompd_layout::Field;

/// How many threads the region under way has. In a league's team and in the implicit region of an initial task it is
/// one.
pub fn size(space: &Space, team: u64) -> Result<u64, Rc> {
    space.unsigned(team, Field::TeamThreads)
}

/// Whether the slot is one of those that its thread works in, or will come back to.
pub fn is_filled(space: &Space, slot: Slot) -> Result<bool, Rc> {
    let thread = slot.thread(space)?;
    if thread == 0 || !slot::is_in_use(space, thread)? {
        return Ok(false);
    }
    let Some(innermost) = slot::slot(space, thread)? else { return Ok(false) };
    if is_left_behind(space, innermost, thread)? {
        return Ok(false);
    }
    is_around(space, innermost, |at| Ok(at.member == slot.member))
}

/// Whether `found` accepts a slot, or one of the slots that its thread comes back to.
fn is_around(space: &Space, innermost: Slot, found: impl Fn(Slot) -> Result<bool, Rc>) -> Result<bool, Rc> {
    let mut here = Some(innermost);
    let mut steps = Steps::new();
    while let Some(at) = here {
        if found(at)? {
            return Ok(true);
        }
        steps.to(at.member)?;
        here = at.outer_of_thread(space)?;
    }
    Ok(false)
}

/// Whether `slot`, the last that `thread` worked in, is that of a league's initial task, and the league is over: its
/// threads stay there until they are called to something else.
pub fn is_left_behind(space: &Space, slot: Slot, thread: u64) -> Result<bool, Rc> {
    if slot.tid != 0 || space.signed(slot.team, Field::TeamLevel)? != 0 {
        return Ok(false);
    }
    let parent = space.unsigned(slot.team, Field::TeamParent)?;
    if parent == 0 || space.unsigned(slot.team, Field::TeamEncounteredIn)? != 0 {
        return Ok(false);
    }
    let parent = Slot::at(space, parent)?;
    let encountering = parent.thread(space)?;
    if encountering == thread {
        return Ok(false);
    }
    // The encountering thread forks the league's own team, whose threads share the teams' numbers in turn.
    let league = space.unsigned(parent.member, Field::MemberChild)?;
    if league == 0 || encountering == 0 {
        return Ok(true);
    }
    let go = Go::of(space, league)?;
    let number = space.unsigned(slot.team, Field::TeamNumber)?;
    let Some(tid) = number.checked_rem(go.threads()) else { return Ok(true) };
    let own = Slot::of_team(space, league, tid)?;
    let takes_part = own.thread(space)? == thread
        && space.unsigned(own.member, Field::MemberSeen)? == go.region()
        && space.unsigned(own.member, Field::MemberChild)? == slot.team
        && !go.is_disbanded();
    let primary = Slot::of_team(space, league, 0)?;
    Ok(!takes_part || space.unsigned(primary.member, Field::MemberSeen)? == go.region())
}

/// At the debugger's breakpoint before a region's begin, the team's word still has the number of the previous region.
const BEGINNING: u64 = 1;

/// The number of the team's region if it is under way: its primary thread has not left it.
pub fn region_under_way(space: &Space, team: u64) -> Result<Option<u64>, Rc> {
    let go = Go::of(space, team)?;
    if go.is_disbanded() || space.unsigned(team, Field::TeamCapacity)? == 0 {
        return Ok(None);
    }
    let primary = Slot::of_team(space, team, 0)?;
    let is_told = space.unsigned(team, Field::TeamBreakpoint)? == BEGINNING;
    if is_told || !is_over(space, go, primary)? || is_filled(space, primary)? {
        return Ok(Some(go.region().saturating_add(u64::from(is_told))));
    }
    Ok(None)
}

/// Whether the primary thread has written that the region is over, or there was none yet. It writes so of regions that
/// have more threads than their own, never of an initial task's.
fn is_over(space: &Space, go: Go, primary: Slot) -> Result<bool, Rc> {
    Ok(space.unsigned(primary.member, Field::MemberSeen)? == go.region()
        || space.signed(primary.team, Field::TeamLevel)? == 0)
}

/// The regions around `team`, from the next one outwards.
pub fn enclosing(space: &Space, team: u64) -> Result<Option<u64>, Rc> {
    let member = match space.unsigned(team, Field::TeamEncounteredIn)? {
        0 => space.unsigned(team, Field::TeamParent)?,
        member => member,
    };
    if member == 0 { Ok(None) } else { Slot::at(space, member).map(|slot| Some(slot.team)) }
}

/// The construct that made the team (OpenMP 6.0, section 39.13). Only teams of initial tasks are at level 0. A league's
/// initial tasks have the slot of the thread that encountered the `teams` construct. A target region's initial task has
/// the slot that its thread comes back to. On a device's own threads, an initial task belongs to a target region, or to
/// a league of several teams.
pub fn generator(space: &Space, team: u64) -> Result<TeamGenerator, Rc> {
    if space.signed(team, Field::TeamLevel)? != 0 {
        return Ok(TeamGenerator::PARALLEL);
    }
    if space.unsigned(team, Field::TeamEncounteredIn)? != 0 {
        return Ok(TeamGenerator::TARGET);
    }
    if space.unsigned(team, Field::TeamParent)? != 0 {
        return Ok(TeamGenerator::TEAMS);
    }
    let primary = Slot::of_team(space, team, 0)?.thread(space)?;
    let on_device = primary != 0 && space.signed(primary, Field::ThreadDevice)? != HOST;
    Ok(match (on_device, space.signed(team, Field::TeamLeague)? > 1) {
        (false, _) => TeamGenerator::PROGRAM,
        (true, true) => TeamGenerator::TEAMS,
        (true, false) => TeamGenerator::TARGET,
    })
}
