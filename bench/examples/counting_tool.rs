//! A tool that counts how often each event comes, as `programs/tool.c` with `-DCOUNT`.

use ferromp_tool::*;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

struct Counting {
    counts: [AtomicU64; Event::COUNT + 1],
}

#[tool]
impl Tool for Counting {
    const NAME: &'static str = "counting";

    fn initialize(_init: &Init<Self>) -> Result<Self, String> {
        Ok(Counting { counts: [const { AtomicU64::new(0) }; Event::COUNT + 1] })
    }

    #[inline(always)]
    fn any(&self, occurrence: Occurrence<'_, Self>) {
        // Threads may lose counts to each other, as in C.
        let count = &self.counts[occurrence.event().0 as usize];
        count.store(count.load(Relaxed) + 1, Relaxed);
    }

    fn finalize(&self) {
        eprintln!("tool: {} events", self.counts.iter().map(|count| count.load(Relaxed)).sum::<u64>());
    }
}
