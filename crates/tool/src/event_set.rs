//! A set of events as one word, usable in constants: which methods of a tool are registered.

use ompt::Event;

/// A set of OMPT's events.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct EventSet(u64);

/// Each event's method in [`Tool`](crate::Tool).
macro_rules! methods {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal, $args:tt $( -> $ret:ty )? } )*) => {
        const METHODS: [(&str, Event); Event::COUNT] = [ $( (stringify!($snake), Event::$camel) ),* ];
    };
}
ompt::for_each_event! { methods }

/// Events that name no device.
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
    /// Every event of OpenMP 5.1, all 37.
    pub const ALL: EventSet = EventSet((1 << (Event::COUNT + 1)) - 2);
    /// The 25 events of the host: all but the events of devices and target regions.
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

    /// The events of these methods of [`Tool`](crate::Tool); names of other methods are passed over, and
    /// `any` stands for all.
    pub(crate) const fn of_methods(names: &[&str]) -> EventSet {
        let mut set = EventSet::NONE;
        let mut index = 0;
        while index < names.len() {
            if same(names[index], "any") {
                return EventSet::ALL;
            }
            let mut at = 0;
            while at < METHODS.len() {
                if same(names[index], METHODS[at].0) {
                    set = set.with(METHODS[at].1);
                }
                at += 1;
            }
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

/// Whether two texts are equal, in constants.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
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
        assert_eq!(EventSet::ALL.iter().count(), 37);
    }

    #[test]
    fn methods_are_events() {
        let set = EventSet::of_methods(&["initialize", "flush", "target", "finalize"]);
        assert_eq!(set, EventSet::of(&[Event::Flush, Event::Target]));
        assert_eq!(EventSet::of_methods(&["flush", "any"]), EventSet::ALL);
    }

    #[test]
    fn unknown_numbers_are_in_no_set() {
        for id in [i32::MIN, -1, 0, 38, 63, 64, i32::MAX] {
            assert!(!EventSet::ALL.contains(Event(id)), "{id}");
        }
    }
}
