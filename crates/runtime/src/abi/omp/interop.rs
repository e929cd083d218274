//! Interoperability routines (OpenMP 5.1 §3.12) on the objects that `interop` constructs make. `omp_interop_none` has
//! no properties.

use crate::objects::current;
use std::ffi::{CStr, c_char, c_int, c_void};

use super::versions;
use crate::device::interop::{Object, Property, Value};

/// An `omp_interop_t`.
pub type Interop = *const Object;

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
const PROPERTIES: [(Property, &CStr, &CStr); 9] = [
    (Property::ForeignRuntime, c"fr_id", c"omp_interop_fr_t"),
    (Property::ForeignRuntimeName, c"fr_name", c"const char *"),
    (Property::Vendor, c"vendor", c"int"),
    (Property::VendorName, c"vendor_name", c"const char *"),
    (Property::DeviceNumber, c"device_num", c"int"),
    (Property::Platform, c"platform", c"void *"),
    (Property::Device, c"device", c"void *"),
    (Property::DeviceContext, c"device_context", c"void *"),
    (Property::TargetSync, c"targetsync", c"void *"),
];

fn property(number: c_int) -> Option<&'static (Property, &'static CStr, &'static CStr)> {
    PROPERTIES.get(usize::try_from(-1 - i64::from(number)).ok()?)
}

/// A property of an object as `wanted` takes it, and whether that could be had.
///
/// # Safety
/// `interop` is `omp_interop_none` or an object, and `code` is null or points to an integer.
unsafe fn get<T>(
    interop: Interop,
    number: c_int,
    code: *mut c_int,
    nothing: T,
    wanted: impl FnOnce(Value) -> Option<T>,
) -> T {
    current::current();
    // SAFETY: the caller's.
    let (answer, why) = match (property(number), unsafe { interop.as_ref() }) {
        (None, _) => (None, OUT_OF_RANGE),
        (Some(_), None) => (None, EMPTY),
        (Some((property, ..)), Some(object)) => {
            let value = object.property(*property);
            let other = match value {
                Value::None => NO_VALUE,
                Value::Integer(_) => TYPE_INT,
                Value::Pointer(_) => TYPE_PTR,
                Value::Text(_) => TYPE_STR,
            };
            wanted(value).map_or((None, other), |answer| (Some(answer), SUCCESS))
        }
    };
    // SAFETY: the caller's.
    if let Some(code) = unsafe { code.as_mut() } {
        *code = why;
    }
    answer.unwrap_or(nothing)
}

/// Defines routines under their C name and the one that other runtimes export for Fortran, which take the same
/// arguments.
macro_rules! interop_routines {
    ($($(#[$meta:meta])* fn $name:ident, $fortran:ident($($arg:ident: $ty:ty),*) -> $ret:ty $body:block)*) => {$(
        $(#[$meta])*
        ///
        /// # Safety
        /// The object is `omp_interop_none` or from an `interop` construct, and the return code is null or points to an
        /// integer.
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
        current::current();
        0
    }

    /// An integer property; 0 where there is none, and then the code says why (§3.12.2).
    fn omp_get_interop_int, omp_get_interop_int_(interop: Interop, number: c_int, code: *mut c_int) -> isize {
        // SAFETY: the caller upholds it.
        unsafe { get(interop, number, code, 0, |value| if let Value::Integer(value) = value { Some(value) } else { None }) }
    }

    /// A pointer property; null where there is none, and then the code says why (§3.12.3).
    fn omp_get_interop_ptr, omp_get_interop_ptr_(interop: Interop, number: c_int, code: *mut c_int) -> *mut c_void {
        let nothing = std::ptr::null_mut();
        let pointer = |value| if let Value::Pointer(value) = value { Some(value.cast_mut()) } else { None };
        // SAFETY: the caller upholds it.
        unsafe { get(interop, number, code, nothing, pointer) }
    }

    /// A string property; null where there is none, and then the code says why (§3.12.4).
    fn omp_get_interop_str, omp_get_interop_str_(interop: Interop, number: c_int, code: *mut c_int) -> *const c_char {
        let text = |value| if let Value::Text(value) = value { Some(value.as_ptr()) } else { None };
        // SAFETY: the caller upholds it.
        unsafe { get(interop, number, code, std::ptr::null(), text) }
    }

    /// A property's name; null where there is no such property (§3.12.5).
    fn omp_get_interop_name, omp_get_interop_name_(_interop: Interop, number: c_int) -> *const c_char {
        property(number).map_or(std::ptr::null(), |(_, name, _)| name.as_ptr())
    }

    /// A property's type, as C writes it; null where there is no such property (§3.12.6).
    fn omp_get_interop_type_desc, omp_get_interop_type_desc_(_interop: Interop, number: c_int) -> *const c_char {
        property(number).map_or(std::ptr::null(), |(_, _, its_type)| its_type.as_ptr())
    }

    /// What a return code of these routines means (§3.12.7); null for a number that they do not return.
    fn omp_get_interop_rc_desc, omp_get_interop_rc_desc_(_interop: Interop, code: c_int) -> *const c_char {
        let text = match code {
            NO_VALUE => c"the property has no value here",
            SUCCESS => c"success",
            EMPTY => c"the object is omp_interop_none",
            OUT_OF_RANGE => c"there is no such property",
            TYPE_INT => c"the property is an integer",
            TYPE_PTR => c"the property is a pointer",
            TYPE_STR => c"the property is a string",
            _ => return std::ptr::null(),
        };
        text.as_ptr()
    }
}

/// [`omp_get_interop_type_desc`] as gcc-built programs call it: as in libgomp, what is no object has no properties that
/// were of a type.
///
/// # Safety
/// As for [`omp_get_interop_type_desc`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gomp_get_interop_type_desc(interop: Interop, number: c_int) -> *const c_char {
    if interop.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller upholds it.
    unsafe { omp_get_interop_type_desc(interop, number) }
}

/// Gives routines that answer with a string the form in which gfortran calls them: the answer's address and length go
/// to the first two arguments.
macro_rules! fortran_strings {
    ($($fortran:ident = $name:ident($($arg:ident: $ty:ty),*);)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`] as gfortran calls it.")]
        ///
        /// # Safety
        #[doc = concat!("As for [`", stringify!($name), "`]; the first two point to what is to be written.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $fortran(answer: *mut *const c_char, length: *mut usize, $($arg: $ty),*) {
            // SAFETY: the caller upholds it; a string ends with a zero.
            unsafe {
                let text = $name($($arg),*);
                *answer = text;
                *length = if text.is_null() { 0 } else { CStr::from_ptr(text).to_bytes().len() };
            }
        }
    )*};
}

fortran_strings! {
    gomp_get_interop_str_ = omp_get_interop_str(interop: Interop, number: c_int, code: *mut c_int);
    gomp_get_interop_name_ = omp_get_interop_name(interop: Interop, number: c_int);
    gomp_get_interop_type_desc_ = gomp_get_interop_type_desc(interop: Interop, number: c_int);
    gomp_get_interop_rc_desc_ = omp_get_interop_rc_desc(interop: Interop, code: c_int);
}

// clang-built programs that offload bind to the last one, which their libomptarget has.
versions! {
    omp_get_num_interop_properties: "GOMP_5.1.3";
    omp_get_interop_int: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_ptr: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_str: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_name: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_type_desc: "VERS1.0";
    omp_get_interop_rc_desc: "GOMP_5.1.3";
}

// What libomp exports under Fortran's names takes C's arguments, so that gfortran's are other functions.
crate::arch::directives!(
    ".symver gomp_get_interop_str_, omp_get_interop_str_@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_name_, omp_get_interop_name_@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_type_desc, omp_get_interop_type_desc@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_type_desc_, omp_get_interop_type_desc_@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_rc_desc_, omp_get_interop_rc_desc_@GOMP_5.1.3, remove",
);
