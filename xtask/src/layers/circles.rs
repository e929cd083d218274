//! Circles of files: sets of files each of which needs every other, directly or through the rest.

use super::imports::Import;
use super::tree::FileId;
use std::collections::BTreeSet;

/// The circles of more than one file among `files` files, the largest first; a circle's files in order.
pub fn circles(files: usize, imports: &[Import]) -> Vec<Vec<FileId>> {
    let mut next = vec![BTreeSet::new(); files];
    for import in imports {
        next[import.from].insert(import.to);
    }
    let mut search = Search { next, order: vec![None; files], low: vec![0; files], ..Search::default() };
    for file in 0..files {
        if search.order[file].is_none() {
            search.visit(file);
        }
    }
    let mut found: Vec<Vec<FileId>> = search.found.into_iter().filter(|circle| circle.len() > 1).collect();
    found.iter_mut().for_each(|circle| circle.sort_unstable());
    found.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle[0]));
    found
}

/// Tarjan's search for strongly connected components.
#[derive(Default)]
struct Search {
    next: Vec<BTreeSet<FileId>>,
    order: Vec<Option<usize>>,
    low: Vec<usize>,
    count: usize,
    open: Vec<FileId>,
    found: Vec<Vec<FileId>>,
}

impl Search {
    fn visit(&mut self, file: FileId) {
        let number = self.count;
        self.order[file] = Some(number);
        self.low[file] = number;
        self.count += 1;
        self.open.push(file);
        for to in self.next[file].clone() {
            match self.order[to] {
                None => {
                    self.visit(to);
                    self.low[file] = self.low[file].min(self.low[to]);
                }
                Some(order) if self.open.contains(&to) => self.low[file] = self.low[file].min(order),
                Some(_) => {}
            }
        }
        if self.low[file] == number {
            let start = self.open.iter().position(|open| *open == file).expect("the file is open");
            self.found.push(self.open.split_off(start));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(pairs: &[(FileId, FileId)]) -> Vec<Import> {
        pairs.iter().map(|&(from, to)| Import { from, to, line: 1, path: String::new() }).collect()
    }

    #[test]
    fn a_line_is_no_circle() {
        assert!(circles(4, &arrows(&[(0, 1), (1, 2), (0, 3), (3, 2)])).is_empty());
    }

    #[test]
    fn circles_are_told_apart() {
        let imports = arrows(&[(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2)]);
        assert_eq!(circles(5, &imports), [vec![2, 3, 4], vec![0, 1]]);
    }
}
