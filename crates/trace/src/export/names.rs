//! The names of slices, each made once.

use super::slices::Title;
use crate::Site;
use crate::symbols::{Location, Symbolizer};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;

/// What is written about a title.
#[derive(Debug)]
pub struct Name {
    /// The number of the name: names are counted from 0 in the order in which they are first asked for.
    pub index: usize,
    /// In words, such as `wait`.
    pub what: Cow<'static, str>,
    /// Where the construct is: `heat.c:42`, else symbol or module with an offset; empty for no construct.
    pub place: String,
    /// All that is known about the construct; none for no construct.
    pub location: Option<Rc<Location>>,
}

impl Name {
    /// The words and the place: `wait heat.c:42`.
    pub fn text(&self) -> String {
        if self.place.is_empty() { self.what.clone().into_owned() } else { format!("{} {}", self.what, self.place) }
    }

    /// The function of the source that the construct is in; empty if it is not known.
    pub fn function(&self) -> &str {
        self.location.as_ref().and_then(|location| location.function.as_deref()).unwrap_or_default()
    }

    /// The source file as the compiler has recorded it; empty if it is not known. Bytes that are no UTF-8 are replaced.
    pub fn file(&self) -> Cow<'_, str> {
        let file = self.location.as_ref().and_then(|location| location.file.as_ref());
        file.map_or(Cow::Borrowed(""), |file| file.to_string_lossy())
    }

    /// The line in the file, if it is known.
    pub fn line(&self) -> Option<u32> {
        self.location.as_ref().and_then(|location| location.line)
    }
}

/// All names of a trace so far.
pub struct Names<'a> {
    symbols: &'a mut Symbolizer,
    known: FxHashMap<(Cow<'static, str>, Site), Rc<Name>>,
}

impl<'a> Names<'a> {
    /// None yet.
    pub fn new(symbols: &'a mut Symbolizer) -> Names<'a> {
        Names { symbols, known: FxHashMap::default() }
    }

    /// The name of a title.
    pub fn of(&mut self, title: &Title) -> Rc<Name> {
        self.name(title.name.clone(), title.site)
    }

    /// The name of a construct, with words before its place.
    pub fn name(&mut self, what: Cow<'static, str>, site: Site) -> Rc<Name> {
        if let Some(known) = self.known.get(&(what.clone(), site)) {
            return known.clone();
        }
        let location = (site != Site::default()).then(|| self.symbols.locate(site));
        let place = location.as_ref().map_or_else(String::new, |location| location.short());
        let name = Rc::new(Name { index: self.known.len(), what: what.clone(), place, location });
        self.known.insert((what.clone(), site), name.clone());
        name
    }

    /// The names of addresses in code, such as those of samples.
    pub fn symbols(&mut self) -> &mut Symbolizer {
        self.symbols
    }
}
