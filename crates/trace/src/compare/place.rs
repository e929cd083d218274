//! Which construct of one program is which construct of another version of it.

use crate::Site;
use crate::symbols::Symbolizer;
use std::collections::BTreeMap;

/// Lines that a construct may have moved by if its function has got or lost other constructs.
const TOLERANCE: u32 = 50;

/// A construct as it is called in every run of the program, whatever addresses it has there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// What it is: `region`, or the name of a kind of waiting or of a cause.
    pub kind: String,
    /// The function of the source.
    pub function: Option<String>,
    /// The source file's name without its folders.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
    /// The place in words.
    pub name: String,
    /// The symbol of the function that the compiler has made of the construct, if no line is known.
    pub symbol: Option<String>,
}

impl Place {
    /// The place of a construct.
    pub fn of(kind: &str, site: Site, symbols: &mut Symbolizer) -> Place {
        let location = symbols.locate(site);
        Place::at(kind, &location, site, symbols)
    }

    /// The place of a construct that has another line than its call.
    pub fn at(kind: &str, location: &crate::symbols::Location, site: Site, symbols: &mut Symbolizer) -> Place {
        let file = location.file.as_ref().and_then(|file| file.file_name());
        // An address is looked up as one after a call.
        let symbol = (location.line.is_none() && site.function != 0)
            .then(|| symbols.locate(Site::from(site.function.wrapping_add(1))).symbol.clone());
        Place {
            kind: kind.to_owned(),
            function: location.function.clone(),
            file: file.map(|file| file.to_string_lossy().into_owned()),
            line: location.line,
            name: location.plain(),
            symbol: symbol.flatten(),
        }
    }

    /// What stays the same if lines move. Without a line, the symbol or the name has to stay the same.
    fn group(&self) -> (&str, &str, &str) {
        match (&self.function, &self.file, &self.symbol) {
            (Some(function), Some(file), _) if self.line.is_some() => (&self.kind, function, file),
            (.., Some(symbol)) => (&self.kind, symbol, ""),
            _ => (&self.kind, &self.name, ""),
        }
    }
}

/// Pairs of places that are the same construct, by their positions, and the places without a partner. Constructs are
/// looked for in the function of the same name in the file of the same name. If the function has as many constructs of
/// the kind as before, they are the same in the order of their lines. Otherwise those on the same line are the same,
/// and then those that are closest to each other, up to 50 lines.
pub fn pairs(before: &[Place], after: &[Place]) -> Vec<(Option<usize>, Option<usize>)> {
    let mut groups: BTreeMap<_, [Vec<usize>; 2]> = BTreeMap::new();
    for (side, places) in [before, after].into_iter().enumerate() {
        for (index, place) in places.iter().enumerate() {
            groups.entry(place.group()).or_default()[side].push(index);
        }
    }
    let mut pairs = Vec::new();
    for [mut olds, mut news] in groups.into_values() {
        olds.sort_by_key(|&index| (before[index].line, index));
        news.sort_by_key(|&index| (after[index].line, index));
        if olds.len() != news.len() {
            let distance =
                |old: usize, new: usize| before[old].line.unwrap_or(0).abs_diff(after[new].line.unwrap_or(0));
            let mut near: Vec<(u32, usize, usize)> = Vec::new();
            for &old in &olds {
                let all = news.iter().map(|&new| (distance(old, new), old, new));
                near.extend(all.filter(|(distance, ..)| *distance <= TOLERANCE));
            }
            near.sort_unstable();
            for (_, old, new) in near {
                if olds.contains(&old) && news.contains(&new) {
                    pairs.push((Some(old), Some(new)));
                    olds.retain(|&index| index != old);
                    news.retain(|&index| index != new);
                }
            }
            pairs.extend(olds.drain(..).map(|old| (Some(old), None)));
            pairs.extend(news.drain(..).map(|new| (None, Some(new))));
        }
        pairs.extend(olds.into_iter().zip(news).map(|(old, new)| (Some(old), Some(new))));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(function: &str, line: u32) -> Place {
        Place {
            kind: "region".into(),
            function: Some(function.into()),
            file: Some("heat.c".into()),
            line: Some(line),
            name: format!("{function} (heat.c:{line})"),
            symbol: None,
        }
    }

    fn found(before: &[Place], after: &[Place]) -> Vec<(Option<u32>, Option<u32>)> {
        let line = |places: &[Place], index: Option<usize>| index.and_then(|index| places[index].line);
        let mut found: Vec<_> =
            pairs(before, after).into_iter().map(|(old, new)| (line(before, old), line(after, new))).collect();
        found.sort_unstable();
        found
    }

    #[test]
    fn constructs_that_have_all_moved_keep_their_order() {
        let before = [place("solve", 10), place("solve", 20), place("main", 90)];
        let after = [place("main", 8), place("solve", 320), place("solve", 300)];
        assert_eq!(found(&before, &after), [(Some(10), Some(300)), (Some(20), Some(320)), (Some(90), Some(8))]);
    }

    #[test]
    fn a_new_construct_is_the_one_without_a_neighbour() {
        let before = [place("solve", 10), place("solve", 40)];
        let after = [place("solve", 4), place("solve", 12), place("solve", 42)];
        assert_eq!(found(&before, &after), [(None, Some(4)), (Some(10), Some(12)), (Some(40), Some(42))]);
        assert_eq!(found(&after, &before), [(Some(4), None), (Some(12), Some(10)), (Some(42), Some(40))]);
        let far = [place("solve", 10), place("solve", 700)];
        assert_eq!(found(&far, &[place("solve", 701)]), [(Some(10), None), (Some(700), Some(701))]);
    }

    #[test]
    fn functions_files_and_kinds_keep_constructs_apart() {
        let other = Place { kind: "barrier".into(), ..place("solve", 10) };
        let moved = Place { file: Some("other.c".into()), ..place("solve", 10) };
        let expected = [(None, Some(10)), (Some(10), None)];
        for after in [other, moved, place("step", 10)] {
            assert_eq!(found(&[place("solve", 10)], &[after]), expected);
        }
    }

    #[test]
    fn without_lines_symbols_tell() {
        let stripped = |name: &str, symbol: &str| Place {
            kind: "region".into(),
            name: name.into(),
            symbol: Some(symbol.into()),
            ..Place::default()
        };
        let before = [stripped("main+0x10", "main._omp_fn.0"), stripped("main+0x20", "main._omp_fn.1")];
        let after = [stripped("main+0x33", "main._omp_fn.1")];
        let mut found = pairs(&before, &after);
        found.sort_unstable();
        assert_eq!(found, [(Some(0), None), (Some(1), Some(0))]);
    }
}
