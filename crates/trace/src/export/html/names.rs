//! The things that a timeline shows, by name and construct: numbered, counted, and with the lengths of their slices.

use crate::Site;
use crate::symbols::Symbolizer;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Things beyond this number are shown as one.
const MOST: usize = 60_000;
/// Buckets of a [`Lengths`], two for each power of two.
const BUCKETS: usize = 128;

/// The number of a name.
pub type Name = u16;

/// What slices of one name and construct amount to.
pub struct Named {
    /// What kind of thing it is; the page colours and filters by it.
    pub kind: &'static str,
    /// In words.
    pub name: Cow<'static, str>,
    /// The construct; without addresses for none.
    pub site: Site,
    /// Slices.
    pub count: u64,
    /// Sum of their durations in nanoseconds.
    pub total: u64,
    /// The longest: its row, begin and end.
    pub longest: (u32, u64, u64),
    /// How many slices have which length. Of tasks: how many tasks ran for how long.
    pub lengths: Lengths,
}

/// A histogram with logarithmic buckets.
pub struct Lengths([u32; BUCKETS]);

impl Default for Lengths {
    fn default() -> Lengths {
        Lengths([0; BUCKETS])
    }
}

impl Lengths {
    fn add(&mut self, ns: u64) {
        let ns = ns.max(1);
        let octave = ns.ilog2();
        let upper = octave > 0 && ns >> (octave - 1) & 1 == 1;
        let count = &mut self.0[2 * octave as usize + usize::from(upper)];
        *count = count.saturating_add(1);
    }

    /// The buckets that are not empty: the number `b` of each, and its count. Bucket `b` begins at `2^(b/2)`
    /// nanoseconds if `b` is even, otherwise at `1.5 * 2^((b-1)/2)`.
    pub fn filled(&self) -> Vec<(usize, u32)> {
        self.0.iter().copied().enumerate().filter(|(_, count)| *count > 0).collect()
    }
}

/// All names of a trace. Memory grows with the program's constructs and not with the trace.
pub struct Names<'a> {
    symbols: &'a mut Symbolizer,
    /// By name, kind and the site as it was recorded.
    known: FxHashMap<(Cow<'static, str>, &'static str, Site), Name>,
    /// By name, kind and place.
    places: FxHashMap<(Cow<'static, str>, &'static str, Site), Name>,
    /// In the order of their numbers.
    pub list: Vec<Named>,
}

impl<'a> Names<'a> {
    pub fn new(symbols: &'a mut Symbolizer) -> Names<'a> {
        Names { symbols, known: FxHashMap::default(), places: FxHashMap::default(), list: Vec::new() }
    }

    /// The number of a name. Sites of one place are one.
    pub fn number(&mut self, name: Cow<'static, str>, kind: &'static str, site: Site) -> Name {
        let key = (name, kind, site);
        if let Some(&number) = self.known.get(&key) {
            return number;
        }
        let place = if site == Site::default() { site } else { self.symbols.place(site) };
        let full = self.list.len() >= MOST;
        let (name, place) = if full { (Cow::Borrowed("other"), Site::default()) } else { (key.0.clone(), place) };
        let list = &mut self.list;
        let number = *self.places.entry((name.clone(), kind, place)).or_insert_with(|| {
            list.push(Named {
                kind,
                name,
                site: place,
                count: 0,
                total: 0,
                longest: (0, 0, 0),
                lengths: Lengths::default(),
            });
            (list.len() - 1) as Name
        });
        if !full {
            self.known.insert(key, number);
        }
        number
    }

    /// Counts a slice.
    pub fn count(&mut self, name: Name, row: u32, begin: u64, end: u64) {
        let named = &mut self.list[usize::from(name)];
        let length = end - begin;
        named.count += 1;
        named.total = named.total.saturating_add(length);
        if named.count == 1 || length > named.longest.2 - named.longest.1 {
            named.longest = (row, begin, end);
        }
        if named.kind != "task" {
            named.lengths.add(length);
        }
    }

    /// Counts a task that has completed after it ran for so long, in one or several slices.
    pub fn count_task(&mut self, name: Name, ns: u64) {
        self.list[usize::from(name)].lengths.add(ns);
    }

    /// The first name of one of these kinds that stands for a construct. All kinds if there are none.
    pub fn find(&mut self, kinds: &[&str], site: Site) -> Option<usize> {
        // A summary that was kept may name a place by another of its sites.
        let site = self.symbols.place(site);
        let fits = |named: &Named| named.site == site && (kinds.is_empty() || kinds.contains(&named.kind));
        self.list.iter().position(fits)
    }

    /// What names the constructs.
    pub fn symbols(&mut self) -> &mut Symbolizer {
        self.symbols
    }
}
