//! Processors and places: how many CPUs there are to use, the place list that `OMP_PLACES` describes, and the binding of
//! threads to places. OpenMP 5.1 §2.6.2, §3.3 and §6.5.

mod bind;
mod cpus;
mod spec;
mod topology;

pub use bind::bind_team;
pub use cpus::{available_cpus, refresh};
pub use spec::{PlaceKind, PlacesSpec};

use std::path::Path;
use std::sync::OnceLock;

use crate::icv::{self, Bind};
use topology::Topology;

/// A run of places in the place list: the value of place-partition-var. No places: `count` is 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    /// Index of the first place.
    pub first: u32,
    pub count: u32,
}

impl Partition {
    /// The whole place list.
    pub fn all() -> Partition {
        Partition { first: 0, count: places().len() as u32 }
    }
}

/// A set of CPUs to which a thread can be bound.
#[derive(Debug)]
pub struct Place {
    /// In ascending order, without repetitions, never empty.
    cpus: Vec<u32>,
    /// The same as the bit mask that the kernel takes.
    mask: Box<[u64]>,
}

impl Place {
    /// A place of these CPUs, which are in ascending order.
    pub(crate) fn new(cpus: Vec<u32>) -> Place {
        let words = cpus.last().map_or(1, |&cpu| cpu as usize / 64 + 1);
        let mut mask = vec![0u64; words].into_boxed_slice();
        for &cpu in &cpus {
            mask[cpu as usize / 64] |= 1 << (cpu % 64);
        }
        Place { cpus, mask }
    }

    /// The CPUs' numbers, ascending.
    pub fn cpus(&self) -> &[u32] {
        &self.cpus
    }

    /// Binds the calling thread to this place; false where the kernel refuses.
    fn bind_caller(&self) -> bool {
        // SAFETY: the mask is as long as the call is told, and 0 is the calling thread.
        unsafe { libc::sched_setaffinity(0, self.mask.len() * 8, self.mask.as_ptr().cast()) == 0 }
    }
}

/// `omp_get_num_procs`: the processors that the process may use (OpenMP 5.1 §3.7.1); see [`available_cpus`].
pub fn num_procs() -> i32 {
    i32::try_from(available_cpus()).unwrap_or(i32::MAX)
}

/// The place list, made on the first call. Empty where neither `OMP_PLACES` nor binding was asked for; cores where only
/// binding was. CPUs that the process may not use are left out.
pub fn places() -> &'static [Place] {
    static PLACES: OnceLock<Vec<Place>> = OnceLock::new();
    PLACES.get_or_init(|| {
        let settings = icv::settings();
        let bound = settings.bind.iter().any(|&bind| bind != Bind::False);
        let (places, complaint) = match &settings.places {
            Some(request) => resolve(&request.spec, &request.origin, Path::new("/"), &cpus::mask()),
            None if bound => resolve(&DEFAULT, "", Path::new("/"), &cpus::mask()),
            None => return Vec::new(),
        };
        if let Some(line) = complaint {
            icv::warn(&line);
        }
        places
    })
}

/// Where threads are to be bound and nobody said to what.
const DEFAULT: PlacesSpec = PlacesSpec::Abstract { kind: PlaceKind::Cores, count: None };

/// The places of a machine whose `/sys` lies under `root`, and a line for the user where some of those that `origin` names
/// cannot be had.
fn resolve(spec: &PlacesSpec, origin: &str, root: &Path, available: &[u32]) -> (Vec<Place>, Option<String>) {
    let groups = |kind| Topology::read(root, available).groups(kind);
    let (groups, complaint) = match spec {
        PlacesSpec::Abstract { kind, count } => {
            let mut groups = groups(*kind);
            groups.truncate(count.map_or(usize::MAX, |count| count as usize));
            (groups, None)
        }
        PlacesSpec::Explicit(wanted) => {
            let usable = |place: &Vec<u32>| place.iter().copied().filter(|cpu| available.contains(cpu)).collect();
            let mut left: Vec<Vec<u32>> = wanted.iter().map(usable).collect();
            left.retain(|place| !place.is_empty());
            let missing = wanted.iter().flatten().find(|cpu| !available.contains(cpu));
            let instead = if left.is_empty() { "cores" } else { "those that are" };
            let line = missing.map(|cpu| format!("ferromp: {origin}: CPU {cpu} is not available; using {instead}\n"));
            (if left.is_empty() { groups(PlaceKind::Cores) } else { left }, line)
        }
    };
    (groups.into_iter().map(Place::new).collect(), complaint)
}

/// Binds the calling thread to a place; false where there is no such place or the kernel refuses.
pub fn bind_self(place: i32) -> bool {
    usize::try_from(place).ok().and_then(|index| places().get(index)).is_some_and(Place::bind_caller)
}

/// Binds the calling thread, the initial one, to the first place where threads are to be bound, and returns that place; -1
/// where it stays free. Counts the CPUs before it does.
pub fn bind_initial() -> i32 {
    available_cpus();
    let bound = icv::settings().bind.first().is_some_and(|&bind| bind != Bind::False);
    if bound && bind_self(0) { 0 } else { -1 }
}

/// Made-up machines for the tests of this folder.
#[cfg(test)]
pub(crate) mod testing {
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A temporary folder that stands for `/`.
    pub struct Root(PathBuf);

    impl Root {
        pub fn new() -> Root {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let name = format!("ferromp-root-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).unwrap();
            Root(path)
        }

        pub fn path(&self) -> &Path {
            &self.0
        }

        pub fn file(&self, name: &str, text: &str) {
            let path = self.0.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            // A folder that stays behind in the temporary directory harms nobody.
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str, available: &[u32]) -> (Vec<Vec<u32>>, Option<String>) {
        let root = testing::Root::new();
        let (places, complaint) = resolve(&PlacesSpec::parse(text).unwrap(), "X='y'", root.path(), available);
        (places.into_iter().map(|place| place.cpus).collect(), complaint)
    }

    #[test]
    fn abstract_places_are_cut_to_the_count() {
        assert_eq!(resolved("threads(2)", &[0, 1, 5]), (vec![vec![0], vec![1]], None));
        assert_eq!(resolved("sockets(3)", &[0, 1, 5]), (vec![vec![0, 1, 5]], None));
    }

    #[test]
    fn unavailable_cpus_are_left_out() {
        let (places, complaint) = resolved("{0:2},{2:2},{4}", &[0, 1, 2]);
        assert_eq!(places, [vec![0, 1], vec![2]]);
        assert_eq!(complaint.as_deref(), Some("ferromp: X='y': CPU 3 is not available; using those that are\n"));
        let (places, complaint) = resolved("{7}", &[0, 1]);
        assert_eq!(places, [[0], [1]]);
        assert!(complaint.is_some_and(|line| line.contains("CPU 7 is not available; using cores")));
    }

    #[test]
    fn masks() {
        let place = Place::new(vec![0, 63, 64, 130]);
        assert_eq!(*place.mask, [1 << 63 | 1, 1, 4]);
    }

    #[test]
    fn a_bound_thread_runs_where_it_should() {
        let cpu = *cpus::mask().last().unwrap();
        let bound = std::thread::spawn(move || {
            assert!(Place::new(vec![cpu]).bind_caller());
            // SAFETY: the call has no preconditions.
            unsafe { libc::sched_getcpu() }
        });
        assert_eq!(bound.join().unwrap(), cpu as i32);
    }

    #[test]
    fn no_place_no_binding() {
        assert!(!bind_self(-1));
        assert!(!bind_self(100_000));
    }
}
