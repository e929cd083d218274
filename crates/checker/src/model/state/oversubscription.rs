//! How many threads are in parallel regions, and how many have been.

/// The most threads so far.
pub struct Oversubscription {
    pub cpus: usize,
    pub inside: usize,
    pub peak: usize,
    /// At the peak: a region that was entered, and the one around it.
    pub places: Vec<(String, usize)>,
}

impl Oversubscription {
    pub fn new() -> Oversubscription {
        let cpus = std::thread::available_parallelism().map_or(usize::MAX, usize::from);
        Oversubscription { cpus, inside: 0, peak: cpus, places: Vec::new() }
    }

    /// The other threads are gone.
    pub fn forked(&mut self) {
        (self.inside, self.peak) = (0, self.cpus);
        self.places.clear();
    }
}
