//! Doacross loop nests: iterations that wait for earlier ones, which they name by number (OpenMP 5.1 §2.19.9, `ordered`
//! with `depend(source)` and `depend(sink: …)`).
//!
//! The iterations of the nest are numbered row by row. Each has a bit that says whether it has posted ([`Posts`]). The
//! nest takes a slot of the team's ring. The worksharing loop around it may have another slot.

use super::slot;
use crate::objects::loops::{Current, Dimension, Nest, Shape};
use crate::objects::presence::WaitFor;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::ompt;
use crate::ompt::InState;
use crate::protocol::posts::{Layout, Posts};
use crate::protocol::ring::Shared;
use crate::stderr;
use crate::thread::wait;
use ::ompt::{DependenceType, State};

impl Shape {
    /// The number of iterations; `None` if it does not fit.
    fn iterations(&self) -> Option<u64> {
        self.0.iter().try_fold(1u64, |product, dimension| product.checked_mul(dimension.count))
    }

    /// The number of the iteration that the program calls `vector`, if there is such an iteration.
    #[inline]
    fn number(&self, vector: impl Fn(usize) -> u64, count: impl Fn(&Dimension) -> u64) -> Option<u64> {
        let mut number: u64 = 0;
        for (index, dimension) in self.0.iter().enumerate() {
            let place = dimension.place(vector(index));
            if place >= count(dimension) {
                return None;
            }
            // Wraps only in a nest that is too large for `make`. A team of one does not use the number.
            number = number.wrapping_mul(dimension.count).wrapping_add(place);
        }
        Some(number)
    }
}

impl Nest {
    fn make(shape: Shape, nthreads: u32) -> *mut Shared {
        let layout = if shape.0.len() == 1 && nthreads > 4 { Layout::Spread } else { Layout::Dense };
        let posts = || shape.iterations().and_then(|iterations| Posts::new(iterations, layout));
        let posts = (nthreads > 1).then(|| posts().unwrap_or_else(|| too_large(&shape)));
        Box::into_raw(Box::new(Nest { shared: Shared { release: Self::release }, shape, posts })).cast()
    }

    /// # Safety
    /// `nest` comes from [`make`](Self::make), and no thread uses it any more.
    unsafe fn release(nest: *mut Shared) {
        // SAFETY: the caller passes a nest of `make`; its head is the first field.
        drop(unsafe { Box::from_raw(nest.cast::<Nest>()) });
    }
}

#[cold]
fn too_large(shape: &Shape) -> ! {
    let counts: Vec<String> = shape.0.iter().map(|dimension| dimension.count.to_string()).collect();
    stderr::abort(format_args!("no memory for a doacross loop nest of {} iterations", counts.join(" x ")))
}

impl Current {
    fn nest(&self) -> Option<&Nest> {
        // SAFETY: the nest is released when all members have left it, and this member has not.
        self.0.get().map(|(_, nest)| unsafe { &*nest })
    }
}

/// Enters a nest of these loops. Every member of the team calls this, and later [`leave`]. In a team of one, and in an
/// empty nest, no iteration waits, so nothing is kept.
pub fn enter(thread: &Thread, dimensions: impl Iterator<Item = Dimension>) {
    let member = thread.member();
    let team = member.team();
    // The dependences are reported to tools in a team of one, too.
    if team.nthreads() == 1 && !switch::active() {
        return;
    }
    let shape = Shape(dimensions.collect());
    if shape.0.iter().any(|dimension| dimension.count == 0) {
        return;
    }
    let Some((number, slot)) = slot::take(member) else { return };
    let nest = slot.share(|| Nest::make(shape, team.nthreads())).cast::<Nest>();
    member.work.doacross.0.set(Some((number, nest)));
}

/// Leaves the nest that the member is in.
pub fn leave(thread: &Thread) {
    let member = thread.member();
    let Some((number, _)) = member.work.doacross.0.take() else { return };
    slot::leave(member, number, member.team().nthreads());
}

/// Posts the iteration `vector`, which the thread executes (`depend(source)`).
pub fn post(thread: &Thread, vector: impl Fn(usize) -> u64) {
    if let Some(nest) = thread.member().work.doacross.nest()
        && let Some(number) = nest.shape.number(&vector, |dimension| dimension.count)
    {
        if switch::active() {
            // The event comes before any other thread can see the post (OpenMP 5.1 §2.19.9).
            ompt::doacross(thread, DependenceType::SOURCE, (0..nest.shape.0.len()).map(vector));
        }
        let Some(posts) = &nest.posts else { return };
        posts.post(number);
        if switch::enabled() {
            thread.member().team().waits.notify_all();
        }
    }
}

/// Waits until the iteration `vector` has posted (`depend(sink: …)`). The vector names an iteration before the one that
/// the thread executes. A vector outside the iteration space is not waited for (OpenMP 5.1 §2.19.11).
pub fn wait(thread: &Thread, vector: impl Fn(usize) -> u64) {
    if let Some(nest) = thread.member().work.doacross.nest()
        && let Some(number) = nest.shape.number(&vector, |dimension| dimension.exists)
    {
        if let Some(posts) = &nest.posts
            && !posts.posted(number)
            && !wait_for(thread, posts, number)
        {
            return;
        }
        if switch::active() {
            ompt::doacross(thread, DependenceType::SINK, (0..nest.shape.0.len()).map(vector));
        }
    }
}

/// Waits until the iteration with this number has posted. Returns false if the region was cancelled first.
fn wait_for(thread: &Thread, posts: &Posts, number: u64) -> bool {
    let _state = InState::waiting(thread, State::WAIT_ORDERED, std::ptr::from_ref(posts) as u64, WaitFor::Posts);
    if switch::enabled() {
        return thread.member().team().wait_until(|| posts.posted(number));
    }
    wait::until(posts.event(number), || posts.posted(number));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(shape: &Shape, vector: &[u64]) -> Option<u64> {
        shape.number(|index| vector[index], |dimension| dimension.exists)
    }

    #[test]
    fn iterations_are_numbered_row_by_row() {
        let shape = Shape([3, 4, 5].map(Dimension::counted).into());
        assert_eq!(shape.iterations(), Some(60));
        let mut expected = 0;
        for i in 0..3 {
            for j in 0..4 {
                for k in 0..5 {
                    assert_eq!(number(&shape, &[i, j, k]), Some(expected));
                    expected += 1;
                }
            }
        }
    }

    #[test]
    fn what_lies_outside_has_no_number() {
        let shape = Shape([3, 4].map(Dimension::counted).into());
        for vector in [[3, 0], [0, 4], [u64::MAX, 1], [1, u64::MAX], [1 << 63, 0]] {
            assert_eq!(number(&shape, &vector), None, "{vector:?}");
        }
    }

    #[test]
    fn strides_and_lower_bounds_count() {
        let down = Dimension { first: 10, step: -3, count: 4, exists: 4 };
        let shape = Shape([down].into());
        assert_eq!([10u64, 7, 4, 1].map(|value| number(&shape, &[value])), [0, 1, 2, 3].map(Some));
        assert_eq!(number(&shape, &[13]), None);
        assert_eq!(number(&shape, &[(-2i64) as u64]), None);
        let up = Dimension { first: (-5i64) as u64, step: 2, count: 3, exists: 3 };
        let shape = Shape([up].into());
        assert_eq!([-5i64, -3, -1].map(|value| number(&shape, &[value as u64])), [0, 1, 2].map(Some));
        assert_eq!([-7i64, 1].map(|value| number(&shape, &[value as u64])), [None, None]);
    }

    #[test]
    fn sink_just_before_the_first_iteration_names_none() {
        for (first, step) in [(10, 2), (10, 3), (10, 7), (-10, -2), (-10, -5), (0, i64::MAX)] {
            let shape = Shape([Dimension { first: first as u64, step, count: 6, exists: 6 }].into());
            for distance in [-1, 1, -step, 6i64.wrapping_mul(step), step.wrapping_add(1)] {
                let value = (first as u64).wrapping_add(distance as u64);
                assert_eq!(number(&shape, &[value]), None, "first {first}, step {step}, {distance} from the first");
            }
            assert_eq!(number(&shape, &[first as u64]), Some(0));
            assert_eq!(number(&shape, &[(first as u64).wrapping_add(step as u64)]), Some(1));
        }
    }

    #[test]
    fn unsigned_loops_may_span_more_than_half_of_all_numbers() {
        let shape = Shape([Dimension { first: 0, step: 1 << 62, count: 4, exists: 4 }].into());
        assert_eq!(number(&shape, &[3 << 62]), Some(3));
        assert_eq!(number(&shape, &[(3 << 62) + 1]), None);
    }

    #[test]
    fn places_that_nothing_posts_are_not_waited_for() {
        let dimension = Dimension { first: 0, step: 1, count: 5, exists: 4 };
        let shape = Shape([Dimension::counted(2), dimension].into());
        assert_eq!(number(&shape, &[0, 4]), None);
        assert_eq!(number(&shape, &[1, 0]), Some(5));
        assert_eq!(shape.number(|index| [0, 4][index], |dimension| dimension.count), Some(4));
    }

    #[test]
    fn huge_nests_are_noticed() {
        assert_eq!(Shape([1 << 40, 1 << 40].map(Dimension::counted).into()).iterations(), None);
    }
}
