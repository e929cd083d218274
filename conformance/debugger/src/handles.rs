//! The handles of libompd, each released when it is dropped. Every method is one call of the library, and its error
//! what that answered.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

use ompd::{
    Address, AddressSpaceHandle, ArrivalRecord, Device, FrameInfo, IcvId, ParallelHandle, ParallelRecord, Rc, Scope,
    Size, THREAD_ID_LWP, THREAD_ID_PTHREAD, TaskHandle, TaskRecord, ThreadHandle, ThreadId, ThreadRecord, WaitId, Word,
};

use crate::callbacks::{self, Context};
use crate::ompd::Ompd;
use crate::target::Target;

/// `ompt_state_undefined`, from which on states are listed.
const STATE_UNDEFINED: u32 = 0x102;

/// What a call gave, or why it did not.
pub type Answer<T> = Result<T, Rc>;

fn answer<T>(rc: Rc, value: impl FnOnce() -> T) -> Answer<T> {
    if rc == Rc::OK { Ok(value()) } else { Err(rc) }
}

/// The string behind a pointer that the library gave.
///
/// # Safety
/// It is a string, or null.
unsafe fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::from("(null)");
    }
    // SAFETY: the caller's promise.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

/// As [`text`], for a string in the debugger's memory, which is freed.
///
/// # Safety
/// It is a string in memory of the debugger's, or null.
unsafe fn own_text(string: *const c_char) -> String {
    // SAFETY: the caller's promise.
    unsafe {
        let found = text(string);
        (callbacks::table().free_memory.expect("the table is complete"))(string.cast_mut().cast());
        found
    }
}

/// A process or a device, the debugger's context of it with it.
pub struct Space {
    ompd: Arc<Ompd>,
    pub raw: *mut AddressSpaceHandle,
    context: Box<Context>,
}

/// An ICV as the library lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Icv {
    pub id: IcvId,
    pub name: String,
    pub scope: Scope,
}

/// An object that is a scope: its tool data and its ICVs can be read.
pub trait Scoped {
    /// The handle.
    fn handle(&self) -> *mut c_void;
    /// The scope.
    fn scope(&self) -> Scope;
    /// The library that it is of.
    fn library(&self) -> &Ompd;

    /// `ompd_get_icv_from_scope`.
    fn icv(&self, icv: IcvId) -> Answer<Word> {
        let mut value = 0;
        // SAFETY: the handle is of the library.
        let rc =
            unsafe { (self.library().functions.ompd_get_icv_from_scope)(self.handle(), self.scope(), icv, &mut value) };
        answer(rc, || value)
    }

    /// `ompd_get_icv_string_from_scope`. The string is the tool's, and is given back.
    fn icv_string(&self, icv: IcvId) -> Answer<String> {
        let mut string = null();
        let functions = &self.library().functions;
        // SAFETY: as above.
        let rc = unsafe { (functions.ompd_get_icv_string_from_scope)(self.handle(), self.scope(), icv, &mut string) };
        // SAFETY: the library returned a C string in the debugger's memory.
        answer(rc, || unsafe { own_text(string) })
    }

    /// `ompd_get_tool_data`: value and address.
    fn tool_data(&self) -> Answer<(Word, u64)> {
        let (mut value, mut pointer) = (0, Address { segment: 0, address: 0 });
        // SAFETY: as above.
        let rc = unsafe {
            (self.library().functions.ompd_get_tool_data)(self.handle(), self.scope(), &mut value, &mut pointer)
        };
        answer(rc, || (value, pointer.address))
    }
}

impl Space {
    /// `ompd_process_initialize`.
    pub fn process(ompd: &Arc<Ompd>, target: Arc<dyn Target>) -> Answer<Space> {
        let mut context = Box::new(Context { target });
        let mut raw = null_mut();
        // SAFETY: the context lives as long as the handle.
        let rc = unsafe { (ompd.functions.ompd_process_initialize)((&raw mut *context).cast(), &mut raw) };
        answer(rc, || Space { ompd: Arc::clone(ompd), raw, context })
    }

    /// `ompd_device_initialize`, with the process's memory as the device's.
    pub fn device(&self, kind: Device, mut id: u32) -> Answer<Space> {
        let mut context = Box::new(Context { target: Arc::clone(&self.context.target) });
        let mut raw = null_mut();
        let (context_pointer, id_pointer) = ((&raw mut *context).cast(), (&raw mut id).cast());
        // SAFETY: the context lives as long as the handle; the identifier has four bytes.
        let rc = unsafe {
            (self.ompd.functions.ompd_device_initialize)(self.raw, context_pointer, kind, 4, id_pointer, &mut raw)
        };
        answer(rc, || Space { ompd: Arc::clone(&self.ompd), raw, context })
    }

    /// The library.
    pub fn ompd(&self) -> &Arc<Ompd> {
        &self.ompd
    }

    /// What is looked at.
    pub fn target(&self) -> &dyn Target {
        &*self.context.target
    }

    /// `ompd_get_omp_version`.
    pub fn omp_version(&self) -> Answer<Word> {
        let mut version = 0;
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_omp_version)(self.raw, &mut version) };
        answer(rc, || version)
    }

    /// `ompd_get_omp_version_string`.
    pub fn omp_version_string(&self) -> Answer<String> {
        let mut string = null();
        // SAFETY: as above.
        let rc = unsafe { (self.ompd.functions.ompd_get_omp_version_string)(self.raw, &mut string) };
        // SAFETY: the library gave a string.
        answer(rc, || unsafe { text(string) })
    }

    /// `ompd_get_thread_handle`, with an identifier of that many bytes.
    pub fn thread_of(&self, kind: ThreadId, size: Size, id: u64) -> Answer<Thread> {
        let mut raw = null_mut();
        // SAFETY: the identifier has eight bytes, and tests ask for no more.
        let rc = unsafe {
            (self.ompd.functions.ompd_get_thread_handle)(self.raw, kind, size, (&raw const id).cast(), &mut raw)
        };
        answer(rc, || Thread { ompd: Arc::clone(&self.ompd), raw })
    }

    /// By the kernel's number.
    pub fn thread(&self, lwp: i32) -> Answer<Thread> {
        self.thread_of(THREAD_ID_LWP, 4, u64::from(lwp.unsigned_abs()))
    }

    /// By the C library's name.
    pub fn thread_by_pthread(&self, pthread: u64) -> Answer<Thread> {
        self.thread_of(THREAD_ID_PTHREAD, 8, pthread)
    }

    /// `ompd_enumerate_states`, to the end: numbers and names.
    pub fn states(&self) -> Answer<Vec<(Word, String)>> {
        let mut states = Vec::new();
        let mut current = Word::from(STATE_UNDEFINED);
        for _ in 0..1000 {
            let (mut next, mut name, mut more) = (0, null(), 0);
            // SAFETY: the handle is of the library.
            let rc = unsafe {
                (self.ompd.functions.ompd_enumerate_states)(self.raw, current, &mut next, &mut name, &mut more)
            };
            // SAFETY: the library gave a string.
            answer(rc, || states.push((next, unsafe { own_text(name) })))?;
            if more == 0 {
                return Ok(states);
            }
            current = next;
        }
        panic!("the states have no end: {states:?}");
    }

    /// `ompd_enumerate_icvs`, to the end.
    pub fn icvs(&self) -> Answer<Vec<Icv>> {
        let mut icvs = Vec::new();
        let mut current = ompd::ICV_UNDEFINED;
        for _ in 0..1000 {
            let (mut id, mut name, mut scope, mut more) = (0, null(), Scope::GLOBAL, 0);
            // SAFETY: the handle is of the library.
            let rc = unsafe {
                (self.ompd.functions.ompd_enumerate_icvs)(self.raw, current, &mut id, &mut name, &mut scope, &mut more)
            };
            // SAFETY: the library gave a string.
            answer(rc, || icvs.push(Icv { id, name: unsafe { own_text(name) }, scope }))?;
            if more == 0 {
                return Ok(icvs);
            }
            current = id;
        }
        panic!("the ICVs have no end: {icvs:?}");
    }

    /// `ompd_get_display_control_vars`, and their release.
    pub fn control_vars(&self) -> Answer<Vec<String>> {
        let mut list = null();
        // SAFETY: the handle is of the library.
        answer(unsafe { (self.ompd.functions.ompd_get_display_control_vars)(self.raw, &mut list) }, || ())?;
        let mut vars = Vec::new();
        // SAFETY: the list ends with null, and its elements are strings.
        unsafe {
            for number in 0.. {
                match *list.add(number) {
                    string if string.is_null() => break,
                    string => vars.push(text(string)),
                }
            }
        }
        // SAFETY: the list is the library's.
        answer(unsafe { (self.ompd.functions.ompd_rel_display_control_vars)(&mut list) }, || vars)
    }

    /// `ferromp_ompd_get_threads`.
    pub fn threads(&self) -> Answer<Vec<ThreadRecord>> {
        let (mut records, mut count) = (null_mut(), 0);
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_get_threads)(self.raw, &mut records, &mut count) };
        answer(rc, || self.take(records, count))
    }

    /// `ferromp_ompd_get_tasks`.
    pub fn tasks(&self) -> Answer<Vec<TaskRecord>> {
        let (mut records, mut count) = (null_mut(), 0);
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_get_tasks)(self.raw, &mut records, &mut count) };
        answer(rc, || self.take(records, count))
    }

    /// `ferromp_ompd_get_parallels`.
    pub fn parallels(&self) -> Answer<Vec<ParallelRecord>> {
        let (mut records, mut count) = (null_mut(), 0);
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_get_parallels)(self.raw, &mut records, &mut count) };
        answer(rc, || self.take(records, count))
    }

    /// `ferromp_ompd_get_lock_owner`.
    pub fn lock_owner(&self, wait_id: WaitId) -> Answer<i32> {
        let mut gtid = 0;
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_get_lock_owner)(self.raw, wait_id, &mut gtid) };
        answer(rc, || gtid)
    }

    /// `ferromp_ompd_task_handle`.
    pub fn task_at(&self, task: u64) -> Answer<Task> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_task_handle)(self.raw, task, &mut raw) };
        answer(rc, || Task { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ferromp_ompd_parallel_handle`.
    pub fn parallel_at(&self, team: u64) -> Answer<Parallel> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_parallel_handle)(self.raw, team, &mut raw) };
        answer(rc, || Parallel { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ferromp_ompd_thread_handle`.
    pub fn thread_at(&self, lwp: u64) -> Answer<Thread> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_thread_handle)(self.raw, lwp, &mut raw) };
        answer(rc, || Thread { ompd: Arc::clone(&self.ompd), raw })
    }

    fn take<T: Copy>(&self, records: *mut T, count: Size) -> Vec<T> {
        taken(&self.ompd, records, count)
    }

    /// Releases the handle, once; what the library answers.
    pub fn release(self) -> Rc {
        // SAFETY: the handle is of the library, and is forgotten with its context.
        let rc = unsafe { (self.ompd.functions.ompd_rel_address_space_handle)(self.raw) };
        std::mem::forget(self);
        rc
    }
}

/// The records of a list, which is freed.
fn taken<T: Copy>(ompd: &Ompd, records: *mut T, count: Size) -> Vec<T> {
    let count = usize::try_from(count).unwrap_or(0);
    // SAFETY: the library gave that many records.
    let list =
        if records.is_null() { Vec::new() } else { unsafe { std::slice::from_raw_parts(records, count) }.to_vec() };
    // SAFETY: they are given back once.
    let rc = unsafe { (ompd.functions.ferromp_ompd_free)(records.cast()) };
    assert_eq!(rc, Rc::OK, "ferromp_ompd_free");
    list
}

impl Scoped for Space {
    fn handle(&self) -> *mut c_void {
        self.raw.cast()
    }
    fn scope(&self) -> Scope {
        Scope::ADDRESS_SPACE
    }
    fn library(&self) -> &Ompd {
        &self.ompd
    }
}

macro_rules! handle {
    ($(#[$meta:meta])* $name:ident($raw:ty), $scope:expr, $release:ident, $compare:ident) => {
        $(#[$meta])*
        pub struct $name {
            ompd: Arc<Ompd>,
            pub raw: *mut $raw,
        }

        impl $name {
            /// Releases it, once; what the library answers.
            pub fn release(self) -> Rc {
                // SAFETY: the handle is of the library, and is forgotten.
                let rc = unsafe { (self.ompd.functions.$release)(self.raw) };
                std::mem::forget(self);
                rc
            }

            /// How they compare, by the library.
            pub fn compare(&self, other: &$name) -> Answer<i32> {
                let mut order = 0;
                // SAFETY: both handles are of the library.
                let rc = unsafe { (self.ompd.functions.$compare)(self.raw, other.raw, &mut order) };
                answer(rc, || order)
            }

            /// Whether both are of one thing.
            ///
            /// # Panics
            /// If the library does not compare them.
            pub fn is(&self, other: &$name) -> bool {
                self.compare(other).expect("handles of one process compare") == 0
            }
        }

        impl Scoped for $name {
            fn handle(&self) -> *mut c_void {
                self.raw.cast()
            }
            fn scope(&self) -> Scope {
                $scope
            }
            fn library(&self) -> &Ompd {
                &self.ompd
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the handle is of the library, and this is its end.
                let rc = unsafe { (self.ompd.functions.$release)(self.raw) };
                assert!(rc == Rc::OK || std::thread::panicking(), "{}: {rc:?}", stringify!($release));
            }
        }
    };
}

handle! {
    /// A thread.
    Thread(ThreadHandle), Scope::THREAD, ompd_rel_thread_handle, ompd_thread_handle_compare
}
handle! {
    /// A parallel region.
    Parallel(ParallelHandle), Scope::PARALLEL, ompd_rel_parallel_handle, ompd_parallel_handle_compare
}
handle! {
    /// A task.
    Task(TaskHandle), Scope::TASK, ompd_rel_task_handle, ompd_task_handle_compare
}

impl Drop for Space {
    fn drop(&mut self) {
        // SAFETY: the handle is of the library, and this is its end.
        let rc = unsafe { (self.ompd.functions.ompd_rel_address_space_handle)(self.raw) };
        assert!(rc == Rc::OK || std::thread::panicking(), "ompd_rel_address_space_handle: {rc:?}");
    }
}

impl Thread {
    /// `ompd_get_thread_id`, into that many bytes.
    pub fn id(&self, kind: ThreadId, size: Size) -> Answer<u64> {
        let mut id = 0_u64;
        // SAFETY: there are eight bytes, and tests ask for no more.
        let rc = unsafe { (self.ompd.functions.ompd_get_thread_id)(self.raw, kind, size, (&raw mut id).cast()) };
        answer(rc, || id)
    }

    /// `ompd_get_curr_parallel_handle`.
    pub fn parallel(&self) -> Answer<Parallel> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_curr_parallel_handle)(self.raw, &mut raw) };
        answer(rc, || Parallel { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_curr_task_handle`.
    pub fn task(&self) -> Answer<Task> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_curr_task_handle)(self.raw, &mut raw) };
        answer(rc, || Task { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_state`.
    pub fn state(&self) -> Answer<(Word, WaitId)> {
        let (mut state, mut wait) = (0, 0);
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_state)(self.raw, &mut state, &mut wait) };
        answer(rc, || (state, wait))
    }
}

impl Parallel {
    /// `ompd_get_enclosing_parallel_handle`.
    pub fn enclosing(&self) -> Answer<Parallel> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_enclosing_parallel_handle)(self.raw, &mut raw) };
        answer(rc, || Parallel { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_thread_in_parallel`.
    pub fn thread(&self, number: c_int) -> Answer<Thread> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_thread_in_parallel)(self.raw, number, &mut raw) };
        answer(rc, || Thread { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_task_in_parallel`.
    pub fn task(&self, number: c_int) -> Answer<Task> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_task_in_parallel)(self.raw, number, &mut raw) };
        answer(rc, || Task { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ferromp_ompd_get_arrivals`.
    pub fn arrivals(&self) -> Answer<Vec<ArrivalRecord>> {
        let (mut records, mut count) = (null_mut(), 0);
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ferromp_ompd_get_arrivals)(self.raw, &mut records, &mut count) };
        answer(rc, || taken(&self.ompd, records, count))
    }
}

impl Task {
    /// `ompd_get_task_parallel_handle`.
    pub fn parallel(&self) -> Answer<Parallel> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_task_parallel_handle)(self.raw, &mut raw) };
        answer(rc, || Parallel { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_generating_task_handle`.
    pub fn generating(&self) -> Answer<Task> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_generating_task_handle)(self.raw, &mut raw) };
        answer(rc, || Task { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_scheduling_task_handle`.
    pub fn scheduling(&self) -> Answer<Task> {
        let mut raw = null_mut();
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_scheduling_task_handle)(self.raw, &mut raw) };
        answer(rc, || Task { ompd: Arc::clone(&self.ompd), raw })
    }

    /// `ompd_get_task_function`.
    pub fn function(&self) -> Answer<u64> {
        let mut address = Address { segment: 0, address: 0 };
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_task_function)(self.raw, &mut address) };
        answer(rc, || address.address)
    }

    /// `ompd_get_task_frame`: exit frame and enter frame.
    pub fn frames(&self) -> Answer<(FrameInfo, FrameInfo)> {
        let none = FrameInfo { frame_address: Address { segment: 0, address: 0 }, frame_flag: 0 };
        let (mut exit, mut enter) = (none, none);
        // SAFETY: the handle is of the library.
        let rc = unsafe { (self.ompd.functions.ompd_get_task_frame)(self.raw, &mut exit, &mut enter) };
        answer(rc, || (exit, enter))
    }
}
