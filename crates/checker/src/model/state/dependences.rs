//! The dependences of a task and of its children.

use rustc_hash::FxHashMap;

/// How a task uses a storage location. Tasks of one class do not depend on each other, but for `Alone`.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Class {
    In,
    Alone,
    Exclusive,
    Set,
}

/// The latest tasks that use a storage location in the same way, and those before them.
#[derive(Clone)]
pub struct Generation {
    pub class: Class,
    pub latest: Vec<u64>,
    pub before: Vec<u64>,
}

/// The dependences of one task, and those among its children.
#[derive(Default)]
pub struct Dependences {
    /// `has_dependences` was true and the `dependences` event has not come.
    pub awaited: bool,
    /// Some of its dependences are of an unknown kind.
    pub unknown: bool,
    /// The tasks that it waits for; those that are complete may be gone.
    pub predecessors: Vec<u64>,
    /// Locations that it uses exclusively.
    pub exclusive: Vec<u64>,
    /// Tasks that it may have to wait for, because it excludes them.
    pub peers: Vec<u64>,
    /// For its children: each location's latest use.
    pub locations: FxHashMap<u64, Generation>,
    /// The latest child that depends on all memory.
    pub all_memory: Option<u64>,
    /// For the task's children: the current exclusive user of each location.
    pub users: FxHashMap<u64, u64>,
}

impl Dependences {
    /// A child uses a location; gives the tasks that it has to wait for.
    pub fn uses(&mut self, child: u64, location: u64, class: Class, peers: &mut Vec<u64>) -> Vec<u64> {
        let base =
            || Generation { class: Class::Alone, latest: self.all_memory.into_iter().collect(), before: Vec::new() };
        let generation = self.locations.entry(location).or_insert_with(base);
        if generation.class == class && class != Class::Alone {
            if class == Class::Exclusive {
                peers.extend(&generation.latest);
            }
            generation.latest.push(child);
            return generation.before.clone();
        }
        generation.class = class;
        generation.before = std::mem::replace(&mut generation.latest, vec![child]);
        generation.before.clone()
    }

    /// A child depends on all memory; gives the tasks that it has to wait for.
    pub fn uses_all(&mut self, child: u64) -> Vec<u64> {
        let of = |generation: Generation| generation.latest;
        let before = self.locations.drain().flat_map(|(_, generation)| of(generation));
        let before = before.chain(self.all_memory).collect();
        self.all_memory = Some(child);
        before
    }
}
