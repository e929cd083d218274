//! What the environment asks of places and binding, as it is in force. The settings hand it down when they are
//! published, so that no import leads up to the settings.

use super::request::Request;
use crate::model::atomic::{AtomicPtr, Ordering};
use crate::upcalls;

/// What is asked for; null before the settings have been read.
static REQUEST: AtomicPtr<Request> = AtomicPtr::new(std::ptr::null_mut());
/// Puts a request into force. Called before the settings that the request belongs to are published.
pub fn put_in_force(request: &'static Request) {
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
