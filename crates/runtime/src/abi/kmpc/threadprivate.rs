//! Threadprivate variables of programs compiled without thread-local storage
//! (`__kmpc_threadprivate` and its kin). See [`crate::work::threadprivate`].

use super::Ident;
use crate::abi::routines;
use crate::objects::current;
use crate::work::threadprivate::{self, Construct, CopyConstruct, Destroy, Lifecycle};
use std::ffi::c_void;

routines! {
    /// `__kmpc_threadprivate_register`: how copies of the object at `data` are made and destroyed.
    pub fn __kmpc_threadprivate_register(loc: *const Ident, data: *mut c_void,
        construct: Option<unsafe extern "C" fn(*mut c_void) -> *mut c_void>,
        copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void) -> *mut c_void>,
        destroy: Option<unsafe extern "C" fn(*mut c_void)>) {
        let lifecycle = Lifecycle {
            construct: construct.map(Construct::One),
            copy: copy.map(CopyConstruct::One),
            destroy: destroy.map(Destroy::One),
        };
        threadprivate::register(data, lifecycle);
    }

    /// `__kmpc_threadprivate_register_vec`: as `__kmpc_threadprivate_register`, of an array of `count`
    /// objects.
    pub fn __kmpc_threadprivate_register_vec(loc: *const Ident, data: *mut c_void,
        construct: Option<unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void>,
        copy: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize) -> *mut c_void>,
        destroy: Option<unsafe extern "C" fn(*mut c_void, usize)>, count: usize) {
        let lifecycle = Lifecycle {
            construct: construct.map(|function| Construct::Array(function, count)),
            copy: copy.map(|function| CopyConstruct::Array(function, count)),
            destroy: destroy.map(|function| Destroy::Array(function, count)),
        };
        threadprivate::register(data, lifecycle);
    }

    /// `__kmpc_threadprivate`: the thread's copy of the variable at `data`.
    ///
    /// # Safety
    /// `data` points to `size` bytes.
    pub fn __kmpc_threadprivate(loc: *const Ident, gtid: i32, data: *mut c_void, size: usize) -> *mut c_void {
        threadprivate::address(current::current(), data, size, std::ptr::null_mut())
    }

    /// `__kmpc_threadprivate_cached`: as `__kmpc_threadprivate`; `*cache` is null at first, and then points to a table
    /// of the threads' copies by global thread number.
    ///
    /// # Safety
    /// `data` points to `size` bytes; `cache` belongs to this variable.
    pub fn __kmpc_threadprivate_cached(loc: *const Ident, gtid: i32, data: *mut c_void, size: usize,
        cache: *mut *const *mut c_void) -> *mut c_void {
        threadprivate::address(current::current(), data, size, cache)
    }
}
