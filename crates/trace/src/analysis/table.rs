//! Sums by a key, of which one event after another mostly wants the same few.

use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::Cell;
use std::hash::{BuildHasher, Hash};

/// So many keys are found without a look into the map: those of the constructs that the threads are in. A power of two.
const RECENT: usize = 8;

/// A map that finds the keys of the last accesses at once. It is in the order of a map of its keys.
#[derive(Clone, Debug)]
pub(super) struct Table<K, V> {
    /// The place of each key's row.
    places: FxHashMap<K, u32>,
    rows: Vec<Row<K, V>>,
    /// The places of rows without a key.
    free: Vec<u32>,
    /// The place of a row that was used lately, by the hash of its key. The row says whether it is that key's.
    recent: [Cell<u32>; RECENT],
}

#[derive(Clone, Debug)]
struct Row<K, V> {
    /// None if the row is free.
    key: Option<K>,
    value: V,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        let recent = [const { Cell::new(0) }; RECENT];
        Table { places: FxHashMap::default(), rows: Vec::new(), free: Vec::new(), recent }
    }
}

impl<K: Copy + Eq + Hash, V: Default> Table<K, V> {
    /// The place of a key's row, if there is one.
    #[inline(always)]
    fn find(&self, key: &K) -> Option<usize> {
        let place = self.recent(key).get() as usize;
        if self.rows.get(place).is_some_and(|row| row.key.as_ref() == Some(key)) {
            return Some(place);
        }
        self.look_up(key)
    }

    /// The place of a key's row that was not used lately.
    #[inline(never)]
    fn look_up(&self, key: &K) -> Option<usize> {
        let place = *self.places.get(key)?;
        self.recent(key).set(place);
        Some(place as usize)
    }

    #[inline(always)]
    fn recent(&self, key: &K) -> &Cell<u32> {
        &self.recent[(FxBuildHasher.hash_one(key) % RECENT as u64) as usize]
    }

    /// The row of a key.
    #[inline]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.find(key).map(|place| &self.rows[place].value)
    }

    /// As [`get`](Self::get).
    #[inline]
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.find(key).map(|place| &mut self.rows[place].value)
    }

    /// The row of a key, which is made if there is none.
    #[inline]
    pub fn of(&mut self, key: K) -> &mut V {
        self.of_with(key, V::default)
    }

    /// As [`of`](Self::of), with a value for a new row.
    #[inline(always)]
    pub fn of_with(&mut self, key: K, value: impl FnOnce() -> V) -> &mut V {
        let place = self.find(&key).unwrap_or_else(|| self.add(key, value()));
        &mut self.rows[place].value
    }

    #[cold]
    fn add(&mut self, key: K, value: V) -> usize {
        let row = Row { key: Some(key), value };
        let place = match self.free.pop() {
            Some(place) => {
                self.rows[place as usize] = row;
                place
            }
            None => {
                self.rows.push(row);
                (self.rows.len() - 1) as u32
            }
        };
        self.places.insert(key, place);
        self.recent(&key).set(place);
        place as usize
    }

    /// Takes a key's row out.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        let place = self.places.remove(key)?;
        let row = &mut self.rows[place as usize];
        row.key = None;
        self.free.push(place);
        Some(std::mem::take(&mut row.value))
    }

    /// Leaves out the rows for which `keep` says no.
    pub fn retain(&mut self, keep: impl Fn(&V) -> bool) {
        let gone: Vec<K> = self.iter().filter(|(_, value)| !keep(value)).map(|(key, _)| *key).collect();
        for key in gone {
            self.remove(&key);
        }
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.places.keys()
    }

    /// All keys and their rows.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.places.iter().map(|(key, place)| (key, &self.rows[*place as usize].value))
    }

    /// All rows.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.rows.iter_mut().filter(|row| row.key.is_some()).map(|row| &mut row.value)
    }

    /// All keys and their rows.
    pub fn into_iter(mut self) -> impl Iterator<Item = (K, V)> {
        self.places.into_iter().map(move |(key, place)| (key, std::mem::take(&mut self.rows[place as usize].value)))
    }

    /// All rows.
    pub fn into_values(self) -> impl Iterator<Item = V> {
        self.into_iter().map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Whatever is found lately, a table has what a map has.
        #[test]
        fn a_table_is_a_map(steps in proptest::collection::vec((0u64..24, 0u8..4), 1..200)) {
            let (mut table, mut map) = (Table::default(), FxHashMap::default());
            for (key, what) in steps {
                match what {
                    0 => prop_assert_eq!(table.remove(&key), map.remove(&key)),
                    1 => {
                        *table.of(key) += 1;
                        *map.entry(key).or_default() += 1;
                    }
                    2 => prop_assert_eq!(table.get_mut(&key), map.get_mut(&key)),
                    _ => prop_assert_eq!(table.get(&key), map.get(&key)),
                }
            }
            table.retain(|value| *value > 1);
            map.retain(|_, value| *value > 1);
            let mut expected: Vec<(u64, i32)> = map.into_iter().collect();
            let mut found: Vec<(u64, i32)> = table.into_iter().collect();
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
