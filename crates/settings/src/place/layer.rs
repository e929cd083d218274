//! The layers of a machine, one row each: their order, where `/sys` describes them, and the names that they have in
//! messages and in variables. Also the other properties by which CPUs can be grouped.

/// Something that CPUs share, from what is usually the coarsest to the finest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(usize)]
pub enum Layer {
    Socket,
    Numa,
    Die,
    L3,
    Module,
    L2,
    L1,
    Core,
    Thread,
    /// The cache of the highest level that each CPU has. Not a layer of the hierarchy, where the same cache is L3 or
    /// L2.
    LastLevelCache,
}

/// What kind of core a CPU belongs to, on machines with several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CoreKind {
    /// `/sys` describes no kinds.
    Unknown,
    IntelAtom,
    IntelCore,
}

/// A property by which CPUs are grouped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    Layer(Layer),
    /// All cores of a kind together (hybrid machines).
    CoreKinds,
    /// All cores that can do as much together (hybrid machines).
    CoreEfficiencies,
}

/// Which cores of a hybrid machine are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoreAttribute {
    /// `intel_core` or `intel_atom`.
    Kind(CoreKind),
    /// `eff0`, `eff1`, …: the kinds in ascending order of what they can do.
    Efficiency(u32),
}

impl CoreAttribute {
    pub fn parse(word: &str) -> Option<CoreAttribute> {
        Some(match word {
            "intel_core" => CoreAttribute::Kind(CoreKind::IntelCore),
            "intel_atom" => CoreAttribute::Kind(CoreKind::IntelAtom),
            _ => {
                let digits = word.strip_prefix("eff").filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))?;
                CoreAttribute::Efficiency(digits.parse().ok()?)
            }
        })
    }
}

/// The group of a CPU in a layer that `/sys` does not describe.
#[derive(Clone, Copy)]
pub enum Otherwise {
    /// All CPUs are one group.
    One,
    /// Each CPU is a group.
    Each,
    /// As in another layer.
    As(Layer),
}

pub struct Row {
    pub layer: Layer,
    /// Of two layers that group the CPUs alike, the one with the larger number gives the name.
    pub preference: u32,
    /// The singular and the plural in messages.
    pub names: (&'static str, &'static str),
    /// Files in a CPU's folder `topology` that list the CPUs of its group: the present name, then the older one.
    pub files: &'static [&'static str],
    pub otherwise: Otherwise,
    /// The names in `OMP_PLACES`. OpenMP has threads, cores, `ll_caches`, `numa_domains` and sockets.
    places: &'static [&'static str],
    /// The names behind `granularity=` in `KMP_AFFINITY`.
    granularities: &'static [&'static str],
    /// The names in `KMP_HW_SUBSET`, and how many of their letters must stand there.
    units: &'static [(&'static str, usize)],
}

/// Makes the table, a row a layer in the order of [`Layer`].
macro_rules! rows {
    ($($layer:ident $preference:literal $names:expr, files $files:expr, otherwise $otherwise:expr,
       places $places:expr, granularity $granularities:expr, subset $units:expr;)*) => {
        pub const ROWS: &[Row] = &[$(Row {
            layer: Layer::$layer,
            preference: $preference,
            names: $names,
            files: &$files,
            otherwise: $otherwise,
            places: &$places,
            granularities: &$granularities,
            units: &$units,
        }),*];
    };
}

rows! {
    Socket 9 ("socket", "sockets"), files ["package_cpus_list", "core_siblings_list"], otherwise Otherwise::One,
        places ["sockets"], granularity ["socket", "package"], subset [("sockets", 1), ("packages", 1)];
    Numa 6 ("NUMA domain", "NUMA domains"), files [], otherwise Otherwise::One,
        places ["numa_domains"], granularity ["numa", "numa_domain", "node"],
        subset [("numa_domains", 1), ("nodes", 2)];
    Die 5 ("die", "dies"), files ["die_cpus_list"], otherwise Otherwise::As(Layer::Socket),
        places ["dice", "dies"], granularity ["die"], subset [("dies", 1), ("dice", 3)];
    L3 3 ("L3 cache", "L3 caches"), files [], otherwise Otherwise::As(Layer::LastLevelCache),
        places ["l3_caches"], granularity ["l3", "l3_cache"], subset [];
    Module 4 ("module", "modules"), files ["cluster_cpus_list"], otherwise Otherwise::As(Layer::Core),
        places ["modules"], granularity ["module"], subset [("modules", 1)];
    L2 2 ("L2 cache", "L2 caches"), files [], otherwise Otherwise::As(Layer::Core),
        places ["tiles", "l2_caches"], granularity ["tile", "l2", "l2_cache"], subset [("tiles", 2)];
    L1 1 ("L1 cache", "L1 caches"), files [], otherwise Otherwise::As(Layer::Core),
        places ["l1_caches"], granularity ["l1", "l1_cache"], subset [];
    Core 8 ("core", "cores"), files ["core_cpus_list", "thread_siblings_list"], otherwise Otherwise::Each,
        places ["cores"], granularity ["core"], subset [("cores", 1)];
    Thread 7 ("thread", "threads"), files [], otherwise Otherwise::Each,
        places ["threads"], granularity ["fine", "thread"], subset [("threads", 1)];
    LastLevelCache 1 ("last-level cache", "last-level caches"), files [], otherwise Otherwise::As(Layer::Socket),
        places ["ll_caches"], granularity ["ll_cache"], subset [("ll_caches", 2), ("llcs", 2)];
}

/// How many layers there are.
pub const LAYERS: usize = ROWS.len();

impl Layer {
    /// Those that make up the hierarchy.
    pub fn hierarchy() -> impl Iterator<Item = Layer> {
        ROWS.iter().map(|row| row.layer).filter(|layer| *layer != Layer::LastLevelCache)
    }

    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// So many groups of the layer, in words.
    pub fn counted(self, count: usize) -> String {
        let (one, many) = self.row().names;
        format!("{count} {}", if count == 1 { one } else { many })
    }

    fn find(is: impl Fn(&Row) -> bool) -> Option<Layer> {
        ROWS.iter().find(|row| is(row)).map(|row| row.layer)
    }

    /// The layer of the caches of a level.
    pub fn of_cache(level: u32) -> Option<Layer> {
        [Layer::L1, Layer::L2, Layer::L3].get(level.checked_sub(1)? as usize).copied()
    }

    /// A layer by its name in `OMP_PLACES`.
    pub fn of_places(word: &str) -> Option<Layer> {
        Layer::find(|row| row.places.contains(&word))
    }

    /// A layer by its name in `KMP_AFFINITY`.
    pub fn of_granularity(word: &str) -> Option<Layer> {
        Layer::find(|row| row.granularities.contains(&word))
    }

    /// A layer by the beginning of its name in `KMP_HW_SUBSET`.
    pub fn of_unit(word: &str) -> Option<Layer> {
        let begins = |&(name, least): &(&str, usize)| word.len() >= least && name.starts_with(word);
        Layer::find(|row| row.units.iter().any(begins))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_layers() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.layer as usize, index);
        }
        assert_eq!(Layer::hierarchy().last(), Some(Layer::Thread));
    }

    #[test]
    fn no_two_layers_share_a_name() {
        let units = |row: &Row| row.units.iter().flat_map(|(name, least)| (*least..=name.len()).map(|n| &name[..n]));
        for row in ROWS {
            for word in units(row) {
                let of = |other: &&Row| units(other).any(|another| another == word);
                assert_eq!(ROWS.iter().filter(of).count(), 1, "{word}");
            }
        }
    }

    #[test]
    fn attributes() {
        assert_eq!(CoreAttribute::parse("intel_atom"), Some(CoreAttribute::Kind(CoreKind::IntelAtom)));
        assert_eq!(CoreAttribute::parse("eff12"), Some(CoreAttribute::Efficiency(12)));
        for bad in ["", "eff", "eff-1", "eff99999999999", "intel"] {
            assert_eq!(CoreAttribute::parse(bad), None, "{bad}");
        }
    }
}
