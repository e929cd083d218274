//! Interoperability routines (OpenMP 5.1 §3.12) on the objects that `interop` constructs make. `omp_interop_none` has
//! no properties.

use crate::objects::current;
use std::ffi::{CStr, c_char, c_int, c_void};

use crate::abi::{routines, text, versions};
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

/// A property of an object, as `wanted` converts it; `nothing` where there is no such value. Writes the return code.
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
    // SAFETY: the caller keeps to the `# Safety` section.
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
    // SAFETY: the caller keeps to the `# Safety` section.
    if let Some(code) = unsafe { code.as_mut() } {
        *code = why;
    }
    answer.unwrap_or(nothing)
}

// Each object is `omp_interop_none` or from an `interop` construct; each return code is null or points to an integer.
// Other runtimes export a second name for Fortran, with the same arguments.
routines! {
    /// Properties that the object has beyond those of every implementation (§3.12.1).
    pub fn omp_get_num_interop_properties(_interop: Interop) -> c_int, also: omp_get_num_interop_properties_ {
        current::current();
        0
    }

    /// An integer property; 0 where there is none, with the reason in the code (§3.12.2).
    pub fn omp_get_interop_int(interop: Interop, number: c_int, code: *mut c_int) -> isize, also: omp_get_interop_int_ {
        get(interop, number, code, 0, |value| if let Value::Integer(value) = value { Some(value) } else { None })
    }

    /// A pointer property; null where there is none, with the reason in the code (§3.12.3).
    pub fn omp_get_interop_ptr(interop: Interop, number: c_int, code: *mut c_int) -> *mut c_void,
        also: omp_get_interop_ptr_ {
        let nothing = std::ptr::null_mut();
        let pointer = |value| if let Value::Pointer(value) = value { Some(value.cast_mut()) } else { None };
        get(interop, number, code, nothing, pointer)
    }

    /// A string property; null where there is none, with the reason in the code (§3.12.4).
    pub fn omp_get_interop_str(interop: Interop, number: c_int, code: *mut c_int) -> *const c_char,
        also: omp_get_interop_str_ {
        let text = |value| if let Value::Text(value) = value { Some(value.as_ptr()) } else { None };
        get(interop, number, code, std::ptr::null(), text)
    }

    /// A property's name; null where there is no such property (§3.12.5).
    pub fn omp_get_interop_name(_interop: Interop, number: c_int) -> *const c_char, also: omp_get_interop_name_ {
        property(number).map_or(std::ptr::null(), |(_, name, _)| name.as_ptr())
    }

    /// A property's type, as C writes it; null where there is no such property (§3.12.6).
    pub fn omp_get_interop_type_desc(_interop: Interop, number: c_int) -> *const c_char,
        also: omp_get_interop_type_desc_ {
        property(number).map_or(std::ptr::null(), |(_, _, its_type)| its_type.as_ptr())
    }

    /// What a return code of these routines means (§3.12.7); null for a number that they do not return.
    pub fn omp_get_interop_rc_desc(_interop: Interop, code: c_int) -> *const c_char, also: omp_get_interop_rc_desc_ {
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

    /// [`omp_get_interop_type_desc`] as gcc-built programs call it: as in libgomp, `omp_interop_none` has no
    /// properties, and so no types.
    pub fn gomp_get_interop_type_desc(interop: Interop, number: c_int) -> *const c_char {
        if interop.is_null() { std::ptr::null() } else { omp_get_interop_type_desc(interop, number) }
    }
}

/// Defines the form of routines with a string as result in which gfortran calls them: the string's address and length
/// go to the first two arguments.
macro_rules! fortran_strings {
    ($($fortran:ident = $name:ident($($arg:ident: $ty:ty),*);)*) => {$(
        routines! {
            /// The routine as gfortran calls it.
            ///
            /// # Safety
            /// As for the routine; the first two arguments can be written.
            pub fn $fortran(answer: *mut *const c_char, length: *mut usize, $($arg: $ty),*) {
                *answer = $name($($arg),*);
                *length = text(*answer).len();
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

// clang-built programs that offload bind to the last node, which their libomptarget has.
versions! {
    omp_get_num_interop_properties: "GOMP_5.1.3";
    omp_get_interop_int: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_ptr: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_str: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_name: "GOMP_5.1.3" "VERS1.0";
    omp_get_interop_type_desc: "VERS1.0";
    omp_get_interop_rc_desc: "GOMP_5.1.3";
}

// libomp's functions with Fortran's names take C's arguments, so gfortran binds to other functions.
crate::arch::directives!(
    ".symver gomp_get_interop_str_, omp_get_interop_str_@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_name_, omp_get_interop_name_@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_type_desc, omp_get_interop_type_desc@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_type_desc_, omp_get_interop_type_desc_@GOMP_5.1.3, remove",
    ".symver gomp_get_interop_rc_desc_, omp_get_interop_rc_desc_@GOMP_5.1.3, remove",
);
