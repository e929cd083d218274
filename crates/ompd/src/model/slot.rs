//! Teams' words and slots: which thread fills which slot.

use crate::Rc;
use crate::space::Space;
use ompd_layout::Field;

/// The word that starts and ends a team's regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Go(pub u64);

/// The first phase of a region after all threads have arrived at its end.
const LEAVING: u64 = 2;
/// The phase of a team that is given up; the smaller ones are those of a region.
const DISBANDED: u64 = 4;

impl Go {
    /// The team's.
    pub fn of(space: &Space, team: u64) -> Result<Go, Rc> {
        space.unsigned(team, Field::TeamGo).map(Go)
    }

    /// The region's number.
    pub fn region(self) -> u64 {
        self.0 >> 25
    }

    /// How many threads take part.
    pub fn threads(self) -> u64 {
        (self.0 >> 3) & ((1 << 22) - 1)
    }

    /// Whether the team is given up.
    pub fn is_disbanded(self) -> bool {
        self.0 & 7 >= DISBANDED
    }

    /// Whether all threads have arrived at the end of the region, and leave it.
    pub fn is_leaving(self) -> bool {
        (LEAVING..DISBANDED).contains(&(self.0 & 7))
    }
}

/// A thread's place in a team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The slot.
    pub member: u64,
    /// The team.
    pub team: u64,
    /// The thread number.
    pub tid: u64,
}

impl Slot {
    /// The slot at `member`.
    pub fn at(space: &Space, member: u64) -> Result<Slot, Rc> {
        let team = space.unsigned(member, Field::MemberTeam)?;
        let tid = space.unsigned(member, Field::MemberTid)?;
        if team == 0 {
            return Err(Rc::ERROR);
        }
        Ok(Slot { member, team, tid })
    }

    /// The slot of thread number `tid` in `team`.
    pub fn of_team(space: &Space, team: u64, tid: u64) -> Result<Slot, Rc> {
        let capacity = space.unsigned(team, Field::TeamCapacity)?;
        let members = space.unsigned(team, Field::TeamMembers)?;
        if tid >= capacity || members == 0 {
            return Err(Rc::ERROR);
        }
        let place = tid.checked_mul(space.memory.pointer_size() as u64).and_then(|offset| members.checked_add(offset));
        let member = space.memory.pointer(place.ok_or(Rc::ERROR)?)?;
        let slot = Slot::at(space, member)?;
        if slot.team != team || slot.tid != tid {
            return Err(Rc::ERROR);
        }
        Ok(slot)
    }

    /// The thread that fills it; 0 if none ever has.
    pub fn thread(self, space: &Space) -> Result<u64, Rc> {
        space.unsigned(self.member, Field::MemberThread)
    }

    /// The implicit or initial task.
    pub fn implicit(self, space: &Space) -> Result<u64, Rc> {
        space.part(self.member, Field::MemberImplicit)
    }

    /// The enclosing slot: of a target region's slot, the slot where the construct was encountered; otherwise the
    /// encountering thread's slot. `None` for the outermost slot.
    pub fn outer(self, space: &Space) -> Result<Option<Slot>, Rc> {
        let member = match space.unsigned(self.team, Field::TeamEncounteredIn)? {
            0 => space.unsigned(self.team, Field::TeamParent)?,
            member => member,
        };
        if member == 0 { Ok(None) } else { Slot::at(space, member).map(Some) }
    }

    /// As [`outer`](Self::outer), if it is a slot of the same thread.
    pub fn outer_of_thread(self, space: &Space) -> Result<Option<Slot>, Rc> {
        match self.outer(space)? {
            Some(slot) if self.tid == 0 && slot.thread(space)? == self.thread(space)? => Ok(Some(slot)),
            _ => Ok(None),
        }
    }
}

/// Whether a thread uses the descriptor.
pub fn is_in_use(space: &Space, thread: u64) -> Result<bool, Rc> {
    Ok(space.unsigned(thread, Field::ThreadPthread)? != 0)
}

/// The slot that a thread works in, or has worked in last; `None` before its first one.
pub fn slot(space: &Space, thread: u64) -> Result<Option<Slot>, Rc> {
    match space.unsigned(thread, Field::ThreadMember)? {
        0 => Ok(None),
        member => Slot::at(space, member).map(Some),
    }
}
