//! The grammar of `OMP_PLACES`: an abstract name with a count, or places written out as CPU numbers with intervals and
//! exclusions (OpenMP 5.1 §6.5); and gcc's older `GOMP_CPU_AFFINITY`.

use super::layer::{CoreAttribute, Grouping, Layer};
use super::tokens::{LIMIT, as_cpu, cpu, integer, natural, positive, sorted};
use crate::scan::Scanner;

/// The most CPUs that one value may write out, repetitions counted. No use needs as many, and so many are made at once.
const MOST: usize = 1 << 20;

/// A parsed `OMP_PLACES`, without regard to the machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacesSpec {
    /// An abstract name. `only` names some of the cores, `count` is the most places, and every `stride`th group becomes
    /// a place.
    Abstract { grouping: Grouping, only: Option<CoreAttribute>, count: Option<u32>, stride: u32 },
    /// CPU numbers, a sorted list a place.
    Explicit(Vec<Vec<u32>>),
}

impl PlacesSpec {
    /// Parses the value of `OMP_PLACES`; `None` where it does not follow the grammar or names no CPU at all.
    pub fn parse(text: &str) -> Option<PlacesSpec> {
        let mut scan = Scanner::new(text);
        let spec = match scan.peek()? {
            c if c.is_ascii_alphabetic() => abstract_places(&mut scan)?,
            _ => PlacesSpec::Explicit(explicit_places(&mut scan)?),
        };
        scan.at_end().then_some(spec)
    }

    /// Parses an abstract name alone: all the places that it makes. `None` for anything else.
    pub fn parse_name(text: &str) -> Option<PlacesSpec> {
        let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        PlacesSpec::parse(text).filter(|spec| is_name && matches!(spec, PlacesSpec::Abstract { .. }))
    }

    /// Parses the value of `GOMP_CPU_AFFINITY`: CPUs and ranges `a-b` or `a-b:stride`, divided by commas or white
    /// space, each CPU a place of its own.
    pub fn parse_cpu_list(text: &str) -> Option<PlacesSpec> {
        let mut places = Vec::new();
        for item in text.split(|c: char| c == ',' || c.is_whitespace()).filter(|item| !item.is_empty()) {
            let mut scan = Scanner::new(item);
            let first = cpu(&mut scan)?;
            let (mut last, mut stride) = (first, 1);
            if scan.eat("-") {
                last = cpu(&mut scan)?;
                stride = if scan.eat(":") { positive(&mut scan)? } else { 1 };
            }
            if last < first || !scan.at_end() {
                return None;
            }
            places.extend((first..=last).step_by(stride as usize).map(|cpu| vec![cpu]));
            if places.len() as i64 > LIMIT {
                return None;
            }
        }
        (!places.is_empty()).then_some(PlacesSpec::Explicit(places))
    }
}

/// `word`, `word(count)` or `word(count:stride)`. An attribute may follow `cores`: `cores:intel_core(4)`. OpenMP has
/// the stride since 6.0 (section 4.1.6).
fn abstract_places(scan: &mut Scanner) -> Option<PlacesSpec> {
    let grouping = match scan.word().as_str() {
        "core_types" => Grouping::CoreKinds,
        "core_effs" | "core_efficiencies" => Grouping::CoreEfficiencies,
        word => Grouping::Layer(Layer::of_places(word)?),
    };
    let (mut only, mut count, mut stride) = (None, None, 1);
    if grouping == Grouping::Layer(Layer::Core) && scan.eat(":") {
        only = Some(CoreAttribute::parse(&scan.word())?);
    }
    if scan.eat("(") {
        count = Some(positive(scan)?);
        stride = if scan.eat(":") { positive(scan)? } else { 1 };
        scan.eat(")").then_some(())?;
    }
    Some(PlacesSpec::Abstract { grouping, only, count, stride })
}

/// The place list: `p-interval, p-interval, …`, where `!place` removes equal places.
fn explicit_places(scan: &mut Scanner) -> Option<Vec<Vec<u32>>> {
    let mut places: Vec<Vec<u32>> = Vec::new();
    let mut size = 0;
    scan.list(",", |scan| {
        if scan.eat("!") {
            let excluded = place(scan)?;
            places.retain(|place| *place != excluded);
            return Some(());
        }
        let first = place(scan)?;
        let (count, stride) = interval(scan)?;
        size += first.len() * count as usize;
        if size > MOST || places.len() as i64 + count > LIMIT {
            return None;
        }
        for step in 0..count {
            let shifted = first.iter().map(|&cpu| as_cpu(i64::from(cpu) + step * stride));
            places.push(shifted.collect::<Option<_>>()?);
        }
        Some(())
    })?;
    (!places.is_empty()).then_some(places)
}

/// `{res-list}` or a single CPU; sorted, without repetitions.
fn place(scan: &mut Scanner) -> Option<Vec<u32>> {
    if !scan.eat("{") {
        return Some(vec![cpu(scan)?]);
    }
    let (mut included, mut excluded) = (Vec::new(), Vec::new());
    scan.list(",", |scan| {
        if scan.eat("!") {
            excluded.push(cpu(scan)?);
            return Some(());
        }
        let first = natural(scan)?;
        let (count, stride) = interval(scan)?;
        for step in 0..count {
            included.push(as_cpu(first + step * stride)?);
        }
        (included.len() <= MOST).then_some(())
    })?;
    excluded.sort_unstable();
    included.retain(|cpu| excluded.binary_search(cpu).is_err());
    (scan.eat("}") && !included.is_empty()).then(|| sorted(included))
}

/// `:count:stride`, `:count` or nothing, which means one.
fn interval(scan: &mut Scanner) -> Option<(i64, i64)> {
    if !scan.eat(":") {
        return Some((1, 1));
    }
    let count = positive(scan)?.into();
    let stride = if scan.eat(":") { integer(scan)? } else { 1 };
    Some((count, stride))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abstract_names() {
        for (text, layer, count, stride) in [
            ("threads", Layer::Thread, None, 1),
            (" Cores ( 4 ) ", Layer::Core, Some(4), 1),
            ("threads(8:2)", Layer::Thread, Some(8), 2),
            ("cores ( 3 : 4 )", Layer::Core, Some(3), 4),
            ("SOCKETS", Layer::Socket, None, 1),
            ("ll_caches(2)", Layer::LastLevelCache, Some(2), 1),
            ("numa_domains", Layer::Numa, None, 1),
            ("dice", Layer::Die, None, 1),
            ("tiles", Layer::L2, None, 1),
        ] {
            let expected = PlacesSpec::Abstract { grouping: Grouping::Layer(layer), only: None, count, stride };
            assert_eq!(PlacesSpec::parse(text), Some(expected), "{text:?}");
        }
        let only = Some(CoreAttribute::Efficiency(1));
        let expected = PlacesSpec::Abstract { grouping: Grouping::Layer(Layer::Core), only, count: Some(2), stride: 1 };
        assert_eq!(PlacesSpec::parse("cores : eff1 (2)"), Some(expected));
        for bad in [
            "",
            "core",
            "cores(",
            "cores()",
            "cores(0)",
            "cores(2",
            "cores(2) x",
            "cores(-2)",
            "cores(2:0)",
            "cores(2:-1)",
            "cores(2:)",
            "cores(:2)",
            "cores(1:2:3)",
            "threads,cores",
            "cores:",
            "cores:x",
            "sockets:eff0",
        ] {
            assert_eq!(PlacesSpec::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn explicit_lists() {
        let cases: [(&str, &[&[u32]]); 14] = [
            ("{0,1,2,3},{4,5,6,7}", &[&[0, 1, 2, 3], &[4, 5, 6, 7]]),
            ("{0:4},{4:4}", &[&[0, 1, 2, 3], &[4, 5, 6, 7]]),
            ("{0:2}:3:4", &[&[0, 1], &[4, 5], &[8, 9]]),
            ("{0}:4", &[&[0], &[1], &[2], &[3]]),
            (" { 0 : 2 : 4 } , { 1 } ", &[&[0, 4], &[1]]),
            ("{3,1,1}", &[&[1, 3]]),
            ("{4:3:-2}", &[&[0, 2, 4]]),
            ("{6}:3:-3", &[&[6], &[3], &[0]]),
            ("{0:8,!3}", &[&[0, 1, 2, 4, 5, 6, 7]]),
            ("{!3,0:8}", &[&[0, 1, 2, 4, 5, 6, 7]]),
            ("{0}:4,!{2}", &[&[0], &[1], &[3]]),
            ("0:3", &[&[0], &[1], &[2]]),
            ("2,0", &[&[2], &[0]]),
            ("{0},{0}", &[&[0], &[0]]),
        ];
        for (text, places) in cases {
            let expected = PlacesSpec::Explicit(places.iter().map(|p| p.to_vec()).collect());
            assert_eq!(PlacesSpec::parse(text), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn bad_lists() {
        for bad in [
            "{",
            "{}",
            "{0",
            "0}",
            "{0},",
            ",{0}",
            "{0}{1}",
            "{0:0}",
            "{0}:0",
            "{0:2:}",
            "{-1}",
            "{0}:3:-1",
            "{a}",
            "{0;1}",
            "{0}:2:2:2",
            "!{0}",
            "{0},!{0}",
            "{0,!0}",
            "{99999}",
            "{0}:99999999999",
            "{0:2}:4294967296",
            "{8191:2}",
        ] {
            assert_eq!(PlacesSpec::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn gcc_cpu_lists() {
        let expected = |cpus: &[u32]| Some(PlacesSpec::Explicit(cpus.iter().map(|&c| vec![c]).collect()));
        assert_eq!(PlacesSpec::parse_cpu_list("0 3 1-2 4-15:2"), expected(&[0, 3, 1, 2, 4, 6, 8, 10, 12, 14]));
        assert_eq!(PlacesSpec::parse_cpu_list("1, 0"), expected(&[1, 0]));
        for bad in ["", ",", "a", "3-1", "0-3:0", "0:2", "1-", "-1", "0-99999999"] {
            assert_eq!(PlacesSpec::parse_cpu_list(bad), None, "{bad:?}");
        }
    }
}
