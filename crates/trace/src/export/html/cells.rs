//! The timeline at a distance: each lane of each row as cells of equal duration. A cell has the name that fills most of
//! it, and the share of it that any slice fills.

use super::names::Name;

/// Cells of a lane, at least and at most.
const LANE: (usize, usize) = (64, 1 << 18);
/// Lanes that a row is expected to have.
const USUAL_LANES: usize = 3;
/// Different names in one cell that are told apart.
const APART: usize = 32;

/// How the run is divided.
#[derive(Clone, Copy)]
pub struct Grid {
    /// Cells of a lane.
    pub cells: usize,
    /// Duration of a cell.
    pub ns: u64,
    /// Cells that lanes may still take.
    left: usize,
}

impl Grid {
    /// For a run of `wall_ns` with so many rows, of which all together have about `budget` cells.
    pub fn new(wall_ns: u64, rows: usize, budget: usize) -> Grid {
        let wanted = (budget / (USUAL_LANES * rows.max(1))).clamp(LANE.0, LANE.1);
        let cells = wanted - wanted % LANE.0;
        Grid { cells, ns: wall_ns.div_ceil(cells as u64).max(1), left: budget.max(USUAL_LANES * rows * cells) }
    }

    /// A lane; none if the budget is spent.
    pub fn lane(&mut self) -> Option<Lane> {
        self.left = self.left.checked_sub(self.cells)?;
        Some(Lane { names: vec![0; self.cells], shares: vec![0; self.cells], current: 0, parts: Vec::new() })
    }
}

/// One lane: slices that follow each other.
pub struct Lane {
    /// The number of each cell's name, plus 1; 0 for an empty cell.
    pub names: Vec<u16>,
    /// The filled part of each cell, as 255ths.
    pub shares: Vec<u8>,
    /// The cell that is being filled.
    current: usize,
    /// The names in that cell, with their times.
    parts: Vec<(Name, u64)>,
}

impl Lane {
    /// Takes the next slice, which begins no earlier than the last one ended.
    pub fn add(&mut self, name: Name, begin: u64, end: u64, grid: &Grid) {
        let mut at = begin.max(self.current as u64 * grid.ns);
        while at < end {
            let cell = ((at / grid.ns) as usize).min(grid.cells - 1);
            let until = if cell == grid.cells - 1 { end } else { end.min((cell as u64 + 1) * grid.ns) };
            if cell != self.current {
                self.settle(grid);
                self.current = cell;
            }
            // The last part stands for all names beyond.
            let known = self.parts.iter().position(|(known, _)| *known == name);
            match known.or_else(|| self.parts.len().checked_sub(1).filter(|last| *last + 1 == APART)) {
                Some(index) => self.parts[index].1 += until - at,
                None => self.parts.push((name, until - at)),
            }
            at = until;
        }
    }

    /// Closes the last cell.
    pub fn settle(&mut self, grid: &Grid) {
        if let Some((name, _)) = self.parts.iter().max_by_key(|(_, ns)| *ns) {
            let filled: u64 = self.parts.iter().map(|(_, ns)| ns).sum();
            self.names[self.current] = name + 1;
            self.shares[self.current] = (filled as f64 * 255.0 / grid.ns as f64).ceil().min(255.0) as u8;
        }
        self.parts.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_shows_what_fills_most_of_it() {
        let mut grid = Grid::new(6400, 1, 64);
        assert_eq!((grid.cells, grid.ns), (64, 100));
        let mut lane = grid.lane().unwrap();
        assert!(grid.lane().is_some() && grid.lane().is_some() && grid.lane().is_none(), "the budget is spent");
        lane.add(1, 10, 20, &grid);
        lane.add(2, 20, 60, &grid);
        lane.add(3, 150, 420, &grid);
        lane.add(4, 6390, 6400, &grid);
        lane.settle(&grid);
        assert_eq!(lane.names[..6], [3, 4, 4, 4, 4, 0]);
        assert_eq!(lane.shares[..6], [128, 128, 255, 255, 51, 0]);
        assert_eq!((lane.names[63], lane.shares[63]), (5, 26));
    }

    #[test]
    fn odd_times_stay_inside() {
        let mut grid = Grid::new(0, 1, 64);
        let mut lane = grid.lane().unwrap();
        lane.add(1, 5, 1_000_000, &grid);
        lane.add(2, 3, 4, &grid);
        lane.settle(&grid);
        assert_eq!((lane.names[4], lane.names[5], lane.names[63]), (0, 2, 2));
    }
}
