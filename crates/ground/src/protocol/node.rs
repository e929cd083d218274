//! A task's place among its siblings' dependences: how many predecessors the task waits for, its successors, and the
//! siblings that it excludes.
//!
//! One thread registers a node while others complete the predecessors. The protocol stands in `task/README.md`;
//! `tests/loom_node.rs` checks this very code. Which node waits for which is decided in `task/depend.rs`.

use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};
use crate::model::mutation;
use crate::model::sync::{Mutex, MutexGuard};
use crate::protocol::counted::Count;
use crate::protocol::returned::Returned;
use std::cell::{Cell, UnsafeCell};
use std::collections::VecDeque;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::{Arc, PoisonError};

/// The node of a task of type `T`. As `kmp_base_depnode_t` it begins with its successors.
#[repr(C)]
pub struct Node<T> {
    /// Nodes that wait for this one, the newest first. Changed under the lock.
    successors: AtomicPtr<Edge<T>>,
    /// The task; null for a wait.
    task: AtomicPtr<T>,
    /// Predecessors that are not complete, and one while the node is being registered.
    pending: AtomicU32,
    /// Whether the task is complete. Written under the lock.
    complete: AtomicBool,
    /// Whether the completion has been reported to a tool, or is about to be. Written as `complete` is, and before it.
    reported: AtomicBool,
    lock: Mutex<()>,
    /// The edge from the first predecessor that the node has to wait for, and whether there was one. Written while the
    /// node is registered; the edge is the predecessor's then.
    edge: UnsafeCell<Edge<T>>,
    has_edge: AtomicBool,
    /// Whether nothing is in the way of an undeferred task any more. Written by whoever finds so, read by the thread
    /// that waits to execute the task.
    may_start: AtomicBool,
    /// Whether the node is in a set of mutually exclusive tasks. Written while the node is registered.
    excludes: AtomicBool,
    /// The sets of mutually exclusive tasks that the node is in, by ascending address of the location, and how many of
    /// them the node has entered. Filled while the node is registered.
    mutexes: Mutex<(Vec<Arc<MutexSet<T>>>, usize)>,
    /// The node of the exporting task whose child the task is: complete only when this one is. Written before the node
    /// is shared.
    exporter: Option<NodeRef<T>>,
    /// Of an exporting task: its children with dependences that are not complete, and one until it is itself.
    open: AtomicU32,
    /// How many [`NodeRef`]s there are.
    shares: Count,
    /// Where the node goes when there are none; null if it is a box.
    store: *const Store<T>,
    /// The next node in a list of free ones. Whoever has the last share, then the store.
    link: Cell<*const Node<T>>,
}

/// A share in a node. With the last one the node goes back to its store.
pub struct NodeRef<T>(NonNull<Node<T>>);

// SAFETY: a node is `Sync`, and the last share may be given up on any thread.
unsafe impl<T> Send for NodeRef<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for NodeRef<T> {}

/// The free nodes of a thread that generates tasks. Mostly another thread completes the task, and gives up the last
/// share. Memory from `malloc` would then go back to the generating thread's heap under that heap's lock, for which the
/// generating thread waits.
pub struct Store<T> {
    /// Owner only.
    free: Cell<*const Node<T>>,
    /// Nodes whose last share was given up. All push, the owner takes all.
    returned: Returned<Node<T>>,
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Store { free: Cell::new(std::ptr::null()), returned: Returned::default() }
    }
}

impl<T> Store<T> {
    /// Takes a free node. Owner only.
    #[inline(always)]
    fn take(&self) -> Option<NonNull<Node<T>>> {
        if self.free.get().is_null() {
            self.free.set(self.returned.take_all());
        }
        let node = NonNull::new(self.free.get().cast_mut())?;
        // SAFETY: a free node is the store's, and the link is null or another one.
        self.free.set(unsafe { node.as_ref() }.link.get());
        Some(node)
    }

    /// Gives the memory of the free nodes back. Owner only.
    pub fn trim(&self) {
        while let Some(node) = self.take() {
            // SAFETY: a free node is the store's, and was made by `NodeRef::new` as a box.
            drop(unsafe { Box::from_raw(node.as_ptr()) });
        }
    }
}

impl<T> Clone for NodeRef<T> {
    #[inline]
    fn clone(&self) -> Self {
        self.shares.more();
        NodeRef(self.0)
    }
}

impl<T> Drop for NodeRef<T> {
    #[inline]
    fn drop(&mut self) {
        if self.shares.less() {
            free(self.0);
        }
    }
}

impl<T> Deref for NodeRef<T> {
    type Target = Node<T>;
    #[inline(always)]
    fn deref(&self) -> &Node<T> {
        // SAFETY: the node is there as long as there is a share.
        unsafe { self.0.as_ref() }
    }
}

/// The last share of the node was given up.
fn free<T>(node: NonNull<Node<T>>) {
    // SAFETY: nobody else has a share, so the node is this thread's until it is the store's. A store is never freed.
    unsafe {
        (*node.as_ptr()).exporter = None;
        let shared = node.as_ref();
        if shared.excludes.load(Ordering::Relaxed) {
            *lock(&shared.mutexes) = (Vec::new(), 0);
        }
        match shared.store.as_ref() {
            Some(store) => store.returned.give(shared, |next| shared.link.set(next)),
            None => drop(Box::from_raw(node.as_ptr())),
        }
    }
}

// SAFETY: the registering thread writes `edge` once and the predecessor's lock hands it on; the rest is atomic or
// locked.
unsafe impl<T> Sync for Node<T> {}
// SAFETY: nothing of it belongs to the thread that made it.
unsafe impl<T> Send for Node<T> {}

/// An element of a list of successors, as `kmp_depnode_list_t`.
#[repr(C)]
pub struct Edge<T> {
    /// The node that waits; the edge has a share in it.
    node: *const Node<T>,
    next: *mut Edge<T>,
}

/// Tasks that name a location as `mutexinoutset` one after the other exclude each other.
pub struct MutexSet<T> {
    /// Whether a task is in, from before it is queued until it is complete, and which ones wait.
    state: Mutex<(bool, VecDeque<NodeRef<T>>)>,
}

impl<T> Default for MutexSet<T> {
    fn default() -> Self {
        MutexSet { state: Mutex::new((false, VecDeque::new())) }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic aborts the process, so no thread ever sees a poisoned lock.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> NodeRef<T> {
    /// The node of `task`, null for a wait, which is being registered; from the calling thread's `store`, if there is
    /// one. `exporter` is the node of the exporting task whose child the task is; the child has been counted there by
    /// [`open`](Node::open).
    pub fn new(store: Option<&'static Store<T>>, task: *const T, exporter: Option<NodeRef<T>>) -> NodeRef<T> {
        let node = Node {
            task: AtomicPtr::new(task.cast_mut()),
            pending: AtomicU32::new(1),
            complete: AtomicBool::new(false),
            reported: AtomicBool::new(false),
            successors: AtomicPtr::new(std::ptr::null_mut()),
            lock: Mutex::new(()),
            edge: UnsafeCell::new(Edge { node: std::ptr::null(), next: std::ptr::null_mut() }),
            has_edge: AtomicBool::new(false),
            may_start: AtomicBool::new(false),
            excludes: AtomicBool::new(false),
            mutexes: Mutex::new((Vec::new(), 0)),
            exporter,
            open: AtomicU32::new(1),
            shares: Count::one(),
            store: store.map_or(std::ptr::null(), std::ptr::from_ref),
            link: Cell::new(std::ptr::null()),
        };
        let Some(place) = store.and_then(Store::take) else {
            // SAFETY: a box is not null.
            return NodeRef(unsafe { NonNull::new_unchecked(Box::into_raw(Box::new(node))) });
        };
        // SAFETY: a free node is the store's, and owns nothing that would have to be dropped (`free`).
        unsafe { place.write(node) };
        NodeRef(place)
    }

    /// The node, and its share with it. [`from_raw`](Self::from_raw) takes the share back.
    pub fn into_raw(self) -> *const Node<T> {
        ManuallyDrop::new(self).0.as_ptr()
    }

    /// A share that [`into_raw`](Self::into_raw) has given.
    ///
    /// # Safety
    /// Each share is taken back once.
    pub unsafe fn from_raw(node: *const Node<T>) -> NodeRef<T> {
        // SAFETY: `into_raw` has made the pointer of one that is not null.
        NodeRef(unsafe { NonNull::new_unchecked(node.cast_mut()) })
    }

    /// Another share of the node.
    ///
    /// # Safety
    /// Somebody has a share meanwhile.
    pub unsafe fn another(node: *const Node<T>) -> NodeRef<T> {
        // SAFETY: the caller's: the share is not given up here.
        let share = ManuallyDrop::new(unsafe { Self::from_raw(node) });
        (*share).clone()
    }

    /// Makes `self` wait for `predecessor`, unless that is complete or the node itself. `tell` is called if there is an
    /// edge, under the predecessor's lock: as long as the caller has the lock, the completion of the predecessor's task
    /// is not reported, and the task's data word stays. Registering thread only.
    #[inline(always)]
    pub fn wait_for(&self, predecessor: &NodeRef<T>, tell: impl FnOnce(&Node<T>)) {
        if self.0 == predecessor.0 || predecessor.is_complete() {
            return;
        }
        let _locked = lock(&predecessor.lock);
        // The second look decides. A predecessor that has completed since the first one has taken its list already, and
        // nobody would let go a successor that is entered now.
        if !mutation::is("node: no second look under the lock") && predecessor.is_complete() {
            return;
        }
        let newest = predecessor.successors.load(Ordering::Relaxed);
        // SAFETY: null or an edge, which stays until the node is complete.
        if unsafe { newest.as_ref() }.is_some_and(|edge| std::ptr::eq(edge.node, &**self)) {
            // For another location. Where children of transparent tasks come between, the edge is made twice and
            // counted twice.
            return;
        }
        // Relaxed: the registration still holds its own count.
        self.pending.fetch_add(1, Ordering::Relaxed);
        let edge = Edge { node: self.clone().into_raw(), next: newest };
        let edge = if self.has_edge.load(Ordering::Relaxed) {
            Box::into_raw(Box::new(edge))
        } else {
            self.has_edge.store(true, Ordering::Relaxed);
            // SAFETY: nobody else's until it is in the list.
            unsafe { self.edge.get().write(edge) };
            self.edge.get()
        };
        // Release: for debuggers and libraries that look at the list without the lock.
        predecessor.successors.store(edge, Ordering::Release);
        tell(predecessor);
    }

    /// The registration is over: takes the node's own count away. Returns whether nothing is in the task's way. If not,
    /// a predecessor's completion, or a sibling's that the task excludes, lets the task go.
    pub fn registered(&self) -> bool {
        self.arrive() && enter_mutexes(self)
    }

    /// The task of the node is complete: lets the successors go, to `queue` where they wait for nothing any more.
    pub fn release(&self, queue: impl Fn(&Node<T>)) {
        if self.excludes.load(Ordering::Relaxed) {
            leave_mutexes(self, &queue);
        }
        let mut next = Some(self);
        while let Some(node) = next {
            // AcqRel: the last one has seen what all the others' tasks did.
            if node.open.fetch_sub(1, mutation::or_relaxed("node: closed relaxed", Ordering::AcqRel)) > 1 {
                // An exporting task, whose children go on.
                return;
            }
            for successor in node.complete() {
                if successor.arrive() && enter_mutexes(&successor) {
                    queue(&successor);
                }
            }
            next = node.exporter.as_ref();
        }
    }
}

impl<T> Node<T> {
    /// Where debuggers find how many predecessors are not complete: so many bytes into the node.
    pub const PENDING: usize = std::mem::offset_of!(Node<T>, pending);

    /// The task; null for a wait. Alive as long as the task is not complete.
    pub fn task(&self) -> *const T {
        self.task.load(Ordering::Relaxed)
    }

    /// The sets of mutually exclusive tasks that the node is in, by ascending address of the location. Registering
    /// thread only.
    pub fn exclude(&self, sets: impl Iterator<Item = Arc<MutexSet<T>>>) {
        let mut mutexes = lock(&self.mutexes);
        mutexes.0.extend(sets);
        self.excludes.store(!mutexes.0.is_empty(), Ordering::Relaxed);
    }

    /// As [`registered`](NodeRef::registered), for a wait, which excludes no task.
    pub fn wait_registered(&self) -> bool {
        self.arrive()
    }

    /// Whether a wait is over.
    pub fn waits_for_nothing(&self) -> bool {
        // Acquire: what the predecessors wrote.
        self.pending.load(Ordering::Acquire) == 0
    }

    /// Whether the task, and what it exports, is complete.
    pub fn is_complete(&self) -> bool {
        self.complete.load(Ordering::Acquire)
    }

    /// The completion is about to be reported to a tool. No dependence on the task is reported after this.
    pub fn note_completion_reported(&self) {
        let _locked = lock(&self.lock);
        self.reported.store(true, Ordering::Relaxed);
    }

    /// Whether the completion has been reported to a tool, or is about to be. Under the lock: in the `tell` of
    /// [`wait_for`](NodeRef::wait_for).
    pub fn is_completion_reported(&self) -> bool {
        self.reported.load(Ordering::Relaxed)
    }

    /// The nodes that wait for this one, the newest first.
    pub fn successors(&self) -> *const Edge<T> {
        // Acquire: the edge is seen whole.
        self.successors.load(Ordering::Acquire)
    }

    /// Nothing is in the way of the node's undeferred task any more. The caller wakes the thread that waits to execute
    /// the task.
    pub fn let_start(&self) {
        // Sequentially consistent, as every change that a sleeper waits for.
        self.may_start.swap(true, Ordering::SeqCst);
    }

    /// Whether nothing is in the way of the node's undeferred task any more.
    pub fn may_start(&self) -> bool {
        // Acquire: what the predecessors wrote.
        self.may_start.load(Ordering::Acquire)
    }

    /// A child of the exporting task is about to get a node, which counts.
    pub fn open(&self) {
        // Relaxed: the task's own count is still there.
        self.open.fetch_add(1, Ordering::Relaxed);
    }

    /// The task is complete. Returns the nodes that wait for it, the oldest first.
    fn complete(&self) -> Successors<T> {
        let mut newest = {
            let _locked = lock(&self.lock);
            self.complete.store(true, mutation::or_relaxed("node: completed relaxed", Ordering::Release));
            self.successors.swap(std::ptr::null_mut(), Ordering::Acquire)
        };
        let mut oldest: *mut Edge<T> = std::ptr::null_mut();
        // SAFETY: null or an edge, which is the caller's now.
        while let Some(edge) = unsafe { newest.as_mut() } {
            newest = std::mem::replace(&mut edge.next, oldest);
            oldest = edge;
        }
        Successors(oldest)
    }

    /// Takes one count away. Returns whether the node waits for nothing any more.
    fn arrive(&self) -> bool {
        // Release: what the predecessor wrote; acquire: for whoever starts the task. Sequentially consistent for a
        // waiter that may be asleep.
        self.pending.fetch_sub(1, mutation::or_relaxed("node: arrived relaxed", Ordering::SeqCst)) == 1
    }
}

/// The edges of a complete node.
struct Successors<T>(*mut Edge<T>);

impl<T> Iterator for Successors<T> {
    type Item = NodeRef<T>;
    fn next(&mut self) -> Option<NodeRef<T>> {
        if self.0.is_null() {
            return None;
        }
        let edge = self.0;
        // SAFETY: made by `wait_for`, and nobody else's any more; it has a share in its node.
        let node = unsafe { NodeRef::from_raw((*edge).node) };
        // SAFETY: as above.
        self.0 = unsafe { (*edge).next };
        if edge != node.edge.get() {
            // SAFETY: then it is a box.
            drop(unsafe { Box::from_raw(edge) });
        }
        Some(node)
    }
}

/// Enters the exclusions of the node's task in their order. Returns whether the node is in all of them. If not, the
/// node waits in one, keeping those before, and [`leave_mutex`] hands the one on. All nodes follow the order of
/// addresses, so they cannot wait for each other in a circle.
fn enter_mutexes<T>(node: &NodeRef<T>) -> bool {
    // Relaxed: what was written while the node was registered comes before the registration's own count is taken away.
    if !node.excludes.load(Ordering::Relaxed) {
        return true;
    }
    let mut mutexes = lock(&node.mutexes);
    let (list, entered) = &mut *mutexes;
    while let Some(mutex) = list.get(*entered) {
        let mut state = lock(&mutex.state);
        if state.0 {
            state.1.push_back(node.clone());
            return false;
        }
        state.0 = true;
        *entered += 1;
    }
    true
}

/// Leaves the exclusions of a node whose task is complete, and queues whoever is in all of its own then.
#[cold]
fn leave_mutexes<T>(node: &Node<T>, queue: &impl Fn(&Node<T>)) {
    let mutexes = std::mem::take(&mut lock(&node.mutexes).0);
    for mutex in mutexes {
        if let Some(next) = leave_mutex(&mutex) {
            lock(&next.mutexes).1 += 1;
            if enter_mutexes(&next) {
                queue(&next);
            }
        }
    }
}

/// Leaves an exclusion. Returns the node that is in it now, if one waited.
fn leave_mutex<T>(mutex: &MutexSet<T>) -> Option<NodeRef<T>> {
    let mut state = lock(&mutex.state);
    let next = if mutation::is("node: an exclusion is left without its next one") { None } else { state.1.pop_front() };
    state.0 = next.is_some();
    next
}
