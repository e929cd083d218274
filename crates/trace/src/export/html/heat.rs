//! The ranks of a job over time: a row a rank, and for each cell of time the share of the threads' time that is useful.
//! The size depends on the number of ranks alone.

use super::usage::Usage;
use crate::escape;
use crate::store::Meta;
use serde_json::{Value, json};
use std::io::{Result, Write};

/// Cells of a row.
const CELLS: usize = 512;
/// Cells with a share have 1 for no useful work, up to 255 for useful work alone; 0 where nothing was recorded.
const STEPS: f64 = 254.0;

/// The rows of a page. All ranks have one time, that of their hosts' clocks.
pub struct Heat {
    /// The begin of the first recording and the end of the last, in nanoseconds since 1970-01-01 UTC.
    edges: (u64, u64),
    rows: Vec<Row>,
}

struct Row {
    rank: u32,
    host: String,
    /// The rank's process in the page; none if the page has the row alone.
    process: Option<usize>,
    /// From the begin of the first recording to that of this one.
    offset_ns: u64,
    cells: Vec<u8>,
}

impl Heat {
    /// For recordings between two moments.
    pub fn new(edges: (u64, u64)) -> Heat {
        Heat { edges, rows: Vec::new() }
    }

    fn cell_ns(&self) -> u64 {
        self.edges.1.saturating_sub(self.edges.0).div_ceil(CELLS as u64).max(1)
    }

    /// Adds a rank by the use of its threads. `process` is its number in the page. A process without a rank has no row.
    pub fn add(&mut self, meta: &Meta, usage: &Usage, process: Option<usize>) {
        let Some(rank) = meta.rank else { return };
        let (offset_ns, cell_ns) = (meta.start_unix_ns.saturating_sub(self.edges.0), self.cell_ns());
        let mut sums = vec![(0u64, 0u64); CELLS];
        for (bucket, (useful, all)) in usage.useful().enumerate() {
            // A bucket belongs to the cell of its middle: it is shorter than a cell, or little longer.
            let middle = offset_ns.saturating_add(bucket as u64 * usage.bucket_ns() + usage.bucket_ns() / 2);
            if let Some(sum) = sums.get_mut((middle / cell_ns) as usize) {
                *sum = (sum.0.saturating_add(useful), sum.1.saturating_add(all));
            }
        }
        let share = |(useful, all): (u64, u64)| match all {
            0 => 0,
            _ => 1 + (STEPS * useful as f64 / all as f64).round().min(STEPS) as u8,
        };
        let cells = sums.into_iter().map(share).collect();
        let host = escape::line(&meta.hostname).into_owned();
        self.rows.push(Row { rank, host, process, offset_ns, cells });
    }

    /// What the page's script reads.
    pub fn json(&mut self) -> Value {
        self.rows.sort_by_key(|row| (row.rank, row.offset_ns));
        let rows = self.rows.iter().map(
            |row| json!({ "rank": row.rank, "host": row.host, "process": row.process, "offset_ns": row.offset_ns }),
        );
        json!({ "cells": CELLS, "cell_ns": self.cell_ns(), "rows": rows.collect::<Vec<Value>>() })
    }

    /// The cells of all rows, in the order of [`Heat::json`].
    pub fn binary(&self, to: &mut dyn Write) -> Result<()> {
        self.rows.iter().try_for_each(|row| to.write_all(&row.cells))
    }
}

#[cfg(test)]
mod tests {
    use super::super::usage::Activity;
    use super::*;

    #[test]
    fn a_row_has_the_ranks_time_and_shares() {
        let mut heat = Heat::new((1_000_000, 1_000_000 + 512_000));
        let meta = |rank, start_unix_ns| Meta { rank: Some(rank), start_unix_ns, ..Meta::default() };
        // The first half of the second quarter is work of one of two threads.
        let mut usage = Usage::new(128_000);
        usage.add(Activity::Work, 0, 64_000);
        usage.add(Activity::Idle, 0, 128_000);
        heat.add(&meta(1, 1_128_000), &usage, None);
        heat.add(&Meta::default(), &usage, None);
        heat.add(&meta(0, 1_000_000), &Usage::new(0), Some(3));
        let document = heat.json();
        assert_eq!((&document["cells"], &document["cell_ns"]), (&512.into(), &1000.into()));
        assert_eq!(document["rows"][0]["process"], 3);
        assert_eq!((&document["rows"][1]["rank"], &document["rows"][1]["offset_ns"]), (&1.into(), &128_000.into()));
        let mut bytes = Vec::new();
        heat.binary(&mut bytes).unwrap();
        assert_eq!((bytes.len(), bytes[..512].iter().max()), (1024, Some(&0)));
        let second = &bytes[512..];
        assert_eq!((second[127], second[128], second[191], second[192], second[256]), (0, 128, 128, 1, 0));
    }
}
