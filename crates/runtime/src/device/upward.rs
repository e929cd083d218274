//! The answer to a call from lower layers (`upcalls.rs`).

use super::available;

/// [`ferromp_up_host_number`](crate::upcalls::ferromp_up_host_number).
#[unsafe(no_mangle)]
fn ferromp_up_host_number() -> i32 {
    available::host()
}
