//! How a member comes to a slot of the team's ring and leaves it (`README.md`).

use crate::objects::structures::Member;
use crate::protocol::ring::Slot;

/// Takes the next construct's number and waits until the construct may use its slot. Returns none if the region has
/// been cancelled meanwhile: other members may still be using the slot, and may never leave it.
pub(super) fn take(member: &Member) -> Option<(u32, &'static Slot)> {
    let team = member.team();
    let number = member.work.take_slot_number();
    let slot = team.work.ring.slot(number);
    team.wait_until(|| slot.is_free_for(number)).then_some((number, slot))
}

/// Leaves the slot of construct `number`, which `nthreads` members share. The last member to leave frees the slot.
pub(super) fn leave(member: &Member, number: u32, nthreads: u32) {
    let team = member.team();
    if team.work.ring.leave(number, member.tid, nthreads) {
        team.waits.notify_all();
    }
}
