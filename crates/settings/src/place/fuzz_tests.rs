//! Random texts and machines: no value of a variable and no format panics or takes long, whatever is read is within
//! bounds, and what is chosen for the threads of a team follows the rules of OpenMP 5.1 §2.6.2.

use proptest::prelude::*;

use super::bind::{Bind, Fork, Partition};
use super::format::{Field, Value, expand};
use super::kmp::KmpAffinity;
use super::layer::Layer;
use super::layout::{self, Order, balanced_place};
use super::spec::PlacesSpec;
use super::subset::Subset;
use super::sysfs::{self, CPU_LIMIT, parse_list, show_list};
use super::testing::Root;
use super::topology::Topology;

/// Pieces of which texts are made, so that many of them nearly follow some grammar.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    "-",
    "+",
    "!",
    "=",
    "@",
    "*",
    "&",
    "x",
    " ",
    "0",
    "1",
    "2",
    "3",
    "7",
    "15",
    "64",
    "8191",
    "8192",
    "4294967296",
    "99999999999999999999",
    "threads",
    "cores",
    "sockets",
    "ll_caches",
    "numa_domains",
    "dice",
    "core_types",
    "compact",
    "scatter",
    "balanced",
    "explicit",
    "proclist=",
    "granularity=",
    "fine",
    "core",
    "verbose",
    "norespect",
    "none",
    "s",
    "c",
    "t",
    "n",
    "L2",
    "numa",
    "eff1",
    "intel_core",
    "%",
    "%{",
    "%0.",
    "thread_num}",
    "n",
    "A",
    "é",
    "\u{0}",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::collection::vec(prop::sample::select(PIECES), 0..14).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

/// A machine of one to eight sockets with cores, threads, caches and domains, some of its CPUs off.
fn machine() -> impl Strategy<Value = (Root, Vec<u32>)> {
    (1u32..5, 1u32..5, 1u32..4, any::<bool>(), any::<u64>()).prop_map(|(sockets, cores, threads, caches, off)| {
        let count = sockets * cores * threads;
        let all_cores = sockets * cores;
        let root = Root::empty();
        root.shared(count, "topology/core_cpus_list", |cpu| cpu % all_cores);
        root.shared(count, "topology/package_cpus_list", |cpu| cpu % all_cores / cores);
        if caches {
            root.cache(count, 2, 2, |cpu| cpu % all_cores / 2);
        }
        let mut available: Vec<u32> = (0..count).filter(|cpu| off >> (cpu % 64) & 1 == 1).collect();
        if available.is_empty() {
            available.push(count - 1);
        }
        (root, available)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn places_are_within_bounds(text in text()) {
        for spec in [PlacesSpec::parse(&text), PlacesSpec::parse_cpu_list(&text)].into_iter().flatten() {
            if let PlacesSpec::Explicit(places) = spec {
                prop_assert!(!places.is_empty() && places.len() <= CPU_LIMIT as usize);
                for place in places {
                    prop_assert!(!place.is_empty() && place.is_sorted() && *place.last().unwrap() < CPU_LIMIT);
                }
            }
        }
    }

    #[test]
    fn other_values_are_read_or_refused(text in text()) {
        let (affinity, complaints) = KmpAffinity::parse(&text);
        prop_assert!(affinity.numbers.len() <= 2);
        prop_assert!(complaints.iter().all(|line| !line.is_empty()));
        // What is shown is read as the same again.
        let shown = affinity.describe();
        let again = KmpAffinity::parse(shown.trim_end_matches(",default")).0;
        prop_assert_eq!(again.describe(), shown);
        let _ = Subset::parse(&text);
        let _ = parse_list(&text);
    }

    #[test]
    fn formats_are_expanded(text in text(), width in 0usize..100) {
        let fields: [Field<i64>; 1] = [("thread_num", b'n', |number| Value::Number(*number))];
        let plain = expand(text.as_bytes(), &fields, &7);
        prop_assert!(plain.len() <= (1 << 16) * (text.len() + 1));
        let field = expand(format!("%.{width}n").as_bytes(), &fields, &-12345);
        prop_assert_eq!(field.len(), width.max(6));
    }

    #[test]
    fn lists_come_back(cpus in prop::collection::btree_set(0u32..2000, 0..60)) {
        let cpus: Vec<u32> = cpus.into_iter().collect();
        prop_assert_eq!(parse_list(&show_list(&cpus)), cpus);
    }

    #[test]
    fn teams_follow_the_rules(first in 0u32..9, count in 1u32..40, primary in 0u32..40, nthreads in 1u32..90) {
        let primary = first + primary % count;
        let partition = Partition { first, count };
        for policy in [Bind::Primary, Bind::Close, Bind::Spread] {
            let fork = Fork { policy, primary_place: primary as i32, partition, nthreads };
            let team: Vec<(i32, Partition)> = (0..nthreads).map(|tid| fork.place_of(tid)).collect();
            prop_assert_eq!(team[0].0, primary as i32);
            let mut load = vec![0u32; count as usize];
            for (place, part) in &team {
                let place = *place as u32;
                prop_assert!(place >= first && place < first + count);
                prop_assert!(place >= part.first && place < part.first + part.count);
                prop_assert!(part.first >= first && part.first + part.count <= first + count);
                load[(place - first) as usize] += 1;
            }
            if policy != Bind::Primary {
                let (least, most) = (nthreads / count, nthreads.div_ceil(count));
                prop_assert!(load.iter().all(|n| *n >= least && *n <= most), "{:?}", load);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn machines_are_laid_out((root, available) in machine(), kmp in text(), spec in text(), subset in text()) {
        let topology = Topology::read(root.path(), &available);
        prop_assert_eq!(topology.cpus.len(), available.len());
        for layer in Layer::hierarchy() {
            let mut cpus: Vec<u32> = topology.groups(layer).concat();
            cpus.sort_unstable();
            prop_assert_eq!(&cpus, &available, "every CPU is in one group of {:?}", layer);
        }
        prop_assert!(!topology.describe().is_empty());
        for affinity in [kmp.as_str(), "compact", "scatter,1", "granularity=2,compact,1,5", "balanced", "physical"] {
            let layout = layout::of_kmp(&KmpAffinity::parse(affinity).0, &topology);
            let inside = layout.places.iter().flatten().all(|cpu| available.contains(cpu));
            prop_assert!(inside && layout.places.iter().all(|place| !place.is_empty()));
            if let Order::Balanced { cores } = layout.order {
                for nthreads in [1, 2, 7, 40] {
                    let all = (0..nthreads).all(|tid| balanced_place(&cores, nthreads, tid).is_some());
                    prop_assert!(all);
                }
            }
        }
        if let Some(spec) = PlacesSpec::parse(&spec) {
            let places = layout::of_spec(&spec, &topology).places;
            prop_assert!(!places.is_empty() && places.iter().flatten().all(|cpu| available.contains(cpu)));
        }
        if let Some(Ok(part)) = Subset::parse(&subset).map(|subset| subset.apply(&topology)) {
            prop_assert!(!part.cpus.is_empty());
        }
        let _ = sysfs::online(root.path());
    }
}
