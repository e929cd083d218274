//! Stacks as a tree with a weight at each node.

use rustc_hash::FxHashMap;

/// The tree has at most this many nodes. Further stacks are added to the innermost frame that has a node.
const MOST: usize = 1 << 19;
/// The root.
pub const ROOT: u32 = 0;

/// See the module.
pub struct Tree {
    nodes: Vec<Node>,
    /// By node and name.
    index: FxHashMap<(u32, u32), u32>,
    names: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

struct Node {
    name: u32,
    weight: u64,
    children: Vec<u32>,
}

impl Tree {
    /// A tree whose root has this name.
    pub fn new(name: String) -> Tree {
        let root = Node { name: 0, weight: 0, children: Vec::new() };
        let numbers = FxHashMap::from_iter([(name.clone(), 0)]);
        Tree { nodes: vec![root], index: FxHashMap::default(), names: vec![name], numbers }
    }

    /// The node of a frame inside another frame.
    pub fn child(&mut self, of: u32, name: &str) -> u32 {
        let number = match self.numbers.get(name) {
            Some(number) => *number,
            None => {
                let number = self.names.len() as u32;
                self.names.push(name.to_owned());
                self.numbers.insert(name.to_owned(), number);
                number
            }
        };
        if let Some(known) = self.index.get(&(of, number)) {
            return *known;
        }
        if self.nodes.len() >= MOST {
            return of;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node { name: number, weight: 0, children: Vec::new() });
        self.nodes[of as usize].children.push(node);
        self.index.insert((of, number), node);
        node
    }

    /// Adds to the weight of a node.
    pub fn add(&mut self, node: u32, weight: u64) {
        let sum = &mut self.nodes[node as usize].weight;
        *sum = sum.saturating_add(weight);
    }

    /// Calls a function with the names of each stack that has a weight, the outermost first, and the weight.
    ///
    /// # Errors
    /// Those of the function.
    pub fn each<E>(&self, mut take: impl FnMut(&[&str], u64) -> Result<(), E>) -> Result<(), E> {
        let mut names: Vec<&str> = Vec::new();
        let mut left = vec![(ROOT, 0)];
        while let Some((node, depth)) = left.pop() {
            let Node { name, weight, children } = &self.nodes[node as usize];
            names.truncate(depth);
            names.push(&self.names[*name as usize]);
            if *weight > 0 {
                take(&names, *weight)?;
            }
            left.extend(children.iter().rev().map(|child| (*child, depth + 1)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one_line() {
        let mut tree = Tree::new("app".into());
        for (stack, weight) in [(&["a", "b"][..], 3), (&["a"], 1), (&["c"], 2), (&["a", "b"], 4), (&["a", "d"], 0)] {
            let node = stack.iter().fold(ROOT, |node, name| tree.child(node, name));
            tree.add(node, weight);
        }
        let mut lines = Vec::new();
        tree.each(|stack, weight| {
            lines.push(format!("{} {weight}", stack.join(";")));
            Ok::<(), ()>(())
        })
        .unwrap();
        assert_eq!(lines, ["app;a 1", "app;a;b 7", "app;c 2"]);
    }
}
