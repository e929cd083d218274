//! The request about places and binding that is in force. The settings put the request into force when they are
//! published, so that no import leads up to the settings.

use super::request::Request;
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::upcalls;

/// The request in force; null before the settings have been read.
static REQUEST: AtomicPtr<Request> = AtomicPtr::new(std::ptr::null_mut());
/// Puts a request into force. Called before the settings that the request belongs to are published.
pub fn put_in_force(request: &'static Request) {
    REQUEST.store(std::ptr::from_ref(request).cast_mut(), Ordering::Release);
}

/// The request in force. The first call reads the settings, and must not come from a signal handler.
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
