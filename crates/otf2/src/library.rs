//! The library of the Open Trace Format 2: the functions that are called, found when the library is first needed.
//! Names and numbers are those of its headers, in version 3.

use crate::memory::MemoryCallbacks;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::io::{Error, Result};
use std::sync::OnceLock;

/// `OTF2_ErrorCode`
pub type Status = c_int;
/// `OTF2_Archive*`, `OTF2_EvtWriter*`, `OTF2_DefWriter*`, `OTF2_GlobalDefWriter*` and `OTF2_AttributeList*`.
pub type Handle = *mut c_void;

/// `OTF2_FILEMODE_WRITE`
pub const WRITE: u8 = 0;
/// `OTF2_SUBSTRATE_POSIX`
pub const POSIX: u8 = 1;
/// `OTF2_COMPRESSION_NONE`
pub const NOT_COMPRESSED: u8 = 1;
/// `OTF2_FLUSH`
pub const FLUSH: u8 = 1;
/// `OTF2_UNDEFINED_UINT32`
pub const UNDEFINED: u32 = u32::MAX;
/// `OTF2_PARADIGM_OPENMP`
pub const OPENMP: u8 = 3;
/// `OTF2_TYPE_UINT64` and `OTF2_TYPE_STRING`
pub const UINT64: u8 = 4;
pub const STRING: u8 = 11;

/// `OTF2_FlushCallbacks`
#[repr(C)]
pub struct FlushCallbacks {
    pub before: unsafe extern "C" fn(*mut c_void, u8, u64, *mut c_void, bool) -> u8,
    pub after: Option<unsafe extern "C" fn(*mut c_void, u8, u64) -> u64>,
}

/// `OTF2_ErrorCallback`; the last argument is a `va_list`.
type ErrorCallback =
    unsafe extern "C" fn(*mut c_void, *const c_char, u64, *const c_char, Status, *const c_char, *mut c_void) -> Status;

/// Makes [`Library`] from a table of the functions, with a method for each.
macro_rules! functions {
    ($($name:ident $symbol:literal ($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        /// The library, with all functions that are needed.
        pub struct Library {
            $($name: unsafe extern "C" fn($($type),*) $(-> $result)?,)*
        }

        #[expect(clippy::too_many_arguments, reason = "the library's functions have as many")]
        impl Library {
            /// # Safety
            /// The library has these functions with these types.
            unsafe fn find(library: *mut c_void) -> std::result::Result<Library, String> {
                // SAFETY: the caller's.
                unsafe {
                    Ok(Library {
                        $($name: std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn($($type),*) $(-> $result)?,
                        >(symbol(library, concat!($symbol, "\0"))?),)*
                    })
                }
            }

            $(
                pub unsafe fn $name(&self $(, $argument: $type)*) $(-> $result)? {
                    // SAFETY: the caller's.
                    unsafe { (self.$name)($($argument),*) }
                }
            )*
        }
    };
}

// Safety, for all of them: handles are those that the library has given and that are not closed, texts end with a zero
// byte, and arrays have as many elements as their counts say.
functions! {
    register_error_callback "OTF2_Error_RegisterCallback" (callback: ErrorCallback, data: *mut c_void) -> usize;
    error_description "OTF2_Error_GetDescription" (status: Status) -> *const c_char;
    open "OTF2_Archive_Open" (path: *const c_char, name: *const c_char, mode: u8, events: u64, definitions: u64,
        substrate: u8, compression: u8) -> Handle;
    close "OTF2_Archive_Close" (archive: Handle) -> Status;
    set_creator "OTF2_Archive_SetCreator" (archive: Handle, creator: *const c_char) -> Status;
    set_flush_callbacks "OTF2_Archive_SetFlushCallbacks"
        (archive: Handle, callbacks: *const FlushCallbacks, data: *mut c_void) -> Status;
    set_memory_callbacks "OTF2_Archive_SetMemoryCallbacks"
        (archive: Handle, callbacks: *const MemoryCallbacks, data: *mut c_void) -> Status;
    set_serial "OTF2_Archive_SetSerialCollectiveCallbacks" (archive: Handle) -> Status;
    open_event_files "OTF2_Archive_OpenEvtFiles" (archive: Handle) -> Status;
    close_event_files "OTF2_Archive_CloseEvtFiles" (archive: Handle) -> Status;
    open_definition_files "OTF2_Archive_OpenDefFiles" (archive: Handle) -> Status;
    close_definition_files "OTF2_Archive_CloseDefFiles" (archive: Handle) -> Status;
    event_writer "OTF2_Archive_GetEvtWriter" (archive: Handle, location: u64) -> Handle;
    close_event_writer "OTF2_Archive_CloseEvtWriter" (archive: Handle, writer: Handle) -> Status;
    definition_writer "OTF2_Archive_GetDefWriter" (archive: Handle, location: u64) -> Handle;
    close_definition_writer "OTF2_Archive_CloseDefWriter" (archive: Handle, writer: Handle) -> Status;
    global_writer "OTF2_Archive_GetGlobalDefWriter" (archive: Handle) -> Handle;
    close_global_writer "OTF2_Archive_CloseGlobalDefWriter" (archive: Handle, writer: Handle) -> Status;
    events "OTF2_EvtWriter_GetNumberOfEvents" (writer: Handle, events: *mut u64) -> Status;
    attributes "OTF2_AttributeList_New" () -> Handle;
    delete_attributes "OTF2_AttributeList_Delete" (list: Handle) -> Status;
    add_text "OTF2_AttributeList_AddStringRef" (list: Handle, attribute: u32, text: u32) -> Status;
    enter "OTF2_EvtWriter_Enter" (writer: Handle, attributes: Handle, time: u64, region: u32) -> Status;
    leave "OTF2_EvtWriter_Leave" (writer: Handle, attributes: Handle, time: u64, region: u32) -> Status;
    fork "OTF2_EvtWriter_ThreadFork"
        (writer: Handle, attributes: Handle, time: u64, paradigm: u8, requested: u32) -> Status;
    join "OTF2_EvtWriter_ThreadJoin" (writer: Handle, attributes: Handle, time: u64, paradigm: u8) -> Status;
    team_begin "OTF2_EvtWriter_ThreadTeamBegin" (writer: Handle, attributes: Handle, time: u64, team: u32) -> Status;
    team_end "OTF2_EvtWriter_ThreadTeamEnd" (writer: Handle, attributes: Handle, time: u64, team: u32) -> Status;
    acquire "OTF2_EvtWriter_ThreadAcquireLock"
        (writer: Handle, attributes: Handle, time: u64, paradigm: u8, lock: u32, order: u32) -> Status;
    release "OTF2_EvtWriter_ThreadReleaseLock"
        (writer: Handle, attributes: Handle, time: u64, paradigm: u8, lock: u32, order: u32) -> Status;
    task_create "OTF2_EvtWriter_ThreadTaskCreate"
        (writer: Handle, attributes: Handle, time: u64, team: u32, creator: u32, generation: u32) -> Status;
    task_switch "OTF2_EvtWriter_ThreadTaskSwitch"
        (writer: Handle, attributes: Handle, time: u64, team: u32, creator: u32, generation: u32) -> Status;
    task_complete "OTF2_EvtWriter_ThreadTaskComplete"
        (writer: Handle, attributes: Handle, time: u64, team: u32, creator: u32, generation: u32) -> Status;
    metric "OTF2_EvtWriter_Metric"
        (writer: Handle, attributes: Handle, time: u64, metric: u32, count: u8, types: *const u8, values: *const u64)
        -> Status;
    define_clock "OTF2_GlobalDefWriter_WriteClockProperties"
        (writer: Handle, resolution: u64, offset: u64, length: u64, realtime: u64) -> Status;
    define_string "OTF2_GlobalDefWriter_WriteString" (writer: Handle, string: u32, text: *const c_char) -> Status;
    define_attribute "OTF2_GlobalDefWriter_WriteAttribute"
        (writer: Handle, attribute: u32, name: u32, description: u32, of: u8) -> Status;
    define_node "OTF2_GlobalDefWriter_WriteSystemTreeNode"
        (writer: Handle, node: u32, name: u32, class: u32, parent: u32) -> Status;
    define_location_group "OTF2_GlobalDefWriter_WriteLocationGroup"
        (writer: Handle, group: u32, name: u32, of: u8, node: u32, creator: u32) -> Status;
    define_location "OTF2_GlobalDefWriter_WriteLocation"
        (writer: Handle, location: u64, name: u32, of: u8, events: u64, group: u32) -> Status;
    define_region "OTF2_GlobalDefWriter_WriteRegion"
        (writer: Handle, region: u32, name: u32, canonical: u32, description: u32, role: u8, paradigm: u8, flags: u32,
        file: u32, begin: u32, end: u32) -> Status;
    define_group "OTF2_GlobalDefWriter_WriteGroup"
        (writer: Handle, group: u32, name: u32, of: u8, paradigm: u8, flags: u32, count: u32, members: *const u64)
        -> Status;
    define_comm "OTF2_GlobalDefWriter_WriteComm"
        (writer: Handle, comm: u32, name: u32, group: u32, parent: u32, flags: u32) -> Status;
    define_paradigm "OTF2_GlobalDefWriter_WriteParadigm" (writer: Handle, paradigm: u8, name: u32, class: u8) -> Status;
    define_metric_member "OTF2_GlobalDefWriter_WriteMetricMember"
        (writer: Handle, member: u32, name: u32, description: u32, of: u8, mode: u8, value: u8, base: u8, exponent: i64,
        unit: u32) -> Status;
    define_metric_class "OTF2_GlobalDefWriter_WriteMetricClass"
        (writer: Handle, metric: u32, count: u8, members: *const u32, occurrence: u8, recorder: u8) -> Status;
}

/// What Debian calls the library, and what its authors do.
const NAMES: [&CStr; 2] = [c"libopen-trace-format2.so.10", c"libotf2.so.10"];

/// The library, which the first call loads.
///
/// # Errors
/// If it is not there, or is not what it should be.
pub fn library() -> Result<&'static Library> {
    static LOADED: OnceLock<std::result::Result<Library, String>> = OnceLock::new();
    LOADED.get_or_init(load).as_ref().map_err(|reason| Error::other(reason.as_str()))
}

#[cold]
fn load() -> std::result::Result<Library, String> {
    let mut said = None;
    let open = |name: &&CStr| {
        // SAFETY: loading the library runs nothing but the set-up of its own data. It is never unloaded. The linker's
        // words are null or a text that exists until the next call of the linker.
        unsafe {
            let handle = libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
            if handle.is_null() && said.is_none() {
                said = libc::dlerror().as_ref().map(|text| CStr::from_ptr(text).to_string_lossy().into_owned());
            }
            handle
        }
    };
    let Some(handle) = NAMES.iter().map(open).find(|handle| !handle.is_null()) else {
        let said = said.unwrap_or_default();
        return Err(format!(
            "OTF2's library cannot be loaded ({said}); Debian's package libopen-trace-format2-10 has it"
        ));
    };
    // SAFETY: the library is that of OTF2, by its name; its number stands for functions of these types.
    let library = unsafe { Library::find(handle)? };
    // SAFETY: the function has the type that the library calls.
    unsafe { library.register_error_callback(say_nothing, std::ptr::null_mut()) };
    Ok(library)
}

/// The library prints its errors otherwise. They come as status as well.
unsafe extern "C" fn say_nothing(
    _: *mut c_void,
    _: *const c_char,
    _: u64,
    _: *const c_char,
    status: Status,
    _: *const c_char,
    _: *mut c_void,
) -> Status {
    status
}

/// # Safety
/// The handle is the dynamic linker's, the name ends with a zero byte.
unsafe fn symbol(library: *mut c_void, name: &str) -> std::result::Result<*mut c_void, String> {
    // SAFETY: the caller keeps to the `# Safety` section.
    let address = unsafe { libc::dlsym(library, name.as_ptr().cast()) };
    let missing = || format!("OTF2's library has no {}", name.trim_end_matches('\0'));
    if address.is_null() { Err(missing()) } else { Ok(address) }
}

impl Library {
    /// The outcome of a call: the library's own words for an error.
    ///
    /// # Errors
    /// If the status says that the call has failed.
    pub fn check(&self, status: Status) -> Result<()> {
        if status == 0 {
            return Ok(());
        }
        // The first errors are those of the system, by their order in POSIX; the library's own follow. Both have texts.
        // SAFETY: the result is null or a text that lives for ever.
        let text = unsafe { self.error_description(status).as_ref().map(|text| CStr::from_ptr(text)) };
        let text = text.map_or_else(|| format!("error {status}").into(), CStr::to_string_lossy);
        Err(Error::other(format!("OTF2's library says: {text}")))
    }
}
