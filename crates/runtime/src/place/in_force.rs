//! What the environment asks of places and binding, as it is in force. The settings hand it down when they are
//! published, so that this room need not look up to them.

use super::bind::Bind;
use super::request::Request;
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::upcalls;

/// What is asked for; null before the settings have been read.
static REQUEST: AtomicPtr<Request> = AtomicPtr::new(std::ptr::null_mut());
/// The list of bind-var. Written before [`REQUEST`].
static BINDS: AtomicPtr<Vec<Bind>> = AtomicPtr::new(std::ptr::null_mut());

/// Puts a request and the list of bind-var into force. Called before the settings that they belong to are published.
#[allow(clippy::ptr_arg, reason = "the list is kept as it lies in the settings")]
pub fn put_in_force(request: &'static Request, binds: &'static Vec<Bind>) {
    BINDS.store(std::ptr::from_ref(binds).cast_mut(), Ordering::Release);
    REQUEST.store(std::ptr::from_ref(request).cast_mut(), Ordering::Release);
}

/// What the environment asks for. The first call reads the settings; it must not come from a signal handler.
#[inline(always)]
pub fn request() -> &'static Request {
    let mut request = REQUEST.load(Ordering::Acquire);
    if request.is_null() {
        request = first();
    }
    // SAFETY: settings that were published are never freed.
    unsafe { &*request }
}

#[cold]
fn first() -> *mut Request {
    upcalls::ferromp_up_read_settings();
    REQUEST.load(Ordering::Acquire)
}

/// The list of bind-var.
pub fn binds() -> &'static [Bind] {
    request();
    // SAFETY: written before the request, and never freed.
    unsafe { &*BINDS.load(Ordering::Acquire) }
}
