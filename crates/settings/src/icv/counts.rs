//! Numbers of threads in variables, which may be numeric abstract names: `n_cores` stands for the number of places that
//! `OMP_PLACES=cores` would make (OpenMP 6.0, section 4.1.1).

use super::parse;
use crate::place::{self, Request};

/// Parses numbers and names. Names are resolved on the machine that the request describes.
#[derive(Clone, Copy, Debug)]
pub struct Counts<'a>(pub &'a Request);

impl Counts<'_> {
    /// A positive number, or a name (`OMP_TEAMS_THREAD_LIMIT`).
    pub fn count(self, text: &str) -> Option<i32> {
        parse::positive(text).or_else(|| self.named(text))
    }

    /// A list of positive numbers and names (`OMP_NUM_THREADS`).
    pub fn list(self, text: &str) -> Option<Vec<i32>> {
        text.split(',').map(|item| self.count(item)).collect()
    }

    /// A limit, or a name (`OMP_THREAD_LIMIT`).
    pub fn limit(self, text: &str) -> Option<i32> {
        parse::limit(text).or_else(|| self.named(text))
    }

    fn named(self, text: &str) -> Option<i32> {
        let name = text.trim().to_ascii_lowercase();
        let places = place::number_of_places(self.0, name.strip_prefix("n_")?)?;
        i32::try_from(places).ok().filter(|&number| number > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{from_variables, settings_of};
    use super::*;
    use crate::place::testing::Root;

    #[test]
    fn lists() {
        let request = settings_of(&[]).affinity;
        let list = |text| Counts(&request).list(text);
        assert_eq!(list("4,3 , 2"), Some(vec![4, 3, 2]));
        assert_eq!(list("8"), Some(vec![8]));
        for bad in ["", ",", "4,", ",4", "4,,2", "4,0", "4 2", "4;2"] {
            assert_eq!(list(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn names_stand_for_the_number_of_places() {
        let root = Root::two_by_two();
        let on = |name, value| {
            let path = root.path().to_str().unwrap();
            from_variables(&[("FERROMP_FSROOT", path), (name, value)])
        };
        let (settings, complaints) = on("OMP_NUM_THREADS", "n_cores, 3,N_Sockets");
        assert_eq!((settings.num_threads, complaints.len()), (vec![16, 3, 2], 0));
        assert_eq!(on("OMP_NUM_THREADS", "n_threads").0.num_threads, [32]);
        assert_eq!(on("OMP_NUM_THREADS", "n_numa_domains").0.num_threads, [4]);
        assert_eq!(on("OMP_THREAD_LIMIT", " n_cores ").0.thread_limit, 16);
        assert_eq!(on("OMP_TEAMS_THREAD_LIMIT", "n_ll_caches").0.teams_thread_limit, 2);
        assert_eq!(on("OMP_THREAD_LIMIT", "99999999999").0.thread_limit, i32::MAX);
        for bad in ["cores", "n_", "n_core", "n_cores(2)", "n_cores,", "n_{0}", "n_0"] {
            let (settings, complaints) = on("OMP_NUM_THREADS", bad);
            assert!(settings.num_threads.is_empty() && complaints.len() == 1, "{bad}: {complaints:?}");
        }
        assert_eq!(on("OMP_NUM_TEAMS", "n_cores").1.len(), 1);
    }
}
