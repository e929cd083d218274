//! The grammar of `KMP_AFFINITY`, as in clang's and Intel's runtime:
//! `[modifier,…]type[,permute[,offset]]`, in either case, with white space around tokens.

use super::layer::{Grouping, Layer};
use super::sysfs::show_list;
use super::tokens::{LIMIT, as_cpu, cpu, integer, natural, sorted};
use crate::environment::{with_defaults, word, words};
use crate::scan::Scanner;

/// How threads are laid out: the type in `KMP_AFFINITY`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Threads are not bound.
    None,
    /// As `None`, and the routines for affinity masks fail.
    Disabled,
    /// Consecutive threads close to each other.
    Compact,
    /// Consecutive threads far from each other.
    Scatter,
    /// Threads spread evenly over cores, consecutive ones on the same core.
    Balanced,
    /// As `proclist` says.
    Explicit,
    /// As `compact`, but the number behind the type is an offset in cores.
    Logical,
    /// A thread on each core before a second thread on any core. The number behind the type is an offset.
    Physical,
}

/// The group of CPUs around its own CPU that a thread may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Granularity {
    Of(Grouping),
    /// A number of levels of the machine above the finest.
    Levels(u32),
}

with_defaults! {
    /// A parsed `KMP_AFFINITY`.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct KmpAffinity {
        /// `None` where the value has only modifiers.
        pub strategy: Option<Strategy> = None,
        /// Whether lines report the machine, the places and each binding.
        pub verbose: bool = false,
        /// Whether lines report requests that cannot be met.
        pub warnings: bool = true,
        /// Whether threads stay on the CPUs of the process's initial mask.
        pub respect: bool = true,
        /// Whether the primary thread gets all CPUs of the process again after each outermost region.
        pub reset: bool = false,
        pub granularity: Option<Granularity> = None,
        /// Whether a group of CPUs becomes a place for each of its CPUs.
        pub duplicates: bool = true,
        /// The numbers behind the type.
        pub numbers: Vec<u32> = Vec::new(),
        /// The places of `proclist`.
        pub processors: Option<Vec<Vec<u32>>> = None,
    }
}

impl KmpAffinity {
    /// Parses a value. A parameter that makes no sense is left out. The second result has a complaint for each of them.
    pub fn parse(text: &str) -> (KmpAffinity, Vec<String>) {
        let mut affinity = KmpAffinity::default();
        let mut complaints = Vec::new();
        for parameter in parameters(text) {
            if let Err(complaint) = affinity.take(parameter) {
                complaints.push(complaint);
            }
        }
        affinity.reconcile(&mut complaints);
        (affinity, complaints)
    }

    /// The value in full, as other runtimes show it.
    pub fn describe(&self) -> String {
        let switch = |on: bool, name: &str| format!("{}{name}", if on { "" } else { "no" });
        let granularity = match self.granularity {
            None => String::from("core"),
            Some(Granularity::Levels(levels)) => levels.to_string(),
            Some(Granularity::Of(Grouping::Layer(layer))) => {
                layer.row().names.0.replace("last-level", "ll").replace(' ', "_").to_lowercase()
            }
            Some(Granularity::Of(Grouping::CoreKinds)) => String::from("core_type"),
            Some(Granularity::Of(Grouping::CoreEfficiencies)) => String::from("core_eff"),
        };
        let mut parts = vec![
            switch(self.verbose, "verbose"),
            switch(self.warnings, "warnings"),
            switch(self.respect, "respect"),
            switch(self.reset, "reset"),
            format!("granularity={granularity}"),
            switch(self.duplicates, "duplicates"),
        ];
        if let Some(places) = &self.processors {
            let places: Vec<String> = places.iter().map(|place| format!("{{{}}}", show_list(place))).collect();
            parts.push(format!("proclist=[{}]", places.join(",")));
        }
        parts.push(self.strategy.map_or(String::from("default"), |strategy| format!("{strategy:?}").to_lowercase()));
        parts.extend(self.numbers.iter().map(u32::to_string));
        parts.join(",")
    }

    /// A parameter that may have `no` before its name.
    fn switch(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "verbose" => &mut self.verbose,
            "warnings" => &mut self.warnings,
            "respect" => &mut self.respect,
            "reset" => &mut self.reset,
            "duplicates" | "dups" => &mut self.duplicates,
            _ => return None,
        })
    }

    fn take(&mut self, parameter: &str) -> Result<(), String> {
        let unknown = || format!("'{parameter}' is no parameter of it; ignored");
        let lower = parameter.to_ascii_lowercase();
        if let Some((name, value)) = lower.split_once('=') {
            match name.trim() {
                "granularity" | "gran" => self.granularity = Some(granularity(value.trim()).ok_or_else(unknown)?),
                "proclist" => self.processors = Some(processor_list(value).ok_or_else(unknown)?),
                _ => return Err(unknown()),
            }
        } else if let Some(switch) = self.switch(lower.strip_prefix("no").unwrap_or(&lower)) {
            *switch = !lower.starts_with("no");
        } else if lower.starts_with(|c: char| c.is_ascii_digit()) {
            let number: u32 = lower.parse().map_err(|_| unknown())?;
            if self.numbers.len() == 2 {
                return Err(format!("'{parameter}' is one number too many; ignored"));
            }
            self.numbers.push(number);
        } else {
            let strategy = word(&lower).ok_or_else(unknown)?;
            if *self.strategy.get_or_insert(strategy) != strategy {
                return Err(format!("'{parameter}' comes after another type; ignored"));
            }
        }
        Ok(())
    }

    /// Drops parameters that do not fit the type.
    fn reconcile(&mut self, complaints: &mut Vec<String>) {
        match (self.strategy, &self.processors) {
            (None, Some(_)) => self.strategy = Some(Strategy::Explicit),
            (Some(Strategy::Explicit), None) => {
                complaints.push(String::from("'explicit' needs a proclist; threads are not bound"));
                self.strategy = Some(Strategy::None);
            }
            (Some(strategy), Some(_)) if strategy != Strategy::Explicit => {
                complaints.push(String::from("'proclist' goes with the type 'explicit' only; ignored"));
                self.processors = None;
            }
            _ => {}
        }
        let takes = match self.strategy {
            Some(Strategy::Compact | Strategy::Scatter | Strategy::Balanced) => 2,
            Some(Strategy::Logical | Strategy::Physical) => 1,
            _ => 0,
        };
        if self.numbers.len() > takes {
            complaints.push(format!("'{}' is a number that its type has no use for; ignored", self.numbers[takes]));
            self.numbers.truncate(takes);
        }
    }
}

/// The parameters between the commas that stand outside of brackets.
fn parameters(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    text.split(move |c| {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    })
    .map(str::trim)
    .filter(|parameter| !parameter.is_empty())
}

words! {
    Strategy: "none" => Strategy::None, "disabled" => Strategy::Disabled, "compact" => Strategy::Compact,
        "scatter" => Strategy::Scatter, "balanced" => Strategy::Balanced, "explicit" => Strategy::Explicit,
        "logical" => Strategy::Logical, "physical" => Strategy::Physical;
}

fn granularity(word: &str) -> Option<Granularity> {
    Some(Granularity::Of(match word {
        "core_type" => Grouping::CoreKinds,
        "core_eff" | "core_efficiency" => Grouping::CoreEfficiencies,
        _ if word.bytes().all(|b| b.is_ascii_digit()) => return word.parse().ok().map(Granularity::Levels),
        _ => Grouping::Layer(Layer::of_granularity(word)?),
    }))
}

/// `[item,item,…]`. An item is a CPU, a range `first-last[:stride]`, each CPU of which is a place, or `{cpu,cpu,…}`,
/// which is one place. White space divides items as commas do.
fn processor_list(text: &str) -> Option<Vec<Vec<u32>>> {
    let mut scan = Scanner::new(text);
    let mut places = Vec::new();
    scan.eat("[").then_some(())?;
    let more = |scan: &mut Scanner| scan.eat(",") || matches!(scan.peek(), Some('0'..='9' | '{'));
    scan.list_while(more, |scan| {
        if scan.eat("{") {
            let more = |scan: &mut Scanner| scan.eat(",") || matches!(scan.peek(), Some('0'..='9'));
            places.push(sorted(scan.list_while(more, cpu)?));
            scan.eat("}").then_some(())?;
        } else {
            let first = natural(scan)?;
            let last = if scan.eat("-") { natural(scan)? } else { first };
            let stride = if scan.eat(":") { integer(scan)? } else { 1 };
            if stride == 0 || (last - first) * stride.signum() < 0 {
                return None;
            }
            for step in 0..=(last - first) / stride {
                places.push(vec![as_cpu(first + step * stride)?]);
            }
        }
        (places.len() as i64 <= LIMIT).then_some(())
    })?;
    (scan.eat("]") && scan.at_end()).then_some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(text: &str) -> KmpAffinity {
        let (affinity, complaints) = KmpAffinity::parse(text);
        assert_eq!(complaints, [""; 0], "{text}");
        affinity
    }

    #[test]
    fn types_and_numbers() {
        assert_eq!(good("compact"), KmpAffinity { strategy: Some(Strategy::Compact), ..Default::default() });
        let scatter = good(" Scatter , 1 , 2 ");
        assert_eq!((scatter.strategy, scatter.numbers), (Some(Strategy::Scatter), vec![1, 2]));
        assert_eq!(good("").strategy, None);
    }

    #[test]
    fn modifiers() {
        let affinity = good("verbose,nowarnings,norespect,reset,nodups,granularity=fine,balanced");
        let expected = KmpAffinity {
            strategy: Some(Strategy::Balanced),
            verbose: true,
            warnings: false,
            respect: false,
            reset: true,
            duplicates: false,
            granularity: Some(Granularity::Of(Grouping::Layer(Layer::Thread))),
            ..Default::default()
        };
        assert_eq!(affinity, expected);
        assert_eq!(good("gran = 2,compact").granularity, Some(Granularity::Levels(2)));
        assert_eq!(good("granularity=core_type").granularity, Some(Granularity::Of(Grouping::CoreKinds)));
        assert_eq!(good("verbose").strategy, None);
    }

    #[test]
    fn in_full() {
        assert_eq!(good("").describe(), "noverbose,warnings,respect,noreset,granularity=core,duplicates,default");
        let text = "verbose,nowarnings,norespect,reset,granularity=l2_cache,noduplicates,scatter,1,2";
        assert_eq!(good(text).describe(), text);
        assert!(good("proclist=[3,{1,2}],explicit").describe().ends_with("proclist=[{3},{1-2}],explicit"));
    }

    #[test]
    fn lists_of_processors() {
        let processors = |text: &str| good(text).processors.unwrap();
        assert_eq!(processors("explicit,proclist=[3,0-2,{4,5}]"), [vec![3], vec![0], vec![1], vec![2], vec![4, 5]]);
        assert_eq!(processors("proclist=[6-0:-3],explicit"), [[6], [3], [0]]);
        assert_eq!(processors("granularity=fine,proclist=[0 2-6:2],explicit,verbose"), [[0], [2], [4], [6]]);
        assert_eq!(good("proclist=[1]").strategy, Some(Strategy::Explicit));
    }

    #[test]
    fn what_makes_no_sense_is_named_and_left_out() {
        for (text, culprit) in [
            ("compact,foo", "'foo'"),
            ("granularity=atom,compact", "'granularity=atom'"),
            ("compact,1,2,3", "'3'"),
            ("compact,99999999999", "'99999999999'"),
            ("none,3", "'3'"),
            ("proclist=[1-0],none", "'proclist=[1-0]'"),
            ("proclist=[0-8:0]", "'proclist=[0-8:0]'"),
            ("proclist=[{0,1]", "'proclist=[{0,1]'"),
            ("proclist=[0],compact", "'proclist'"),
            ("explicit", "'explicit'"),
            ("compact,scatter", "'scatter'"),
            ("compact=3", "'compact=3'"),
        ] {
            let (_, complaints) = KmpAffinity::parse(text);
            assert_eq!(complaints.len(), 1, "{text}: {complaints:?}");
            assert!(complaints[0].starts_with(culprit), "{text}: {complaints:?}");
        }
        assert_eq!(KmpAffinity::parse("explicit").0.strategy, Some(Strategy::None));
        assert_eq!(KmpAffinity::parse("compact,foo").0.strategy, Some(Strategy::Compact));
    }
}
