//! Makes an export smaller: slices that are shorter than a limit become fewer. What a thread did in many short slices
//! of one parent, one after the other, is one slice for each title, with the sum of their durations and their number.
//! Slices inside of them are merged the same way, so the sum of durations is what it was for each title at each place.
//!
//! A slice is short or not only when it ends, or when its thread's next event is late enough. Until then its begin
//! waits here. Whatever is inside of a short slice is short as well, so what waits is the inner end of a thread's open
//! slices.

use super::slices::{Details, Open, Title};
use super::walk::{Operation, Visitor};
use crate::Site;
use crate::reader::{Event, Sample};
use crate::units::duration;
use slab::Slab;
use std::io::Result;

/// Short slices are merged with those that begin within so many times the limit after the first of them. A smaller
/// number keeps their times, a larger one makes the export smaller.
const REACH: u64 = 16;
/// The first limit that is tried, in nanoseconds.
const FIRST_NS: u64 = 1_000;
/// The next limit is so many times the one before.
const STEP: u64 = 4;

/// The limits to try, ascending. Nothing is merged at the first one.
pub fn limits() -> impl Iterator<Item = u64> {
    std::iter::once(0).chain(std::iter::successors(Some(FIRST_NS), |limit| limit.checked_mul(STEP)))
}

/// What was merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Slices that are shorter than this were merged, in nanoseconds; 0 if none were.
    pub shorter_ns: u64,
    /// How many these were.
    pub slices: u64,
    /// How many slices stand for them.
    pub into: u64,
}

impl Merged {
    /// Adds what was merged in another trace.
    pub fn add(&mut self, other: Merged) {
        self.shorter_ns = self.shorter_ns.max(other.shorter_ns);
        self.slices += other.slices;
        self.into += other.into;
    }

    /// What was merged, as a line; none if nothing was.
    pub fn line(&self) -> Option<String> {
        let Merged { shorter_ns, slices, into } = self;
        let limit = duration(*shorter_ns);
        (*slices > 0).then(|| {
            format!("{slices} slices shorter than {limit} are merged into {into}; sums of durations are unchanged")
        })
    }
}

/// Merges short slices on their way to `to`.
pub struct Merging<'a, V> {
    to: &'a mut V,
    threads: Vec<Thread>,
    nodes: Nodes,
    merged: Merged,
}

/// One thread.
#[derive(Default)]
struct Thread {
    open: Vec<Opened>,
    /// Short slices outside of any other.
    outside: Group,
}

/// An open slice.
struct Opened {
    begin_ns: u64,
    open: Open,
    title: Title,
    details: Details,
    /// Whether it is not short, so that its begin is written.
    written: bool,
    /// The short slices directly in it that are not yet written.
    inside: Group,
}

/// Short slices of one parent.
#[derive(Default)]
struct Group {
    /// The begin of the first of them.
    begin_ns: u64,
    nodes: Vec<Key>,
}

/// A node's place in [`Nodes`].
type Key = usize;

/// The nodes of all groups. They refer to each other by their keys: a trace's slices may be in each other so deep that
/// neither a walk over them nor their end may use the stack.
#[derive(Default)]
struct Nodes(Slab<Node>);

/// Short slices with the same title. Without a kind these are instants.
struct Node {
    open: Option<Open>,
    title: Title,
    /// Those of the first of them.
    details: Details,
    count: u64,
    total_ns: u64,
    inside: Vec<Key>,
}

impl Nodes {
    /// Adds a node to those with the same title in the list.
    fn add(&mut self, list: &mut Vec<Key>, node: Key) {
        let mut united = Vec::new();
        match self.same(list, node) {
            Some(known) => united.push((known, self.unite(known, node))),
            None => list.push(node),
        }
        while let Some((into, nodes)) = united.pop() {
            for node in nodes {
                match self.same(&self.0[into].inside, node) {
                    Some(known) => united.push((known, self.unite(known, node))),
                    None => self.0[into].inside.push(node),
                }
            }
        }
    }

    /// The node of a list that has the title of `node`.
    fn same(&self, list: &[Key], node: Key) -> Option<Key> {
        let node = &self.0[node];
        let is_same = |known: &Node| known.open.is_some() == node.open.is_some() && is_same(&known.title, &node.title);
        list.iter().copied().find(|known| is_same(&self.0[*known]))
    }

    /// Adds the sums of `node` to those of `known`. Returns what was inside of `node`.
    fn unite(&mut self, known: Key, node: Key) -> Vec<Key> {
        let node = self.0.remove(node);
        self.0[known].count += node.count;
        self.0[known].total_ns += node.total_ns;
        node.inside
    }
}

impl<'a, V: Visitor> Merging<'a, V> {
    /// Merges slices that are shorter than `shorter_ns`, which may be 0 for none, of so many threads.
    pub fn new(to: &'a mut V, shorter_ns: u64, threads: usize) -> Merging<'a, V> {
        let merged = Merged { shorter_ns, ..Merged::default() };
        let threads = std::iter::repeat_with(Thread::default).take(threads).collect();
        Merging { to, threads, nodes: Nodes::default(), merged }
    }

    /// Writes what is left, at the end of the walk.
    ///
    /// # Errors
    /// Those of the visitor.
    pub fn finish(mut self) -> Result<Merged> {
        for thread in 0..self.threads.len() {
            let outside = std::mem::take(&mut self.threads[thread].outside);
            self.write(thread, outside)?;
        }
        Ok(self.merged)
    }

    /// Whether there is no limit, so that everything goes on as it comes.
    fn merges_nothing(&self) -> bool {
        self.merged.shorter_ns == 0
    }

    /// Writes the begins of slices that are not short, since they are open at a moment.
    fn until(&mut self, thread: usize, ns: u64) -> Result<()> {
        let open = &self.threads[thread].open;
        let Some(first) = open.iter().position(|slice| !slice.written) else { return Ok(()) };
        for index in first..self.threads[thread].open.len() {
            let slice = &self.threads[thread].open[index];
            if ns.saturating_sub(slice.begin_ns) < self.merged.shorter_ns {
                break;
            }
            // What is merged in the parent is over.
            let before = std::mem::take(group(&mut self.threads[thread], index));
            self.write(thread, before)?;
            let slice = &mut self.threads[thread].open[index];
            slice.written = true;
            let (title, details) = (slice.title.clone(), slice.details);
            self.to.begin(thread, slice.begin_ns, slice.open, title, details)?;
        }
        Ok(())
    }

    /// Adds to the short slices of the innermost open slice.
    fn short(&mut self, thread: usize, begin_ns: u64, node: Node) -> Result<()> {
        let depth = self.threads[thread].open.len();
        let reach = self.merged.shorter_ns.saturating_mul(REACH);
        let around = group(&mut self.threads[thread], depth);
        let is_far = !around.nodes.is_empty() && begin_ns.saturating_sub(around.begin_ns) >= reach;
        // Inside of a slice that is short itself, nothing is far.
        if is_far {
            let before = std::mem::take(around);
            self.write(thread, before)?;
        }
        let around = group(&mut self.threads[thread], depth);
        if around.nodes.is_empty() {
            around.begin_ns = begin_ns;
        }
        let key = self.nodes.0.insert(node);
        self.nodes.add(&mut around.nodes, key);
        Ok(())
    }

    /// Writes merged slices one after the other. Together they are no longer than the time in which they were.
    fn write(&mut self, thread: usize, group: Group) -> Result<()> {
        // For each slice that is open: when the next one inside of it begins, and what is left of those.
        let mut open = vec![(group.begin_ns, group.nodes.into_iter())];
        while let Some((ns, left)) = open.last_mut() {
            let Some(key) = left.next() else {
                open.pop();
                if let Some((ns, _)) = open.last() {
                    self.to.end(thread, *ns)?;
                }
                continue;
            };
            let node = self.nodes.0.remove(key);
            let values = [Some(("merged", node.count)), Some(("duration of all", node.total_ns))];
            let details = if node.count == 1 { node.details } else { Details { values, flow: None } };
            let Some(kind) = node.open else {
                self.to.instant(thread, *ns, node.title, details)?;
                continue;
            };
            self.merged.into += 1;
            let begin = *ns;
            *ns = begin.saturating_add(node.total_ns);
            self.to.begin(thread, begin, kind, node.title, details)?;
            open.push((begin, node.inside.into_iter()));
        }
        Ok(())
    }
}

/// The short slices of the slice at a depth; at depth 0 those outside.
fn group(thread: &mut Thread, depth: usize) -> &mut Group {
    match depth.checked_sub(1) {
        Some(parent) => &mut thread.open[parent].inside,
        None => &mut thread.outside,
    }
}

fn is_same(one: &Title, other: &Title) -> bool {
    let key = |title: &Title| -> (Site, &'static str) { (title.site, title.category) };
    key(one) == key(other) && one.name == other.name
}

impl<V: Visitor> Visitor for Merging<'_, V> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        if self.merges_nothing() {
            return self.to.begin(thread, ns, open, title, details);
        }
        self.until(thread, ns)?;
        let inside = Group::default();
        self.threads[thread].open.push(Opened { begin_ns: ns, open, title, details, written: false, inside });
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        if self.merges_nothing() {
            return self.to.end(thread, ns);
        }
        self.until(thread, ns)?;
        let Some(Opened { begin_ns, open, title, details, written, inside }) = self.threads[thread].open.pop() else {
            return Ok(());
        };
        if written {
            self.write(thread, inside)?;
            return self.to.end(thread, ns);
        }
        self.merged.slices += 1;
        let (open, total_ns) = (Some(open), ns - begin_ns);
        let node = Node { open, title, details, count: 1, total_ns, inside: inside.nodes };
        self.short(thread, begin_ns, node)
    }

    fn instant(&mut self, thread: usize, ns: u64, title: Title, details: Details) -> Result<()> {
        if self.merges_nothing() {
            return self.to.instant(thread, ns, title, details);
        }
        self.until(thread, ns)?;
        self.short(thread, ns, Node { open: None, title, details, count: 1, total_ns: 0, inside: Vec::new() })
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        self.to.operation(operation)
    }

    fn event(&mut self, thread: usize, event: &Event, site: Site) -> Result<()> {
        self.to.event(thread, event, site)
    }

    fn wants_samples(&self) -> bool {
        self.to.wants_samples()
    }

    fn sample(&mut self, thread: usize, ns: u64, sample: &Sample) -> Result<()> {
        self.to.sample(thread, ns, sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds up what is written.
    #[derive(Default)]
    struct Sums {
        open: Vec<u64>,
        slices: u64,
        total_ns: u64,
        deepest: usize,
    }

    impl Visitor for Sums {
        fn begin(&mut self, _: usize, ns: u64, _: Open, _: Title, _: Details) -> Result<()> {
            self.open.push(ns);
            self.slices += 1;
            self.deepest = self.deepest.max(self.open.len());
            Ok(())
        }

        fn end(&mut self, _: usize, ns: u64) -> Result<()> {
            self.total_ns += ns - self.open.pop().unwrap();
            Ok(())
        }

        fn operation(&mut self, _: Operation) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn slices_may_be_in_each_other_as_deep_as_they_like() {
        const DEPTH: u64 = 200_000;
        let mut sums = Sums::default();
        let mut merging = Merging::new(&mut sums, u64::MAX / 100, 1);
        let title = Title { name: "task".into(), site: Site::default(), category: "task" };
        for run in 0..2 {
            let at = run * 2 * DEPTH;
            for ns in 0..DEPTH {
                merging.begin(0, at + ns, Open::Task(1), title.clone(), Details::default()).unwrap();
            }
            for ns in DEPTH..2 * DEPTH {
                merging.end(0, at + ns).unwrap();
            }
        }
        let merged = merging.finish().unwrap();
        assert_eq!((merged.slices, merged.into), (2 * DEPTH, DEPTH));
        assert_eq!((sums.slices, sums.deepest), (DEPTH, DEPTH as usize));
        assert_eq!(sums.total_ns, 2 * DEPTH * DEPTH);
    }
}
