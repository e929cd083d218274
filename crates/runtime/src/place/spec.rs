//! The grammar of `OMP_PLACES`: an abstract name with a count, or places written out as CPU numbers with intervals and
//! exclusions (OpenMP 5.1 §6.5); and gcc's older `GOMP_CPU_AFFINITY`.

/// The largest CPU number, exclusive, and the largest number of places: Linux itself stops at 8192 CPUs.
const LIMIT: i64 = 8192;

/// What an abstract name groups CPUs by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlaceKind {
    Threads,
    Cores,
    Sockets,
    LastLevelCaches,
    NumaDomains,
}

/// A parsed `OMP_PLACES`, before the machine has been looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacesSpec {
    /// A name, and how many places at most.
    Abstract { kind: PlaceKind, count: Option<u32> },
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

    /// Parses the value of `GOMP_CPU_AFFINITY`: CPUs and ranges `a-b` or `a-b:stride`, divided by commas or white space,
    /// each CPU a place of its own.
    pub fn parse_cpu_list(text: &str) -> Option<PlacesSpec> {
        let mut places = Vec::new();
        for item in text.split(|c: char| c == ',' || c.is_whitespace()).filter(|item| !item.is_empty()) {
            let (range, stride) = match item.split_once(':') {
                Some((range, stride)) => (range, number(stride).filter(|&stride| stride > 0)?),
                None => (item, 1),
            };
            let (first, last) = match range.split_once('-') {
                Some((first, last)) => (number(first)?, number(last)?),
                None => (number(range)?, number(range)?),
            };
            if last < first || (item.contains(':') && !range.contains('-')) {
                return None;
            }
            let stride = usize::try_from(stride).ok()?;
            places.extend((first..=last).step_by(stride).map(|cpu| vec![cpu]));
        }
        (!places.is_empty()).then_some(PlacesSpec::Explicit(places))
    }
}

fn number(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
    text.parse().ok().filter(|&n| i64::from(n) < LIMIT)
}

/// `word` or `word(count)`.
fn abstract_places(scan: &mut Scanner) -> Option<PlacesSpec> {
    let kind = match scan.word().as_str() {
        "threads" => PlaceKind::Threads,
        "cores" => PlaceKind::Cores,
        "sockets" => PlaceKind::Sockets,
        "ll_caches" => PlaceKind::LastLevelCaches,
        "numa_domains" => PlaceKind::NumaDomains,
        _ => return None,
    };
    let mut count = None;
    if scan.eat('(') {
        count = Some(u32::try_from(scan.natural()?).ok().filter(|&n| n > 0)?);
        if !scan.eat(')') {
            return None;
        }
    }
    Some(PlacesSpec::Abstract { kind, count })
}

/// The place list: `p-interval, p-interval, …`, where `!place` takes equal places away again.
fn explicit_places(scan: &mut Scanner) -> Option<Vec<Vec<u32>>> {
    let mut places: Vec<Vec<u32>> = Vec::new();
    loop {
        if scan.eat('!') {
            let excluded = place(scan)?;
            places.retain(|place| *place != excluded);
        } else {
            let first = place(scan)?;
            let (count, stride) = interval(scan)?;
            for step in 0..count {
                places.push(shifted(&first, step * stride)?);
            }
        }
        if places.len() as i64 > LIMIT {
            return None;
        }
        if !scan.eat(',') {
            break;
        }
    }
    (!places.is_empty()).then_some(places)
}

/// `{res-list}` or a single CPU; sorted, without repetitions.
fn place(scan: &mut Scanner) -> Option<Vec<u32>> {
    if !scan.eat('{') {
        return Some(vec![cpu(scan.natural()?)?]);
    }
    let (mut included, mut excluded) = (Vec::new(), Vec::new());
    loop {
        if scan.eat('!') {
            excluded.push(cpu(scan.natural()?)?);
        } else {
            let first = scan.natural()?;
            let (count, stride) = interval(scan)?;
            for step in 0..count {
                included.push(cpu(first + step * stride)?);
            }
        }
        if !scan.eat(',') {
            break;
        }
    }
    included.retain(|cpu| !excluded.contains(cpu));
    included.sort_unstable();
    included.dedup();
    (scan.eat('}') && !included.is_empty()).then_some(included)
}

/// `:count:stride`, `:count` or nothing, which is one.
fn interval(scan: &mut Scanner) -> Option<(i64, i64)> {
    if !scan.eat(':') {
        return Some((1, 1));
    }
    let count = scan.natural().filter(|&n| n > 0)?;
    let stride = if scan.eat(':') { scan.integer()? } else { 1 };
    Some((count, stride))
}

fn cpu(number: i64) -> Option<u32> {
    (0..LIMIT).contains(&number).then_some(number as u32)
}

fn shifted(place: &[u32], by: i64) -> Option<Vec<u32>> {
    place.iter().map(|&number| cpu(i64::from(number) + by)).collect()
}

/// Tokens of the grammar; white space before each is skipped.
struct Scanner {
    text: Vec<char>,
    position: usize,
}

impl Scanner {
    fn new(text: &str) -> Self {
        Scanner { text: text.chars().collect(), position: 0 }
    }

    fn peek(&mut self) -> Option<char> {
        while self.text.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
        self.text.get(self.position).copied()
    }

    fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.position += usize::from(found);
        found
    }

    /// Characters that satisfy the test, from here on, in lower case.
    fn run(&mut self, test: impl Fn(char) -> bool) -> String {
        self.peek();
        let found: String = self.text[self.position..].iter().take_while(|c| test(**c)).collect();
        self.position += found.chars().count();
        found.to_ascii_lowercase()
    }

    fn word(&mut self) -> String {
        self.run(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// A number without a sign, at most [`LIMIT`].
    fn natural(&mut self) -> Option<i64> {
        self.run(|c| c.is_ascii_digit()).parse().ok().filter(|&n| n <= LIMIT)
    }

    fn integer(&mut self) -> Option<i64> {
        let negative = self.eat('-');
        if !negative {
            self.eat('+');
        }
        self.natural().map(|n| if negative { -n } else { n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abstract_names() {
        for (text, kind, count) in [
            ("threads", PlaceKind::Threads, None),
            (" Cores ( 4 ) ", PlaceKind::Cores, Some(4)),
            ("SOCKETS", PlaceKind::Sockets, None),
            ("ll_caches(2)", PlaceKind::LastLevelCaches, Some(2)),
            ("numa_domains", PlaceKind::NumaDomains, None),
        ] {
            assert_eq!(PlacesSpec::parse(text), Some(PlacesSpec::Abstract { kind, count }), "{text:?}");
        }
        for bad in ["", "core", "cores(", "cores()", "cores(0)", "cores(2", "cores(2) x", "cores(-2)", "threads,cores"] {
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
