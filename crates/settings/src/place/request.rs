//! The environment's requests about affinity, and the precedence of the variables (OpenMP 5.1 §6.4, §6.5, §6.13,
//! §6.14).
//!
//! `KMP_AFFINITY` with a type stands above all other variables, as in clang's runtime. With modifiers alone, it
//! combines with them. `OMP_PLACES` stands above `GOMP_CPU_AFFINITY`, as in gcc's runtime. `OMP_PROC_BIND` says whether
//! and how threads use the places. If it is not set, threads are bound where there are places.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::bind::Bind;
use super::kmp::{KmpAffinity, Strategy};
use super::layer::{Grouping, Layer};
use super::spec::PlacesSpec;
use super::subset::Subset;
use crate::environment::{Reader, with_defaults, word, words};

/// What the place list is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Places {
    /// No variable requests places.
    None,
    /// `OMP_PLACES`.
    Listed(PlacesSpec),
    /// `GOMP_CPU_AFFINITY`: threads take the places in the list's order.
    InTurn(PlacesSpec),
    /// The type in `KMP_AFFINITY`.
    Kmp,
}

with_defaults! {
    /// The environment's requests about affinity.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct Request {
        /// bind-var: an element a nesting level, at least one.
        pub bind: Vec<Bind> = Vec::new(),
        pub places: Places = Places::None,
        /// `NAME='value'` of the variable that `places` comes from, for messages.
        pub origin: String = String::new(),
        /// `KMP_AFFINITY`; the defaults where it is not set.
        pub kmp: KmpAffinity = KmpAffinity::default(),
        /// `KMP_HW_SUBSET`, and `NAME='value'` for messages.
        pub subset: Option<(Subset, String)> = None,
        /// `KMP_TOPOLOGY_METHOD=flat`: every CPU a core.
        pub flat: bool = false,
        /// `KMP_TEAMS_PROC_BIND`: the policy for the initial threads of a league.
        pub teams: Bind = Bind::Spread,
        /// `OMP_DISPLAY_AFFINITY`.
        pub display: bool = false,
        /// `OMP_AFFINITY_FORMAT`: the initial value of affinity-format-var.
        pub format: Vec<u8> = DEFAULT_FORMAT.to_vec(),
        /// `FERROMP_FSROOT`: a folder that stands for `/` where the machine's description is read.
        pub root: Option<PathBuf> = None,
    }
}

impl Request {
    /// Whether threads are bound in some region.
    pub fn binds(&self) -> bool {
        self.bind.iter().any(|&bind| bind != Bind::False)
    }

    /// Whether threads that are bound to no place still get other CPUs than their initial ones.
    pub fn confines(&self) -> bool {
        self.subset.is_some() || !self.kmp.respect
    }

    /// Whether the places are all cores, by request or in place of a value that cannot be read.
    pub fn asks_for_cores(&self) -> bool {
        self.places == Places::Listed(DEFAULT)
    }

    /// The value of `KMP_HW_SUBSET`; empty where the variable is not set.
    pub fn subset_text(&self) -> &str {
        self.subset
            .as_ref()
            .and_then(|(_, origin)| origin.split_once('='))
            .map_or("", |(_, text)| text.trim_matches('\''))
    }
}

/// The default of affinity-format-var. The text is that of clang's runtime, so that scripts can read the output of
/// both.
const DEFAULT_FORMAT: &[u8] = b"OMP: pid %P tid %i thread %n bound to OS proc set {%A}";

/// The places of threads that are bound where no places were requested.
pub const DEFAULT: PlacesSpec =
    PlacesSpec::Abstract { grouping: Grouping::Layer(Layer::Core), only: None, count: None, stride: 1 };

/// Reads the variables. `secure`: the environment names no folders.
pub fn read(env: &mut Reader, secure: bool) -> Request {
    let format = env.raw("OMP_AFFINITY_FORMAT").filter(|format| !format.is_empty());
    let mut request = Request {
        kmp: read_kmp(env),
        subset: read_subset(env),
        flat: read_method(env),
        teams: read_teams(env),
        display: env.flag("OMP_DISPLAY_AFFINITY").unwrap_or(false),
        format: format.map_or(DEFAULT_FORMAT, |format| format.as_bytes()).to_vec(),
        root: env.raw("FERROMP_FSROOT").filter(|value| !secure && !value.is_empty()).map(PathBuf::from),
        ..Request::default()
    };
    request.bind = match request.kmp.strategy {
        Some(strategy) => {
            refuse_rivals(env, request.kmp.warnings);
            request.origin = env.origin("KMP_AFFINITY");
            if matches!(strategy, Strategy::None | Strategy::Disabled) {
                vec![Bind::False]
            } else {
                request.places = Places::Kmp;
                vec![Bind::True]
            }
        }
        None => {
            if let Some((places, origin)) = read_places(env) {
                request.places = places;
                request.origin = origin;
            }
            let implied = if request.places == Places::None { Bind::False } else { Bind::True };
            let what = "true, false or a list of primary, close and spread";
            env.get_for_host("OMP_PROC_BIND", what, "the default", proc_bind).unwrap_or_else(|| vec![implied])
        }
    };
    request
}

fn read_kmp(env: &mut Reader) -> KmpAffinity {
    let Some(text) = env.text("KMP_AFFINITY") else { return KmpAffinity::default() };
    let (affinity, complaints) = KmpAffinity::parse(&text);
    if affinity.warnings {
        for complaint in complaints {
            env.complain("KMP_AFFINITY", &complaint);
        }
    }
    affinity
}

/// A complaint about each variable that `KMP_AFFINITY` overrides.
fn refuse_rivals(env: &mut Reader, warnings: bool) {
    for name in ["OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"] {
        if warnings && env.text(name).is_some() {
            env.complain(name, "ignored, as KMP_AFFINITY says how threads are bound");
        }
    }
}

fn read_places(env: &mut Reader) -> Option<(Places, String)> {
    let (places, cpus) = ("OMP_PLACES", "GOMP_CPU_AFFINITY");
    let what = "a list of places such as 'cores' or '{0:2},{2:2}'";
    if let Some(spec) = env.get_for_host(places, what, "cores", PlacesSpec::parse) {
        return Some((Places::Listed(spec), env.origin(places)));
    }
    if env.text(places).is_some() {
        return Some((Places::Listed(DEFAULT), env.origin(places)));
    }
    let spec = env.get(cpus, "a list of CPUs such as '0 2-3'", "the default", PlacesSpec::parse_cpu_list)?;
    Some((Places::InTurn(spec), env.origin(cpus)))
}

fn read_subset(env: &mut Reader) -> Option<(Subset, String)> {
    ["KMP_HW_SUBSET", "KMP_PLACE_THREADS"].into_iter().find_map(|name| {
        let subset = env.get(name, "a list of units such as '2s,4c,1t'", "the whole machine", Subset::parse)?;
        Some((subset, env.origin(name)))
    })
}

/// `KMP_TOPOLOGY_METHOD`: whether the machine is assumed to be flat. All other methods of clang's runtime find what
/// `/sys` says, and are the same here.
fn read_method(env: &mut Reader) -> bool {
    let what = "one of all, hwloc, cpuid_leaf31, cpuid_leaf11, cpuid_leaf4, cpuinfo and flat";
    env.get("KMP_TOPOLOGY_METHOD", what, "/sys", |text| {
        let word: String = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase();
        match word.as_str() {
            "flat" => Some(true),
            "all" | "hwloc" | "cpuinfo" | "proccpuinfo" | "group" => Some(false),
            "x2apicid" | "apicid" | "cpuid" | "cpuid31" | "cpuid11" | "cpuid4" | "leaf31" | "leaf11" | "leaf4" => {
                Some(false)
            }
            "cpuidleaf31" | "cpuidleaf11" | "cpuidleaf4" | "cpuid1f" | "cpuidleaf1f" | "leaf1f" => Some(false),
            _ => None,
        }
    })
    .unwrap_or(false)
}

fn read_teams(env: &mut Reader) -> Bind {
    let one = |text: &str| word(text).filter(|bind| *bind != Bind::True);
    env.get("KMP_TEAMS_PROC_BIND", "one of false, primary, close and spread", "spread", one).unwrap_or(Bind::Spread)
}

words! {
    // `OMP_PROC_BIND` (OpenMP 5.1 §6.4).
    Bind: "primary" | "master" => Bind::Primary, "close" => Bind::Close, "spread" => Bind::Spread,
        "true" | "1" => Bind::True, "false" | "0" => Bind::False;
}

/// `true`, `false`, or a comma-separated list of `primary`, `master`, `close` and `spread` (`OMP_PROC_BIND`, OpenMP 5.1
/// §6.4).
pub fn proc_bind(text: &str) -> Option<Vec<Bind>> {
    let list: Vec<Bind> = text.split(',').map(word).collect::<Option<_>>()?;
    let alone = list.iter().any(|bind| matches!(bind, Bind::True | Bind::False));
    (!alone || list.len() == 1).then_some(list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::Environment;
    use std::ffi::OsString;

    fn from(variables: &[(&str, &str)]) -> (Request, Vec<Bind>, Vec<String>) {
        let environment =
            Environment::of(variables.iter().map(|(name, value)| (name.to_string(), OsString::from(value))));
        let mut reader = Reader::new(&environment);
        let request = read(&mut reader, false);
        let bind = request.bind.clone();
        (request, bind, reader.notes.complaints)
    }

    #[test]
    fn nothing_is_asked_for() {
        let (request, bind, complaints) = from(&[]);
        assert_eq!((request.places, bind, complaints.len()), (Places::None, vec![Bind::False], 0));
        assert!(!request.display && !request.flat && request.format == DEFAULT_FORMAT && request.subset.is_none());
    }

    #[test]
    fn places_bring_binding() {
        for (variables, expected) in [
            ([("OMP_PLACES", "cores"), ("X", "")], Bind::True),
            ([("GOMP_CPU_AFFINITY", "0-1"), ("X", "")], Bind::True),
            ([("OMP_PLACES", "cores"), ("OMP_PROC_BIND", "false")], Bind::False),
            ([("OMP_PLACES", "{0"), ("OMP_PROC_BIND", "spread")], Bind::Spread),
            ([("OMP_PLACES", "{0"), ("X", "")], Bind::True),
            ([("GOMP_CPU_AFFINITY", "a"), ("X", "")], Bind::False),
        ] {
            assert_eq!(from(&variables).1, [expected], "{variables:?}");
        }
    }

    #[test]
    fn a_bad_place_list_gives_cores() {
        let (request, _, complaints) = from(&[("OMP_PLACES", "{0"), ("GOMP_CPU_AFFINITY", "0")]);
        assert_eq!(request.places, Places::Listed(DEFAULT));
        assert_eq!(
            complaints,
            ["ferromp: OMP_PLACES='{0': not a list of places such as 'cores' or '{0:2},{2:2}'; using cores\n"]
        );
    }

    #[test]
    fn openmp_stands_above_gcc() {
        let (request, ..) = from(&[("OMP_PLACES", "threads"), ("GOMP_CPU_AFFINITY", "0")]);
        assert_eq!(request.origin, "OMP_PLACES='threads'");
    }

    #[test]
    fn a_type_of_kmp_affinity_stands_above_all() {
        let rivals = [("OMP_PROC_BIND", "close"), ("OMP_PLACES", "cores"), ("GOMP_CPU_AFFINITY", "0")];
        let with = |value| [&rivals[..], &[("KMP_AFFINITY", value)]].concat();
        let (request, bind, complaints) = from(&with("scatter"));
        assert_eq!((request.places, bind), (Places::Kmp, vec![Bind::True]));
        assert_eq!(complaints.len(), 3);
        assert!(complaints.iter().all(|line| line.contains("ignored, as KMP_AFFINITY")), "{complaints:?}");
        let (request, bind, _) = from(&with("none"));
        assert_eq!((request.places, bind), (Places::None, vec![Bind::False]));
        let (request, bind, complaints) = from(&with("verbose"));
        assert!(matches!(request.places, Places::Listed(_)) && bind == [Bind::Close] && complaints.is_empty());
        assert!(from(&with("nowarnings,compact")).2.is_empty());
    }

    #[test]
    fn methods() {
        for method in ["all", "hwloc", "x2APIC id", "cpuid leaf 11", "cpuid_leaf4", "/proc/cpuinfo", "cpuinfo"] {
            let (request, _, complaints) = from(&[("KMP_TOPOLOGY_METHOD", method)]);
            assert!(!request.flat && complaints.is_empty(), "{method}");
        }
        assert!(from(&[("KMP_TOPOLOGY_METHOD", "Flat")]).0.flat);
        assert_eq!(from(&[("KMP_TOPOLOGY_METHOD", "guess")]).2.len(), 1);
    }

    #[test]
    fn the_rest() {
        let (request, ..) = from(&[
            ("OMP_DISPLAY_AFFINITY", "TRUE"),
            ("OMP_AFFINITY_FORMAT", " %n "),
            ("KMP_HW_SUBSET", "1s"),
            ("KMP_TEAMS_PROC_BIND", "Close"),
            ("FERROMP_FSROOT", "/x"),
        ]);
        assert!(request.display && request.subset.is_some());
        assert_eq!(request.teams, Bind::Close);
        assert_eq!(from(&[("KMP_TEAMS_PROC_BIND", "close,close")]).2.len(), 1);
        assert_eq!((request.format.as_slice(), request.root), (b" %n ".as_slice(), Some(PathBuf::from("/x"))));
    }
}
