//! A tree of calls. Its size is bounded by the program's code, and by a limit for programs that recurse.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// All trees of a trace together have at most this many nodes. Further samples are counted at the innermost caller that
/// has a node.
const MOST_NODES: usize = 1 << 18;

/// The code that was sampled, each with its callers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Calls {
    nodes: Vec<Node>,
    /// The node of a caller (`u32::MAX` for none) and an address.
    index: FxHashMap<(u32, u64), u32>,
    /// Samples without a node.
    rest: u64,
}

/// A place in the code that was reached by one chain of calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Node {
    caller: u32,
    /// A return address. Of sampled code, the address one past the first byte of the instruction, so that it is looked
    /// up like one.
    address: u64,
    /// Samples of exactly this code.
    count: u64,
}

const NONE: u32 = u32::MAX;

impl Calls {
    /// Adds a sample at `address` with these callers, the outermost first. `nodes` counts those of all trees.
    pub(super) fn add(&mut self, callers: &[u64], address: u64, nodes: &mut usize) {
        let mut at = NONE;
        for address in callers.iter().copied().chain([address.wrapping_add(1)]) {
            if !self.index.contains_key(&(at, address)) && *nodes >= MOST_NODES {
                break;
            }
            let before = self.nodes.len();
            at = self.child(at, address);
            *nodes += self.nodes.len() - before;
        }
        self.count_at(at, 1);
    }

    /// The same calls in an order that does not depend on the order of the samples.
    pub(super) fn sorted(self) -> Calls {
        let mut callees: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for (node, number) in self.nodes.iter().zip(0..) {
            callees.entry(node.caller).or_default().push(number);
        }
        for numbers in callees.values_mut() {
            numbers.sort_by_key(|number| std::cmp::Reverse(self.nodes[*number as usize].address));
        }
        let mut sorted = Calls { rest: self.rest, ..Calls::default() };
        let at = |caller: u32, numbers: Option<Vec<u32>>| numbers.into_iter().flatten().map(move |old| (caller, old));
        let mut open: Vec<(u32, u32)> = at(NONE, callees.remove(&NONE)).collect();
        while let Some((caller, old)) = open.pop() {
            let Node { address, count, .. } = self.nodes[old as usize];
            let new = sorted.child(caller, address);
            sorted.count_at(new, count);
            open.extend(at(new, callees.remove(&old)));
        }
        sorted
    }

    fn count_at(&mut self, node: u32, count: u64) {
        match self.nodes.get_mut(node as usize) {
            Some(node) => node.count += count,
            None => self.rest += count,
        }
    }

    fn child(&mut self, caller: u32, address: u64) -> u32 {
        *self.index.entry((caller, address)).or_insert_with(|| {
            self.nodes.push(Node { caller, address, count: 0 });
            self.nodes.len() as u32 - 1
        })
    }

    /// Adds the samples of another tree.
    pub(super) fn unite(&mut self, other: Calls) {
        if self.nodes.is_empty() {
            let rest = self.rest;
            *self = other;
            self.rest += rest;
            return;
        }
        // A caller's node comes before those of the code that it calls.
        let mut here: Vec<u32> = Vec::with_capacity(other.nodes.len());
        for node in &other.nodes {
            let caller = here.get(node.caller as usize).copied().unwrap_or(NONE);
            let at = self.child(caller, node.address);
            self.count_at(at, node.count);
            here.push(at);
        }
        self.rest += other.rest;
    }

    /// The nodes of sampled code.
    pub fn leaves(&self) -> impl Iterator<Item = u32> {
        (0..self.nodes.len() as u32).filter(|node| self.count(*node) > 0)
    }

    /// The samples at a node, without those in what its code called.
    pub fn count(&self, node: u32) -> u64 {
        self.nodes[node as usize].count
    }

    /// A node's address, which is looked up like a return address.
    pub fn address(&self, node: u32) -> u64 {
        self.nodes[node as usize].address
    }

    /// A node and its callers, the innermost first.
    pub fn path(&self, node: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(node), |node| Some(self.nodes[*node as usize].caller).filter(|it| *it != NONE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each sampled address with its callers, the innermost first, and its samples.
    fn paths(calls: &Calls) -> Vec<(Vec<u64>, u64)> {
        let path = |leaf| calls.path(leaf).map(|node| calls.address(node)).collect();
        let mut paths: Vec<(Vec<u64>, u64)> = calls.leaves().map(|leaf| (path(leaf), calls.count(leaf))).collect();
        paths.sort();
        paths
    }

    #[test]
    fn equal_stacks_are_one() {
        let (mut one, mut other, mut nodes) = (Calls::default(), Calls::default(), 0);
        one.add(&[10, 20], 30, &mut nodes);
        one.add(&[10, 20], 30, &mut nodes);
        one.add(&[10], 20, &mut nodes);
        assert_eq!(nodes, 4);
        other.add(&[], 30, &mut nodes);
        other.add(&[10, 20], 40, &mut nodes);
        other.add(&[10, 20], 30, &mut nodes);
        one.unite(other);
        let expected = [(vec![21, 10], 1), (vec![31], 1), (vec![31, 20, 10], 3), (vec![41, 20, 10], 1)];
        assert_eq!(paths(&one), expected);
    }

    #[test]
    fn a_full_tree_counts_at_the_callers() {
        let (mut calls, mut nodes) = (Calls::default(), 0);
        calls.add(&[10], 20, &mut nodes);
        let mut full = MOST_NODES;
        calls.add(&[10, 30], 20, &mut full);
        calls.add(&[50], 20, &mut full);
        assert_eq!((full, paths(&calls), calls.rest), (MOST_NODES, vec![(vec![10], 1), (vec![21, 10], 1)], 1));
    }
}
