//! `KMP_HW_SUBSET`: the part of the machine that the program uses. The value counts units of each layer within a unit
//! of the layer named before: `2s,4c@2,1t`. The grammar is that of clang's and Intel's runtime.

use super::layer::{CoreAttribute, Layer};
use super::layout::index_of;
use super::tokens::{natural, positive};
use super::topology::{Cpu, Topology};
use crate::scan::Scanner;
use std::collections::BTreeMap;

/// Some units of a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Item {
    layer: Layer,
    parts: Vec<Part>,
}

/// `count` units from the `offset`-th on; of cores, only those with the attribute `only`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Part {
    /// `None` for all.
    count: Option<u32>,
    offset: u32,
    only: Option<CoreAttribute>,
}

impl Part {
    fn is_for(&self, cpu: &Cpu) -> bool {
        self.only.is_none_or(|only| cpu.has(only))
    }
}

/// A parsed `KMP_HW_SUBSET`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subset {
    items: Vec<Item>,
    /// A leading colon: the counts are not within units of layers that are not named, so `:4c` means four cores in all.
    absolute: bool,
}

impl Subset {
    /// Parses a value; `None` where it does not follow the grammar or names a layer twice.
    pub fn parse(text: &str) -> Option<Subset> {
        let mut scan = Scanner::new(text);
        let absolute = scan.eat(":");
        let items = scan.list_while(|scan| scan.eat(",") || scan.eat("x") || scan.eat("X"), item)?;
        let twice = items.iter().enumerate().any(|(i, item)| items[..i].iter().any(|other| other.layer == item.layer));
        (!twice && scan.at_end()).then_some(Subset { items, absolute })
    }

    /// The part of the machine that is left, or the reason why the machine has no such part.
    pub fn apply(&self, topology: &Topology) -> Result<Topology, String> {
        let items = self.ordered(topology)?;
        for (index, item) in items.iter().enumerate() {
            check_count(topology, item, index.checked_sub(1).map(|above| items[above].layer))?;
        }
        let mut numbering = Numbering::new();
        let mut kept = Vec::new();
        for cpu in &topology.cpus {
            let parents: Vec<u32> = items.iter().map(|item| cpu.group(item.layer)).collect();
            // Every item numbers the CPU's unit, even if a coarser item leaves the CPU out.
            let inside =
                items.iter().enumerate().map(|(depth, item)| admits(item, &parents[..depth], cpu, &mut numbering));
            if inside.fold(true, |all, one| all & one) {
                kept.push(cpu.number);
            }
        }
        if kept.is_empty() {
            return Err(String::from("nothing would be left"));
        }
        Ok(topology.filtered(|cpu| kept.contains(&cpu.number)))
    }

    /// The items from the coarsest to the finest layer. Unless the counts are absolute, all sockets are implied, and
    /// threads imply all cores.
    fn ordered(&self, topology: &Topology) -> Result<Vec<Item>, String> {
        let mut items = self.items.clone();
        for item in &items {
            if !topology.knows(item.layer) {
                return Err(format!("this machine has no {}", item.layer.row().names.1));
            }
            if item.parts.iter().any(|part| part.only.is_some()) && !topology.is_hybrid() {
                return Err(String::from("this machine has one kind of cores only"));
            }
        }
        let names = |layer| self.items.iter().any(|item| item.layer == layer);
        for (layer, implied) in [(Layer::Socket, true), (Layer::Core, names(Layer::Thread))] {
            if !self.absolute && implied && !names(layer) {
                items.push(Item { layer, parts: vec![Part { count: None, offset: 0, only: None }] });
            }
        }
        items.sort_by_key(|item| (topology.count(item.layer), item.layer));
        Ok(items)
    }
}

/// Whether a layer has as many units as requested, within each unit of the layer above.
fn check_count(topology: &Topology, item: &Item, above: Option<Layer>) -> Result<(), String> {
    for part in &item.parts {
        let matching = topology.filtered(|cpu| part.is_for(cpu));
        let there = above.map_or_else(|| matching.count(item.layer), |above| matching.most_within(item.layer, above));
        let wanted = part.offset as usize + part.count.map_or(1, |count| count as usize);
        if wanted > there {
            return Err(format!("{wanted} {} are asked for, and there are {there}", item.layer.row().names.1));
        }
    }
    Ok(())
}

/// The units below each parent, numbered from 0 in the order in which they are met: by layer, part and parents.
type Numbering = BTreeMap<(Layer, usize, Vec<u32>), Vec<u32>>;

/// Whether a CPU's unit of an item's layer is among the requested ones. `parents` are the CPU's units of the layers
/// above.
fn admits(item: &Item, parents: &[u32], cpu: &Cpu, numbering: &mut Numbering) -> bool {
    let Some((index, part)) = item.parts.iter().enumerate().find(|(_, part)| part.is_for(cpu)) else { return false };
    let met = numbering.entry((item.layer, index, parents.to_vec())).or_default();
    let number = index_of(met, cpu.group(item.layer)) as u64;
    let first = u64::from(part.offset);
    number >= first && part.count.is_none_or(|count| number < first + u64::from(count))
}

/// `[count|*]layer[@offset][:attribute]`. For cores, several such parts may be joined by `&`.
fn item(scan: &mut Scanner) -> Option<Item> {
    let parts = scan.list("&", part)?;
    let layer = parts[0].0;
    let alone = parts.len() == 1;
    let parts: Vec<Part> =
        parts.into_iter().map(|(its, part)| (its == layer).then_some(part)).collect::<Option<_>>()?;
    // Several parts of a layer need different attributes.
    let distinct = |(i, a): (usize, &Part)| a.only.is_some() && parts[..i].iter().all(|b| a.only != b.only);
    (alone || parts.iter().enumerate().all(distinct)).then_some(Item { layer, parts })
}

fn part(scan: &mut Scanner) -> Option<(Layer, Part)> {
    let all = scan.eat("*") || !scan.peek()?.is_ascii_digit();
    let count = if all { None } else { Some(positive(scan)?) };
    let layer = layer_named(scan)?;
    let offset = if scan.eat("@") { natural(scan)? as u32 } else { 0 };
    let only = match layer {
        Layer::Core if scan.eat(":") => Some(CoreAttribute::parse(&scan.word())?),
        _ => None,
    };
    Some((layer, Part { count, offset, only }))
}

/// A layer by its name or the beginning of it: `s`, `sockets`, `c`, `core`, `L2`, `L2cache`, …
fn layer_named(scan: &mut Scanner) -> Option<Layer> {
    // An `x` ends a name, as it divides items: `2sx4c`.
    let letters = |c: char| (c.is_ascii_alphabetic() && !matches!(c, 'x' | 'X')) || c == '_';
    let word = scan.run(letters).to_ascii_lowercase();
    if !matches!(word.as_str(), "l" | "cache") {
        return Layer::of_unit(&word);
    }
    let level = positive(scan)?;
    scan.run(letters);
    Layer::of_cache(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    fn left(topology: &Topology, text: &str) -> Vec<u32> {
        let subset = Subset::parse(text).unwrap_or_else(|| panic!("{text}"));
        subset.apply(topology).unwrap_or_else(|why| panic!("{text}: {why}")).numbers()
    }

    fn two_by_two() -> Topology {
        Topology::read(Root::two_by_two().path(), &(0..32).collect::<Vec<_>>())
    }

    #[test]
    fn counts_within_the_layer_above() {
        let machine = two_by_two();
        assert_eq!(left(&machine, "1s,2c,1t"), [0, 1]);
        assert_eq!(left(&machine, "2s,2c,1t"), [0, 1, 8, 9]);
        assert_eq!(left(&machine, "2c,1t"), [0, 1, 8, 9]);
        assert_eq!(left(&machine, "1t,2c,1s"), [0, 1]);
        assert_eq!(left(&machine, ":2c,1t"), [0, 1]);
        assert_eq!(left(&machine, "1s,2n,1c"), [0, 4, 16, 20]);
        assert_eq!(left(&machine, "1s@1,1t"), [8, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(left(&machine, ":1s,1t"), [0]);
        assert_eq!(left(&machine, "1s"), [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
        assert_eq!(left(&machine, "*s,1numa,*c,1t").len(), 8);
    }

    #[test]
    fn offsets() {
        let machine = two_by_two();
        assert_eq!(left(&machine, "1s@1,2c@3,1t@1"), [27, 28]);
        assert_eq!(left(&machine, "1 Socket @ 1 x 1 core x 2 threads"), [8, 24]);
        assert_eq!(left(&machine, "1numa@1,1c"), [4, 12, 20, 28]);
    }

    #[test]
    fn caches_and_tiles() {
        let topology = Topology::read(Root::many_caches().path(), &(0..16).collect::<Vec<_>>());
        assert_eq!(left(&topology, "2L3,1c"), [0, 2]);
        assert_eq!(left(&topology, "2ll_cache@6"), [12, 13, 14, 15]);
        assert_eq!(left(&topology, "1die@1,1l3"), [4, 5]);
        assert_eq!(left(&topology, "3L2"), [0, 1, 2]);
    }

    #[test]
    fn kinds_of_cores() {
        let topology = Topology::read(Root::hybrid().path(), &(0..8).collect::<Vec<_>>());
        assert_eq!(left(&topology, "2c:intel_core,1t"), [0, 2]);
        assert_eq!(left(&topology, "3c:intel_atom"), [4, 5, 6]);
        assert_eq!(left(&topology, "1c:intel_core&2c@1:intel_atom"), [0, 1, 5, 6]);
        assert_eq!(left(&topology, "*c:eff1"), [0, 1, 2, 3]);
        assert_eq!(left(&topology, "1m,1c"), [0, 1]);
    }

    #[test]
    fn what_cannot_be_had() {
        let machine = two_by_two();
        for (text, why) in [
            ("3s", "3 sockets are asked for, and there are 2"),
            ("1s,9c", "9 cores are asked for, and there are 8"),
            ("1s,1c@8", "9 cores are asked for, and there are 8"),
            ("1s,1m", "this machine has no modules"),
            ("1c:eff0", "this machine has one kind of cores only"),
        ] {
            assert_eq!(Subset::parse(text).unwrap().apply(&machine).unwrap_err(), why, "{text}");
        }
    }

    #[test]
    fn a_kind_that_is_not_there() {
        let topology = Topology::read(Root::hybrid().path(), &(0..8).collect::<Vec<_>>());
        let why = Subset::parse("1c:eff3").unwrap().apply(&topology).unwrap_err();
        assert_eq!(why, "1 cores are asked for, and there are 0");
    }

    #[test]
    fn the_grammar() {
        for bad in [
            "",
            ",",
            "2",
            "s,",
            "0s",
            "2q",
            "2s,3s",
            "2s;3c",
            "2s@",
            "2s@-1",
            "-1s",
            "c:",
            "c:big",
            "s:eff1",
            "1c&2c",
            "1c:eff0&1t",
            "L",
            "L9",
            "1c:eff0&2c:eff0",
            "99999999999999999999c",
            "1s 2c",
        ] {
            assert_eq!(Subset::parse(bad), None, "{bad:?}");
        }
    }
}
