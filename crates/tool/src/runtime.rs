//! The runtime's entry points as methods. OpenMP 5.1, section 4.6.1.
//!
//! Answers about threads, regions and tasks concern the calling thread. Slots and frames are valid only inside the
//! closure that gets them.

use crate::entry_points::Runtime;
use crate::hosted::Hosted;
use crate::{CodePtr, Slot, Tool, dispatch};
use ompt::*;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null, null_mut};

/// Why an ancestor cannot be described.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// There is no ancestor at this level, the thread is not an OpenMP thread, or the runtime lacks the entry point.
    None,
    /// There is an ancestor, but the runtime cannot describe it now.
    NotNow,
}

/// A parallel region around the calling thread.
#[derive(Copy, Clone, Debug)]
pub struct ParallelInfo<'a, W = u64> {
    /// The data word.
    pub parallel_data: Option<Slot<'a, W>>,
    /// How many threads its team has.
    pub team_size: c_int,
}

/// A task of the calling thread, or one of its ancestors.
#[derive(Copy, Clone, Debug)]
pub struct TaskInfo<'a, W = u64, P = u64> {
    /// The kind of task and its clauses.
    pub flags: TaskFlag,
    /// The data word.
    pub task_data: Option<Slot<'a, W>>,
    /// The frames.
    pub task_frame: Option<&'a Frame>,
    /// The data word of the parallel region that it belongs to.
    pub parallel_data: Option<Slot<'a, P>>,
    /// The number, within its team, of the thread that runs it.
    pub thread_num: c_int,
}

/// The target region that the calling thread is in, and the operation on a device that it waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TargetInfo {
    /// The region's device.
    pub device_num: u64,
    /// The region.
    pub target_id: Id,
    /// The operation.
    pub host_op_id: Id,
}

impl<T: Tool> Runtime<T> {
    /// Calls `f` with the calling thread's data word; none if the thread is not an OpenMP thread.
    pub fn thread_data<R>(&self, f: impl FnOnce(Slot<'_, T::ThreadData>) -> R) -> Option<R> {
        // SAFETY: takes no arguments; null or the calling thread's word, which outlives `f`.
        unsafe { Slot::new(self.get_thread_data?()) }.map(f)
    }

    /// The calling thread's state, and the identifier that it waits for ([`ompt::WAIT_ID_NONE`]: none).
    pub fn state(&self) -> (State, WaitId) {
        let mut wait_id = WAIT_ID_NONE;
        match self.get_state {
            // SAFETY: the entry point writes at most one identifier, to a place that holds one.
            Some(get) => (State(unsafe { get(&mut wait_id) }), wait_id),
            None => (State::UNDEFINED, wait_id),
        }
    }

    /// Calls `f` with the parallel region `ancestor_level` levels out; 0 is the current one.
    pub fn parallel_info<R>(
        &self,
        ancestor_level: c_int,
        f: impl FnOnce(ParallelInfo<'_, T::ParallelData>) -> R,
    ) -> Result<R, Unavailable> {
        let get = self.get_parallel_info.ok_or(Unavailable::None)?;
        let (mut data, mut team_size) = (null_mut(), 0);
        // SAFETY: writes at most the two values.
        match unsafe { get(ancestor_level, &mut data, &mut team_size) } {
            0 => Err(Unavailable::None),
            1 => Err(Unavailable::NotNow),
            _ => Ok(f(ParallelInfo {
                // SAFETY: null or a word of a region around this thread, which outlives `f`.
                parallel_data: unsafe { Slot::new(data) },
                team_size,
            })),
        }
    }

    /// Calls `f` with the task `ancestor_level` levels out; 0 is the current one.
    pub fn task_info<R>(
        &self,
        ancestor_level: c_int,
        f: impl FnOnce(TaskInfo<'_, T::TaskData, T::ParallelData>) -> R,
    ) -> Result<R, Unavailable> {
        let get = self.get_task_info.ok_or(Unavailable::None)?;
        let (mut flags, mut thread_num) = (0, 0);
        let (mut task, mut frame, mut parallel) = (null_mut(), null_mut(), null_mut());
        // SAFETY: writes at most the five values.
        let found = unsafe { get(ancestor_level, &mut flags, &mut task, &mut frame, &mut parallel, &mut thread_num) };
        match found {
            0 => Err(Unavailable::None),
            1 => Err(Unavailable::NotNow),
            _ => Ok(f(TaskInfo {
                flags: TaskFlag(flags),
                // SAFETY: null or a word of a task of this thread or an ancestor, which outlives `f`.
                task_data: unsafe { Slot::new(task) },
                // SAFETY: null or the frame of that task; ancestors do not run meanwhile.
                task_frame: unsafe { frame.as_ref() },
                // SAFETY: null or a word of a region around this thread, which outlives `f`.
                parallel_data: unsafe { Slot::new(parallel) },
                thread_num,
            })),
        }
    }

    /// Calls `f` with the address and size of each block of memory in which the current task keeps its
    /// data.
    pub fn for_each_task_block(&self, mut f: impl FnMut(*mut c_void, usize)) {
        let Some(get) = self.get_task_memory else { return };
        for block in 0.. {
            let (mut address, mut size) = (null_mut(), 0);
            // SAFETY: writes at most the two values.
            let more = unsafe { get(&mut address, &mut size, block) };
            if !address.is_null() && size > 0 {
                f(address, size);
            }
            if more == 0 {
                break;
            }
        }
    }

    /// The target region that the calling thread is in, if it is in one.
    pub fn target_info(&self) -> Option<TargetInfo> {
        let get = self.get_target_info?;
        let (mut device_num, mut target_id, mut host_op_id) = (0, ID_NONE, ID_NONE);
        // SAFETY: writes at most the three values.
        let inside = unsafe { get(&mut device_num, &mut target_id, &mut host_op_id) } != 0;
        inside.then_some(TargetInfo { device_num, target_id, host_op_id })
    }

    /// The function that the compiler has made of the construct whose begin is being reported: of a region in
    /// `parallel_begin` and at the begin of `implicit_task`, of a task in `task_create`. At the begin of a target
    /// construct, the function that the host would execute, or the address that identifies the region's code. Only
    /// inside these methods, on their thread. None if the runtime does not know the function; only ferromp answers this
    /// question.
    #[inline]
    pub fn construct_function(&self) -> Option<CodePtr> {
        // SAFETY: takes no arguments.
        let function = unsafe { self.get_construct_function?() };
        (!function.is_null()).then(|| CodePtr(function.addr()))
    }

    /// Whether the runtime can name the functions of constructs ([`construct_function`](Self::construct_function)).
    pub fn names_construct_functions(&self) -> bool {
        self.get_construct_function.is_some()
    }

    /// The sections that the thread is given, in [`dispatch`](crate::Tool::dispatch) of a section alone: the number of
    /// the first in its construct, counted from 1, and how many. Some compilers give a thread several sections at once.
    /// None if the runtime does not tell; only ferromp does.
    pub fn sections(&self) -> Option<(u64, u64)> {
        let mut count = 0;
        // SAFETY: writes at most the count.
        let first = unsafe { self.get_sections?(&mut count) };
        (first > 0).then_some((first, count))
    }

    /// A number that no other call in this process gets; none if the runtime has no such numbers.
    pub fn unique_id(&self) -> Option<u64> {
        // SAFETY: takes no arguments.
        self.get_unique_id.map(|get| unsafe { get() })
    }

    /// The number of processors of the host.
    pub fn num_procs(&self) -> Option<c_int> {
        // SAFETY: takes no arguments.
        self.get_num_procs.map(|get| unsafe { get() })
    }

    /// The number of devices.
    pub fn num_devices(&self) -> Option<c_int> {
        // SAFETY: takes no arguments.
        self.get_num_devices.map(|get| unsafe { get() })
    }

    /// The processor on which the calling thread runs.
    pub fn proc_id(&self) -> Option<c_int> {
        // SAFETY: takes no arguments.
        self.get_proc_id.map(|get| unsafe { get() }).filter(|id| *id >= 0)
    }

    /// The number of places.
    pub fn num_places(&self) -> Option<c_int> {
        // SAFETY: takes no arguments.
        self.get_num_places.map(|get| unsafe { get() })
    }

    /// The place to which the calling thread is bound.
    pub fn place_num(&self) -> Option<c_int> {
        // SAFETY: takes no arguments.
        self.get_place_num.map(|get| unsafe { get() }).filter(|num| *num >= 0)
    }

    /// The processors of a place: fills `ids` as far as it reaches and answers how many there are.
    pub fn place_proc_ids(&self, place_num: c_int, ids: &mut [c_int]) -> usize {
        let Some(get) = self.get_place_proc_ids else { return 0 };
        let size = c_int::try_from(ids.len()).unwrap_or(c_int::MAX);
        // SAFETY: writes at most `size` numbers.
        usize::try_from(unsafe { get(place_num, size, ids.as_mut_ptr()) }).unwrap_or(0)
    }

    /// The places of the calling thread's partition: fills `nums` as far as it reaches and answers how many there are.
    /// libomp 19 writes one number too many, so the runtime gets a size that is one less than the real size.
    pub fn partition_place_nums(&self, nums: &mut [c_int]) -> usize {
        let Some(get) = self.get_partition_place_nums else { return 0 };
        let mut spare = [0];
        let nums = if nums.is_empty() { &mut spare } else { nums };
        let size = c_int::try_from(nums.len() - 1).unwrap_or(c_int::MAX);
        // SAFETY: the entry point writes at most `size` numbers, and one more on some runtimes; `nums` has `size + 1`
        // places.
        usize::try_from(unsafe { get(size, nums.as_mut_ptr()) }).unwrap_or(0)
    }

    /// Calls `f` with the number and name of each thread state that the runtime knows.
    pub fn for_each_state(&self, mut f: impl FnMut(State, &CStr)) {
        let Some(next) = self.enumerate_states else { return };
        let (mut state, mut name) = (State::UNDEFINED.0, null());
        // SAFETY: writes at most the number and the pointer to a C string.
        while unsafe { next(state, &mut state, &mut name) } != 0 && !name.is_null() {
            // SAFETY: the runtime gives a C string that lives as long as it does.
            f(State(state), unsafe { CStr::from_ptr(name) });
        }
    }

    /// Calls `f` with the number and name of each way in which the runtime implements mutual
    /// exclusion.
    pub fn for_each_mutex_impl(&self, mut f: impl FnMut(c_int, &CStr)) {
        let Some(next) = self.enumerate_mutex_impls else { return };
        let (mut mutex_impl, mut name) = (MUTEX_IMPL_NONE as c_int, null());
        // SAFETY: writes at most the number and the pointer to a C string.
        while unsafe { next(mutex_impl, &mut mutex_impl, &mut name) } != 0 && !name.is_null() {
            // SAFETY: the runtime gives a C string that lives as long as it does.
            f(mutex_impl, unsafe { CStr::from_ptr(name) });
        }
    }

    /// Whether a callback is registered for the event.
    pub fn has_callback(&self, event: Event) -> bool {
        let mut callback: Callback = None;
        // SAFETY: the entry point writes at most one pointer, to a place that holds one.
        self.get_callback.is_some_and(|get| unsafe { get(event, &mut callback) } == 1)
    }

    /// Registers an event that [`ignore`](Self::ignore) unregistered, or that [`Tool::events`] left out. Answers
    /// [`SetResult::ERROR`] for an event that the tool has no method for, and inside [`Tool::initialize`], before there
    /// is a tool.
    pub fn listen(&self, event: Event) -> SetResult
    where
        T: Hosted,
    {
        match (self.set_callback, dispatch::callback::<T>(event)) {
            // SAFETY: the tool is in place, and the function has the type that this event's have.
            (Some(set), Some(callback)) if T::instance().is_ready() => unsafe { set(event, Some(callback)) },
            _ => SetResult::ERROR,
        }
    }

    /// Unregisters the event. Callbacks that already run are not interrupted.
    pub fn ignore(&self, event: Event) -> SetResult {
        // SAFETY: a null pointer unregisters the callback.
        self.set_callback.map_or(SetResult::ERROR, |set| unsafe { set(event, None) })
    }

    /// The address of one of the runtime's entry points, by which its library can be found.
    pub fn code_address(&self) -> Option<usize> {
        self.get_state.map(|f| f as usize)
    }

    /// Ends the tool's activity: its `finalize` is called from inside this call, and no event
    /// follows.
    pub fn finalize_tool(&self) {
        if let Some(finalize) = self.finalize_tool {
            // SAFETY: takes no arguments.
            unsafe { finalize() }
        }
    }
}
