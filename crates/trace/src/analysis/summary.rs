//! Computes a [`Summary`] from a trace, in one pass over the events of all threads in the order of time.

use super::Summary;
use super::order::InOrder;
use super::pass::{About, Pass, Recording};
use crate::reader::{Event, Trace};
use crate::{Progress, Site};

impl Summary {
    /// Reads all events of `trace` and sums them up. `progress` gets the bytes read.
    pub fn of(trace: &Trace, progress: Progress<'_>) -> Summary {
        Summary::by_place(trace, progress, &mut |site| site)
    }

    /// As [`Summary::of`], with one row for all sites for which `place` returns the same site. An inlined or unrolled
    /// construct has several return addresses. [`Symbolizer::place`](crate::symbols::Symbolizer::place) goes by
    /// functions of constructs and by lines of the source.
    pub fn by_place(trace: &Trace, progress: Progress<'_>, place: &mut dyn FnMut(Site) -> Site) -> Summary {
        let mut pass = Pass::new(&trace.meta, &trace.selection);
        for thread in &trace.threads {
            pass.add_thread(thread.number, thread.tid, thread.on_device.is_some());
        }
        let mut samples: Vec<_> = trace.threads.iter().map(|thread| trace.samples(thread).peekable()).collect();
        // Charges the samples from before a moment, and returns when the next one of all threads was taken.
        let mut charge = |pass: &mut Pass, ns: u64| {
            let mut least = u64::MAX;
            for (thread, samples) in samples.iter_mut().enumerate() {
                while let Some(sample) = samples.next_if(|sample| sample.ns < ns) {
                    pass.sample(thread, &sample);
                }
                least = least.min(samples.peek().map_or(u64::MAX, |sample| sample.ns));
            }
            least
        };
        let mut next_sample = charge(&mut pass, 0);
        std::thread::scope(|scope| {
            let mut take = |thread: usize, event: &Event| {
                if pass.is_over(event.ns) {
                    return false;
                }
                if next_sample < event.ns {
                    next_sample = charge(&mut pass, event.ns);
                }
                pass.event(thread, event);
                true
            };
            InOrder::new(trace, scope).each(&mut take, &mut |read| progress(read, trace.bytes()));
        });
        progress(trace.bytes(), trace.bytes());
        charge(&mut pass, u64::MAX);
        let threads: Vec<About> = trace.threads.iter().map(about).collect();
        let end_ns = trace.end_ns();
        pass.finish(
            &Recording { meta: &trace.meta, lost: trace.lost(), ready_ns: trace.ready_ns(), end_ns, threads: &threads },
            place,
        )
    }
}

fn about(thread: &crate::reader::Thread) -> About {
    About {
        number: thread.number,
        tid: thread.tid,
        name: thread.name.clone(),
        device: thread.on_device.map(|on| on.device),
        // A device's operations are no thread's.
        is_thread: !thread.is_empty() && thread.on_device.is_none_or(|on| on.thread != 0),
    }
}
