//! Which slices of a thread an export shows if it is about a part of the trace: those inside the window, cut at its
//! edges, and inside the selected regions.

use super::slices::{Context, Details, Open, Sink, Title};
use crate::Site;
use crate::selection::Selection;
use std::io::Result;

/// A slice that is open.
struct Entry {
    /// Whether the part is about what is inside.
    selected: bool,
    state: State,
}

enum State {
    /// The sink has its begin.
    Begun,
    /// It began before the window; the sink gets its begin when the window begins.
    Pending(Open, Title, Details),
    /// The sink does not get it.
    Hidden,
}

/// The open slices of one thread.
#[derive(Default)]
pub struct Shown {
    open: Vec<Entry>,
    /// How many of the open slices are pending.
    pending: usize,
}

impl Shown {
    /// Whether the part is about what the thread does now.
    pub fn is_inside(&self, selection: &Selection) -> bool {
        self.open.last().map_or(selection.regions.is_none(), |entry| entry.selected)
    }

    /// Begins what has been open when the window began, which is at `from`. The window has begun.
    pub fn begin_pending(&mut self, from: u64, to: &mut impl Sink) -> Result<()> {
        if self.pending == 0 {
            return Ok(());
        }
        for entry in &mut self.open {
            if matches!(entry.state, State::Pending(..))
                && let State::Pending(open, title, details) = std::mem::replace(&mut entry.state, State::Begun)
            {
                to.begin(from, open, title, details)?;
            }
        }
        self.pending = 0;
        Ok(())
    }

    /// A sink that hands on what is shown. `edges` are begin and end of the window in the time of the slices; `before`
    /// says that the window has not begun.
    pub fn only<'a, C: Context, S: Sink>(
        &'a mut self,
        selection: &'a Selection,
        (edges, before): ((u64, u64), bool),
        known: &'a C,
        to: &'a mut S,
    ) -> Only<'a, C, S> {
        Only { shown: self, selection, edges, before, known, to }
    }
}

/// A sink that hands on what is shown.
pub struct Only<'a, C, S> {
    shown: &'a mut Shown,
    selection: &'a Selection,
    edges: (u64, u64),
    before: bool,
    known: &'a C,
    to: &'a mut S,
}

impl<C: Context, S: Sink> Only<'_, C, S> {
    fn within(&self, ns: u64) -> u64 {
        ns.clamp(self.edges.0, self.edges.1)
    }

    fn selects(&self, open: Open) -> bool {
        let site = match open {
            Open::Parallel(parallel) | Open::Implicit(parallel) => self.known.region(parallel).map(|(site, _)| site),
            _ => None,
        };
        self.shown.is_inside(self.selection) || site.is_some_and(|site: Site| self.selection.names(site))
    }

    fn begin_pending(&mut self) -> Result<()> {
        if self.before { Ok(()) } else { self.shown.begin_pending(self.edges.0, self.to) }
    }
}

impl<C: Context, S: Sink> Sink for Only<'_, C, S> {
    fn begin(&mut self, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        self.begin_pending()?;
        let selected = self.selects(open);
        let state = match () {
            () if !selected => State::Hidden,
            () if self.before => {
                self.shown.pending += 1;
                State::Pending(open, title, details)
            }
            () => {
                self.to.begin(self.within(ns), open, title, details)?;
                State::Begun
            }
        };
        self.shown.open.push(Entry { selected, state });
        Ok(())
    }

    fn end(&mut self, ns: u64) -> Result<()> {
        self.begin_pending()?;
        match self.shown.open.pop().map(|entry| entry.state) {
            Some(State::Begun) => self.to.end(self.within(ns)),
            Some(State::Pending(..)) => {
                self.shown.pending -= 1;
                Ok(())
            }
            Some(State::Hidden) | None => Ok(()),
        }
    }

    fn instant(&mut self, ns: u64, title: Title, details: Details) -> Result<()> {
        self.begin_pending()?;
        if self.before || !self.shown.is_inside(self.selection) {
            return Ok(());
        }
        self.to.instant(self.within(ns), title, details)
    }
}
