//! The machine as this process may use it, read once: the CPUs, what they share, and the place list made of them.

use super::bind::Partition;
use super::in_force;
use super::kernel::{self, Place};
use crate::shown;
use crate::{stderr, warnings};
use std::path::PathBuf;
use std::sync::OnceLock;

use super::layout::{self, Layout, Order};
use super::request::{self, Places, Request};
use super::spec::PlacesSpec;
use super::sysfs::{self, show_list};
use super::topology::Topology;

/// The CPUs that the process may use.
#[derive(Debug)]
pub struct Machine {
    /// The part of the machine that `KMP_HW_SUBSET` leaves, if the variable is set.
    pub topology: Topology,
    /// All CPUs that the process may use, ascending.
    pub cpus: Vec<u32>,
    /// One more than the largest number of a CPU that is online.
    pub numbers: u32,
    /// The description is another machine's, to whose CPUs no thread can be bound.
    pub made_up: bool,
}

/// The place list, and how threads use the list where no policy is given.
#[derive(Debug)]
pub struct PlaceList {
    pub places: Vec<Place>,
    pub order: Order,
}

/// The machine. The first call reads its description.
pub fn machine() -> &'static Machine {
    static MACHINE: OnceLock<Machine> = OnceLock::new();
    MACHINE.get_or_init(|| {
        let request = in_force::request();
        let (machine, complaints) = look(request);
        complaints.iter().for_each(|line| warnings::warn(line));
        if request.kmp.verbose {
            report(&format!("the process may use CPUs {}", show_list(&machine.cpus)));
            let source = if request.flat { "assumed flat" } else { "from /sys" };
            report(&format!("topology {source}: {}", machine.topology.describe()));
        }
        if request.root.is_some() {
            shown::show_num_procs(machine.cpus.len());
        }
        machine
    })
}

/// How many places an abstract name makes of the machine that the request describes; `None` if `name` is no such name.
/// Complaints about the machine come from [`machine`], which reads the same description.
pub fn number_of_places(request: &Request, name: &str) -> Option<usize> {
    let spec = PlacesSpec::parse_name(name)?;
    Some(layout::of_spec(&spec, &look(request).0.topology).places.len())
}

/// Prints a line of what `KMP_AFFINITY=verbose` shows.
pub fn report(text: &str) {
    stderr::write_stderr(&format!("ferromp: KMP_AFFINITY: {text}\n"));
}

fn look(request: &Request) -> (Machine, Vec<String>) {
    let root = request.root.clone().unwrap_or_else(|| PathBuf::from("/"));
    let made_up = request.root.is_some();
    let online = sysfs::online(&root);
    let mut cpus = match (made_up, request.kmp.respect) {
        (false, true) => kernel::of_process().to_vec(),
        (true, true) => {
            let allowed = sysfs::allowed(&root).unwrap_or_else(|| online.clone());
            allowed.into_iter().filter(|cpu| online.contains(cpu)).collect()
        }
        (_, false) => online.clone(),
    };
    let mut complaints = Vec::new();
    if cpus.is_empty() {
        cpus = if made_up { vec![0] } else { kernel::of_process().to_vec() };
        if made_up {
            complaints.push(format!("ferromp: FERROMP_FSROOT='{}': tells of no CPU; using one\n", root.display()));
        }
    }
    let whole = if request.flat { Topology::flat(&cpus) } else { Topology::read(&root, &cpus) };
    let topology = match &request.subset {
        None => whole,
        Some((subset, origin)) => subset.apply(&whole).unwrap_or_else(|why| {
            complaints.push(format!("ferromp: {origin}: {why}; using the whole machine\n"));
            whole
        }),
    };
    let cpus = topology.numbers();
    let numbers = online.iter().chain(&cpus).max().map_or(1, |cpu| cpu + 1);
    (Machine { topology, cpus, numbers, made_up }, complaints)
}

/// The places. Empty where neither places nor binding were requested.
pub fn places() -> &'static [Place] {
    &place_list().places
}

impl Partition {
    /// The whole place list.
    pub fn all() -> Partition {
        Partition { first: 0, count: places().len() as u32 }
    }
}

/// The place list, made on the first call: the requested places, else cores where binding was requested, else none.
/// CPUs that the process may not use are left out.
pub fn place_list() -> &'static PlaceList {
    static PLACES: OnceLock<PlaceList> = OnceLock::new();
    PLACES.get_or_init(|| {
        let request = in_force::request();
        let (list, complaints) = lay_out(request, || &machine().topology);
        complaints.iter().for_each(|line| warnings::warn(line));
        if request.kmp.verbose && !list.places.is_empty() {
            let places: Vec<String> =
                list.places.iter().map(|place| format!("{{{}}}", show_list(&place.cpus))).collect();
            report(&format!("places {}", places.join(",")));
        }
        show_places(&list.places);
        list
    })
}

fn lay_out<'a>(request: &Request, topology: impl FnOnce() -> &'a Topology) -> (PlaceList, Vec<String>) {
    let layout = match &request.places {
        Places::None if !request.binds() => Layout { places: Vec::new(), order: Order::Spread, complaints: Vec::new() },
        Places::None => layout::of_spec(&request::DEFAULT, topology()),
        Places::Listed(spec) => layout::of_spec(spec, topology()),
        Places::InTurn(spec) => Layout { order: Order::Close, ..layout::of_spec(spec, topology()) },
        Places::Kmp => layout::of_kmp(&request.kmp, topology()),
    };
    let wanted = request.kmp.warnings || request.places != Places::Kmp;
    let complaints = layout.complaints.iter().filter(|_| wanted);
    let complaints = complaints.map(|what| format!("ferromp: {}: {what}\n", request.origin)).collect();
    (PlaceList { places: layout.places.into_iter().map(Place::new).collect(), order: layout.order }, complaints)
}

/// Shows the place list to debuggers as runs of CPUs.
fn show_places(places: &[Place]) {
    let ends = places.iter().scan(0, |end, place| {
        *end += place.cpus.len() as u32;
        Some(*end)
    });
    shown::PROCESS.show_places(places.iter().flat_map(|place| &place.cpus).copied().collect(), ends.collect());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::environment::{Environment, Reader};
    use crate::place::testing::Root;
    use std::ffi::OsString;

    /// The CPUs and places of a made-up machine in a made-up environment, and what is said about them.
    fn on(root: &Root, variables: &[(&str, &str)]) -> (Vec<u32>, Vec<Vec<u32>>, Vec<String>) {
        let path = root.path().to_str().unwrap();
        let root = [("FERROMP_FSROOT", path)];
        let variables = variables.iter().chain(&root);
        let environment = Environment::of(variables.map(|(name, value)| (name.to_string(), OsString::from(value))));
        let mut reader = Reader::new(&environment);
        let request = request::read(&mut reader, false);
        assert_eq!(reader.notes.complaints, [""; 0]);
        let (machine, mut complaints) = look(&request);
        let (list, more) = lay_out(&request, || &machine.topology);
        complaints.extend(more);
        (machine.cpus.clone(), list.places.into_iter().map(|place| place.cpus).collect(), complaints)
    }

    fn places(root: &Root, variables: &[(&str, &str)]) -> Vec<Vec<u32>> {
        let (_, places, complaints) = on(root, variables);
        assert_eq!(complaints, [""; 0]);
        places
    }

    #[test]
    fn nothing_is_asked_for() {
        let root = Root::two_sockets();
        assert_eq!(on(&root, &[]), ((0..8).collect(), vec![], vec![]));
        assert_eq!(places(&root, &[("OMP_PROC_BIND", "close")]), [[0, 4], [1, 5], [2, 6], [3, 7]]);
    }

    #[test]
    fn abstract_names() {
        let root = Root::two_by_two();
        let named = |value| places(&root, &[("OMP_PLACES", value)]);
        assert_eq!(named("threads(3)"), [[0], [16], [1]]);
        assert_eq!(named("cores").len(), 16);
        assert_eq!(named("threads(3:2)"), [[0], [1], [2]]);
        assert_eq!(named("cores(9:5)"), [[0, 16], [5, 21], [10, 26], [15, 31]]);
        assert_eq!(named("sockets")[1], [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]);
        assert_eq!(named("numa_domains(2)"), [[0, 1, 2, 3, 16, 17, 18, 19], [4, 5, 6, 7, 20, 21, 22, 23]]);
        assert_eq!(named("ll_caches").len(), 2);
        let root = Root::many_caches();
        assert_eq!(places(&root, &[("OMP_PLACES", "ll_caches(2)")]), [[0, 1], [2, 3]]);
        assert_eq!(places(&root, &[("OMP_PLACES", "dice")])[3], [12, 13, 14, 15]);
    }

    #[test]
    fn hybrid_names() {
        let root = Root::hybrid();
        assert_eq!(places(&root, &[("OMP_PLACES", "cores:intel_core")]), [[0, 1], [2, 3]]);
        assert_eq!(places(&root, &[("OMP_PLACES", "core_types")]), [[0, 1, 2, 3], [4, 5, 6, 7]]);
        let (_, places, complaints) = on(&root, &[("OMP_PLACES", "cores:eff7")]);
        assert_eq!((places.len(), complaints.len()), (6, 1));
    }

    #[test]
    fn a_layer_that_is_not_told_of() {
        let root = Root::empty();
        root.file("sys/devices/system/cpu/online", "0-2\n");
        let (_, places, complaints) = on(&root, &[("OMP_PLACES", "ll_caches")]);
        assert_eq!(places, [[0, 1, 2]]);
        assert_eq!(
            complaints,
            ["ferromp: OMP_PLACES='ll_caches': this machine tells of no last-level caches; using sockets\n"]
        );
    }

    #[test]
    fn unavailable_cpus_are_left_out() {
        let root = Root::two_sockets();
        root.file("proc/self/status", "Cpus_allowed_list:\t0-2\n");
        let (cpus, places, complaints) = on(&root, &[("OMP_PLACES", "{0:2},{2:2},{4}")]);
        assert_eq!((cpus, places), (vec![0, 1, 2], vec![vec![0, 1], vec![2]]));
        assert_eq!(
            complaints,
            ["ferromp: OMP_PLACES='{0:2},{2:2},{4}': CPU 3 is not available; using those that are\n"]
        );
        let (_, places, complaints) = on(&root, &[("GOMP_CPU_AFFINITY", "7")]);
        assert_eq!(places, [[0], [1], [2]]);
        assert!(complaints[0].contains("CPU 7 is not available; using cores"), "{complaints:?}");
        assert_eq!(on(&root, &[("KMP_AFFINITY", "norespect,compact")]).0, (0..8).collect::<Vec<_>>());
    }

    #[test]
    fn kmp_types() {
        let root = Root::two_sockets();
        let first = |value: &str, count: usize| -> Vec<Vec<u32>> {
            places(&root, &[("KMP_AFFINITY", value)]).into_iter().take(count).collect()
        };
        assert_eq!(first("granularity=fine,compact", 8), [[0], [4], [1], [5], [2], [6], [3], [7]]);
        assert_eq!(first("compact", 3), [[0, 4], [0, 4], [1, 5]]);
        assert_eq!(first("compact,nodups", 9), [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(first("granularity=fine,scatter", 8), [[0], [2], [1], [3], [4], [6], [5], [7]]);
        assert_eq!(first("granularity=fine,compact,1", 8), [[0], [1], [2], [3], [4], [5], [6], [7]]);
        assert_eq!(first("granularity=socket,nodups,compact", 9), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(first("granularity=2,nodups,compact", 9), [[0, 1, 4, 5], [2, 3, 6, 7]]);
        assert_eq!(first("granularity=fine,physical", 4), [[0], [1], [2], [3]]);
        assert_eq!(
            first("granularity=fine,proclist=[7,{0,3},1-2],explicit", 9),
            [vec![7], vec![0, 3], vec![1], vec![2]]
        );
        assert_eq!(first("proclist=[7],explicit", 9), [[3, 7]]);
        assert_eq!(first("balanced", 9), [[0, 4], [1, 5], [2, 6], [3, 7]]);
    }

    #[test]
    fn offsets_and_orders() {
        let order = |value: &str| {
            let (affinity, _) = super::super::kmp::KmpAffinity::parse(value);
            layout::of_kmp(&affinity, &Topology::read(Root::two_sockets().path(), &(0..8).collect::<Vec<_>>())).order
        };
        assert_eq!(order("compact,0,3"), Order::ByThread { offset: 3 });
        assert_eq!(order("logical,3"), Order::ByThread { offset: 6 });
        assert_eq!(order("physical,3"), Order::ByThread { offset: 3 });
        assert_eq!(order("balanced"), Order::Balanced { cores: vec![vec![0, 0], vec![1, 1], vec![2, 2], vec![3, 3]] });
    }

    #[test]
    fn a_processor_that_is_not_there() {
        let root = Root::two_sockets();
        let (_, places, complaints) = on(&root, &[("KMP_AFFINITY", "granularity=fine,proclist=[1,77],explicit")]);
        assert_eq!(places, [[1]]);
        assert!(complaints[0].contains("CPU 77 is not available; using those that are"), "{complaints:?}");
        let (_, places, complaints) = on(&root, &[("KMP_AFFINITY", "nowarnings,proclist=[77],explicit")]);
        assert!(places.is_empty() && complaints.is_empty());
    }

    #[test]
    fn subsets() {
        let root = Root::two_by_two();
        let (cpus, places, complaints) = on(&root, &[("KMP_HW_SUBSET", "1s@1,2c,1t"), ("OMP_PLACES", "cores")]);
        assert_eq!((cpus, places, complaints.len()), (vec![8, 9], vec![vec![8], vec![9]], 0));
        let (cpus, _, complaints) = on(&root, &[("KMP_HW_SUBSET", "5s")]);
        assert_eq!(cpus.len(), 32);
        let line = "ferromp: KMP_HW_SUBSET='5s': 5 sockets are asked for, and there are 2; using the whole machine\n";
        assert_eq!(complaints, [line]);
    }

    #[test]
    fn an_empty_folder_is_named() {
        let root = Root::empty();
        let (cpus, places, complaints) = on(&root, &[("OMP_PLACES", "cores")]);
        assert_eq!((cpus, places, complaints.len()), (vec![0], vec![vec![0]], 1));
        assert!(
            complaints[0].starts_with("ferromp: FERROMP_FSROOT=")
                && complaints[0].ends_with("tells of no CPU; using one\n")
        );
    }

    #[test]
    fn a_flat_machine() {
        let root = Root::two_sockets();
        let variables = [("KMP_TOPOLOGY_METHOD", "flat"), ("OMP_PLACES", "cores")];
        assert_eq!(places(&root, &variables), (0..8).map(|cpu| vec![cpu]).collect::<Vec<_>>());
    }

    #[test]
    fn balanced_threads() {
        let uniform = vec![vec![0, 1], vec![2, 3], vec![4, 5]];
        let team = |cores: &[Vec<u32>], nthreads: u32| -> Vec<u32> {
            (0..nthreads).map(|tid| layout::balanced_place(cores, nthreads, tid).unwrap()).collect()
        };
        assert_eq!(team(&uniform, 2), [0, 2]);
        assert_eq!(team(&uniform, 4), [0, 1, 2, 4]);
        assert_eq!(team(&uniform, 6), [0, 1, 2, 3, 4, 5]);
        assert_eq!(team(&uniform, 8), [0, 1, 0, 2, 3, 2, 4, 5]);
        let uneven = vec![vec![0, 1], vec![2]];
        assert_eq!(team(&uneven, 3), [0, 1, 2]);
        assert_eq!(team(&uneven, 6), [0, 1, 0, 1, 2, 2]);
        assert_eq!(layout::balanced_place(&[], 4, 2), None);
    }
}
