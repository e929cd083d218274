//! Interoperability routines (OpenMP 5.1 §3.12). Interop objects come from the `interop` construct on devices; without devices
//! every object is `omp_interop_none`, which has no properties.

use std::ffi::{CStr, c_char, c_int, c_void};

use crate::thread;

/// An `omp_interop_t`.
pub type Interop = *const c_void;

/// `omp_irc_no_value`: the property has no meaning for the object.
const NO_VALUE: c_int = 1;
/// `omp_irc_success`.
const SUCCESS: c_int = 0;
/// `omp_irc_empty`: the object is `omp_interop_none`.
const EMPTY: c_int = -1;
/// `omp_irc_out_of_range`: there is no such property.
const OUT_OF_RANGE: c_int = -2;
/// `omp_irc_type_int`: the property is an integer.
const TYPE_INT: c_int = -3;
/// `omp_irc_type_ptr`: the property is a pointer.
const TYPE_PTR: c_int = -4;
/// `omp_irc_type_str`: the property is a string.
const TYPE_STR: c_int = -5;

/// The properties that every implementation has, by number from -1 downwards: name and type (§3.12, Table 3.1).
const PROPERTIES: [(&CStr, &CStr); 9] = [
    (c"fr_id", c"omp_interop_fr_t"),
    (c"fr_name", c"const char *"),
    (c"vendor", c"int"),
    (c"vendor_name", c"const char *"),
    (c"device_num", c"int"),
    (c"platform", c"void *"),
    (c"device", c"void *"),
    (c"device_context", c"void *"),
    (c"targetsync", c"void *"),
];

fn property(number: c_int) -> Option<&'static (&'static CStr, &'static CStr)> {
    PROPERTIES.get(usize::try_from(-1 - i64::from(number)).ok()?)
}

/// Stores why a property cannot be had.
///
/// # Safety
/// `code` is null or points to an integer.
unsafe fn refuse(number: c_int, code: *mut c_int) {
    thread::current();
    let why = if property(number).is_some() { EMPTY } else { OUT_OF_RANGE };
    // SAFETY: the caller upholds it.
    if let Some(code) = unsafe { code.as_mut() } {
        *code = why;
    }
}

/// Defines routines under their C name and the one that other runtimes export for Fortran, which take the same arguments.
macro_rules! interop_routines {
    ($($(#[$meta:meta])* fn $name:ident, $fortran:ident($($arg:ident: $ty:ty),*) -> $ret:ty $body:block)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// The return code is null or points to an integer.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret $body

        #[doc = concat!("[`", stringify!($name), "`] under its other name.")]
        ///
        /// # Safety
        #[doc = concat!("As for [`", stringify!($name), "`].")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran($($arg: $ty),*) -> $ret {
            // SAFETY: the caller upholds it.
            unsafe { $name($($arg),*) }
        }
    )*};
}

interop_routines! {
    /// Properties that the object has beyond those of every implementation (§3.12.1).
    fn omp_get_num_interop_properties, omp_get_num_interop_properties_(_interop: Interop) -> c_int {
        thread::current();
        0
    }

    /// An integer property; stores `omp_irc_empty` and returns 0 for `omp_interop_none` (§3.12.2).
    fn omp_get_interop_int, omp_get_interop_int_(_interop: Interop, number: c_int, code: *mut c_int) -> isize {
        // SAFETY: the caller upholds it.
        unsafe { refuse(number, code) };
        0
    }

    /// A pointer property; stores `omp_irc_empty` and returns null for `omp_interop_none` (§3.12.3).
    fn omp_get_interop_ptr, omp_get_interop_ptr_(_interop: Interop, number: c_int, code: *mut c_int) -> *mut c_void {
        // SAFETY: the caller upholds it.
        unsafe { refuse(number, code) };
        std::ptr::null_mut()
    }

    /// A string property; stores `omp_irc_empty` and returns null for `omp_interop_none` (§3.12.4).
    fn omp_get_interop_str, omp_get_interop_str_(_interop: Interop, number: c_int, code: *mut c_int) -> *const c_char {
        // SAFETY: the caller upholds it.
        unsafe { refuse(number, code) };
        std::ptr::null()
    }

    /// A property's name; null where there is no such property (§3.12.5).
    fn omp_get_interop_name, omp_get_interop_name_(_interop: Interop, number: c_int) -> *const c_char {
        property(number).map_or(std::ptr::null(), |(name, _)| name.as_ptr())
    }

    /// A property's type, as C writes it; null where there is no such property (§3.12.6).
    fn omp_get_interop_type_desc, omp_get_interop_type_desc_(_interop: Interop, number: c_int) -> *const c_char {
        property(number).map_or(std::ptr::null(), |(_, its_type)| its_type.as_ptr())
    }

    /// What a return code of these routines means (§3.12.7).
    fn omp_get_interop_rc_desc, omp_get_interop_rc_desc_(_interop: Interop, code: c_int) -> *const c_char {
        let text = match code {
            NO_VALUE => c"the property has no value here",
            SUCCESS => c"success",
            EMPTY => c"the object is omp_interop_none",
            OUT_OF_RANGE => c"there is no such property",
            TYPE_INT => c"the property is an integer",
            TYPE_PTR => c"the property is a pointer",
            TYPE_STR => c"the property is a string",
            _ => c"another error",
        };
        text.as_ptr()
    }
}
