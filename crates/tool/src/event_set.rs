//! A set of events as one word, usable in constants: which methods of a tool are registered.

use ompt::Event;

/// A set of OMPT's events.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct EventSet(u64);

/// The events that [`Tool`](crate::Tool) has methods for: all but those of devices.
const HOST: EventSet = {
    let mut set = EventSet::of(&[Event::ControlTool, Event::Error]);
    let mut id = 1;
    while id <= Event::Dispatch.0 {
        if id <= Event::ImplicitTask.0 || id >= Event::SyncRegionWait.0 && id != Event::TargetMap.0 {
            set = set.with(Event(id));
        }
        id += 1;
    }
    set
};

impl EventSet {
    /// No event.
    pub const NONE: EventSet = EventSet(0);
    /// Every event that [`Tool`](crate::Tool) has a method for: all 25 of the host.
    pub const HOST: EventSet = HOST;

    /// The set of these events.
    ///
    /// Panics (in a constant: does not compile) if a number is not 1 to [`Event::COUNT`].
    pub const fn of(events: &[Event]) -> EventSet {
        let mut set = EventSet::NONE;
        let mut index = 0;
        while index < events.len() {
            set = set.with(events[index]);
            index += 1;
        }
        set
    }

    /// This set and one event more; panics as [`of`](Self::of) does.
    pub const fn with(self, event: Event) -> EventSet {
        assert!(event.0 >= 1 && event.0 as usize <= Event::COUNT, "no such event");
        EventSet(self.0 | 1 << event.0)
    }

    /// This set without one event; panics as [`of`](Self::of) does.
    pub const fn without(self, event: Event) -> EventSet {
        assert!(event.0 >= 1 && event.0 as usize <= Event::COUNT, "no such event");
        EventSet(self.0 & !(1 << event.0))
    }

    /// The events of both sets together.
    pub const fn union(self, other: EventSet) -> EventSet {
        EventSet(self.0 | other.0)
    }

    /// Whether the event is in the set; an unknown number is in none.
    pub const fn contains(self, event: Event) -> bool {
        event.0 >= 1 && event.0 as usize <= Event::COUNT && self.0 & 1 << event.0 != 0
    }

    /// The events, by number.
    pub fn iter(self) -> impl Iterator<Item = Event> {
        Event::ALL.iter().map(|(event, _)| *event).filter(move |event| self.contains(*event))
    }
}

impl std::fmt::Debug for EventSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_is_every_event_that_names_no_device() {
        for (event, name) in Event::ALL {
            let of_device = name.contains("_target") || name.contains("_device");
            assert_eq!(EventSet::HOST.contains(*event), !of_device, "{name}");
        }
        assert_eq!(EventSet::HOST.iter().count(), 25);
    }

    #[test]
    fn unknown_numbers_are_in_no_set() {
        for id in [i32::MIN, -1, 0, 38, 63, 64, i32::MAX] {
            assert!(!EventSet::HOST.contains(Event(id)), "{id}");
        }
    }
}
