//! The library as a debugger meets it: what it exports, and what its functions answer before, while
//! and after it is initialised.

use ompd::*;
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::process::Command;
use std::ptr::{null, null_mut};

unsafe extern "C" fn alloc(_: Size, _: *mut *mut c_void) -> Rc {
    Rc::NOMEM
}
unsafe extern "C" fn free(_: *mut c_void) -> Rc {
    Rc::OK
}
unsafe extern "C" fn print(_: *const c_char, _: c_int) -> Rc {
    Rc::OK
}
unsafe extern "C" fn sizeof(_: *mut AddressSpaceContext, _: *mut DeviceTypeSizes) -> Rc {
    Rc::ERROR
}
unsafe extern "C" fn symbol(
    _: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    _: *const c_char,
    _: *mut Address,
    _: *const c_char,
) -> Rc {
    Rc::ERROR
}
unsafe extern "C" fn read(
    _: *mut AddressSpaceContext,
    _: *mut ThreadContext,
    _: *const Address,
    _: Size,
    _: *mut c_void,
) -> Rc {
    Rc::ERROR
}
unsafe extern "C" fn convert(_: *mut AddressSpaceContext, _: *const c_void, _: Size, _: Size, _: *mut c_void) -> Rc {
    Rc::ERROR
}
unsafe extern "C" fn thread(
    _: *mut AddressSpaceContext,
    _: ThreadId,
    _: Size,
    _: *const c_void,
    _: *mut *mut ThreadContext,
) -> Rc {
    Rc::ERROR
}

fn table() -> Callbacks {
    Callbacks {
        alloc_memory: Some(alloc),
        free_memory: Some(free),
        print_string: Some(print),
        sizeof_type: Some(sizeof),
        symbol_addr_lookup: Some(symbol),
        read_memory: Some(read),
        write_memory: None,
        read_string: Some(read),
        device_to_host: Some(convert),
        host_to_device: Some(convert),
        get_thread_context_for_thread_id: Some(thread),
    }
}

/// One test, because the library has one state.
#[test]
fn starts_and_ends_as_specified() {
    let (mut version, mut string) = (0, null());
    // SAFETY: null, or variables to write to.
    unsafe {
        assert_eq!(ompd_get_api_version(null_mut()), Rc::BAD_INPUT);
        assert_eq!(ompd_get_version_string(null_mut()), Rc::BAD_INPUT);
        assert_eq!(ompd_get_api_version(&mut version), Rc::OK);
        assert_eq!(ompd_get_version_string(&mut string), Rc::OK);
    }
    assert_eq!(version, 202011);
    // SAFETY: the library has written a pointer to its string.
    let string = unsafe { CStr::from_ptr(string) }.to_str().expect("the version is UTF-8");
    assert!(string.starts_with("ferromp "), "{string}");

    assert_eq!(ompd_finalize(), Rc::UNSUPPORTED, "before it has started");
    let incomplete = Callbacks { read_memory: None, ..table() };
    // SAFETY: null, or tables of callbacks.
    unsafe {
        assert_eq!(ompd_initialize(version, null()), Rc::BAD_INPUT);
        assert_eq!(ompd_initialize(version, &Callbacks::default()), Rc::BAD_INPUT);
        assert_eq!(ompd_initialize(version, &incomplete), Rc::BAD_INPUT);
        for unknown in [0, -1, 201511, 209912] {
            assert_eq!(ompd_initialize(unknown, &table()), Rc::UNSUPPORTED, "{unknown}");
        }
        assert_eq!(ompd_finalize(), Rc::UNSUPPORTED, "no refused start is a start");
        for spoken in [version, 201811, 202111, 202411] {
            assert_eq!(ompd_initialize(spoken, &table()), Rc::OK);
            assert_eq!(ompd_initialize(spoken, &table()), Rc::OK, "the same once more");
            let other = Callbacks { print_string: None, ..table() };
            assert_eq!(ompd_initialize(spoken, &other), Rc::ERROR, "others");
            assert_eq!(ompd_finalize(), Rc::OK);
            assert_eq!(ompd_finalize(), Rc::UNSUPPORTED);
        }
    }
}

#[test]
fn exports_its_functions_and_nothing_else() {
    let test = std::env::current_exe().expect("a test knows its file");
    let library = test.with_file_name("libompd.so");
    let output = Command::new("nm")
        .args(["--dynamic", "--defined-only", "--format=posix"])
        .arg(&library)
        .output()
        .expect("this test needs nm (Debian: apt-get install binutils)");
    let text = String::from_utf8(output.stdout).expect("nm prints ASCII");
    let names: BTreeSet<_> = text.lines().filter_map(|line| line.split(' ').next()).collect();
    // From these lists the header is written.
    let described: BTreeSet<_> =
        describe::FUNCTIONS.iter().chain(describe::EXTENSIONS).map(|function| function.name).collect();
    assert_eq!(names, described);
}
