//! Memory that one thread uses most, in the NUMA domain of the CPU that the thread is on.
//!
//! The primary thread writes the slots of all members when it makes a team, and so the kernel puts all slots into the
//! primary thread's domain. A worker on another socket would fetch its slot from there, each time that the region's own
//! data has driven the slot out of the caches. On machines with several domains such objects therefore have pages of
//! their own ([`leak`]), and the worker has the kernel move the pages to its domain ([`bring`]).
//!
//! Nothing depends on where memory lies. Where the kernel refuses, as in some containers, the objects stay.

use super::cpus::available_cpus;
use super::in_force;
use super::sysfs;
use std::cell::Cell;
use std::ffi::c_void;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::OnceLock;

/// Processes that may use fewer CPUs are on one domain as a rule, and do not read the machine's description.
const FEW_CPUS: u32 = 8;
/// Objects do not get larger pages of their own: there, a team of 192 threads would take more than 24 MiB.
const LARGEST_PAGE: usize = 16 << 10;
/// The distance of objects' places in their pages. At the same place in each page, the slots of all members would share
/// one set of the primary thread's caches.
const STEP: usize = 128;

/// The NUMA domain in which an object is known to lie. Only the thread that calls [`bring`] reads and writes it.
#[derive(Debug)]
pub struct Domain(Cell<i32>);

impl Domain {
    const UNKNOWN: i32 = -1;
}

impl Default for Domain {
    fn default() -> Self {
        Domain(Cell::new(Domain::UNKNOWN))
    }
}

/// Memory for the object with this `number`, for as long as the process lives: pages of its own if the machine has
/// several domains.
pub fn leak<T>(number: u32, object: T) -> &'static T {
    match pages() {
        Some(pages) => leak_in_pages(pages, number, object),
        None => Box::leak(Box::new(object)),
    }
}

/// Moves an object that [`leak`] has placed to the domain of the CPU that the calling thread is on, if the object is
/// not `known` to lie there. Other threads may use the object meanwhile.
#[inline]
pub fn bring<T>(object: &'static T, known: &Domain) {
    if let Some(pages) = pages() {
        move_to_caller(NonNull::from(object).cast(), size_of::<T>(), pages.size, known);
    }
}

/// The number of the domain of the CPU that the calling thread is on; 0 where the kernel does not know.
pub fn domain_of_caller() -> u32 {
    let (mut cpu, mut domain) = (0u32, 0u32);
    // SAFETY: the call writes the two integers; its third argument is unused.
    let failed =
        unsafe { libc::syscall(libc::SYS_getcpu, &raw mut cpu, &raw mut domain, std::ptr::null_mut::<u8>()) } != 0;
    if failed { 0 } else { domain }
}

/// LeakSanitizer's function that looks for pointers in a part of memory.
type Register = unsafe extern "C" fn(*const c_void, usize);

/// The pages that objects have of their own.
#[derive(Clone, Copy)]
struct Pages {
    size: usize,
    /// LeakSanitizer's function, if it is in the process. It would report every block that only these pages point to.
    register: Option<Register>,
}

/// The pages that objects have of their own, if they have any. A team's first member asks first, so the look for
/// LeakSanitizer is never a worker's: the thread that waits for the worker may hold the dynamic linker's lock.
#[inline]
fn pages() -> Option<&'static Pages> {
    static PAGES: OnceLock<Option<Pages>> = OnceLock::new();
    let pages = PAGES.get_or_init(|| {
        let made_up = in_force::request().root.as_deref();
        // SAFETY: no preconditions.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok()?;
        let may_have_several = page <= LARGEST_PAGE && (made_up.is_some() || available_cpus() > FEW_CPUS);
        (may_have_several && has_several_domains(made_up.unwrap_or(Path::new("/"))))
            .then(|| Pages { size: page, register: register() })
    });
    pages.as_ref()
}

/// LeakSanitizer's function, if it is in the process.
fn register() -> Option<Register> {
    // SAFETY: looks a name up in the process's global scope. The function of this name has the type `Register`, and
    // null is the value `None` of such a function.
    unsafe { std::mem::transmute(libc::dlsym(libc::RTLD_DEFAULT, c"__lsan_register_root_region".as_ptr())) }
}

/// Whether the machine has memory in more than one domain.
fn has_several_domains(root: &Path) -> bool {
    sysfs::list(&root.join("sys/devices/system/node/has_memory")).is_some_and(|domains| domains.len() > 1)
}

#[cold]
fn leak_in_pages<T>(pages: &Pages, number: u32, object: T) -> &'static T {
    let bytes = size_of::<T>().next_multiple_of(pages.size);
    let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping at an address of the kernel's choice.
    let base = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, flags, -1, 0) };
    if base == libc::MAP_FAILED {
        return Box::leak(Box::new(object));
    }
    if let Some(register) = pages.register {
        // SAFETY: the mapping has so many bytes, and stays.
        unsafe { register(base, bytes) };
    }
    let place = place_in_pages(bytes - size_of::<T>(), align_of::<T>(), number);
    // SAFETY: the object fits behind `place`, which is a multiple of its alignment, as the page is. The mapping is
    // never given back.
    unsafe {
        let at = base.byte_add(place).cast::<T>();
        at.write(object);
        &*at
    }
}

/// Where the object with this `number` begins in pages that have so many bytes to `spare`.
fn place_in_pages(spare: usize, align: usize, number: u32) -> usize {
    let step = align.max(STEP);
    number as usize % (spare / step + 1) * step
}

#[cold]
fn move_to_caller(object: NonNull<u8>, bytes: usize, page: usize, known: &Domain) {
    let domain = domain_of_caller() as i32;
    if known.0.get() == domain {
        return;
    }
    // Noted even if the kernel refuses. Otherwise the thread would ask again before each region.
    known.0.set(domain);
    let first = object.as_ptr().map_addr(|address| address & !(page - 1));
    let mut at = first;
    while at.addr() < object.addr().get() + bytes {
        let mut lies_in = 0;
        // SAFETY: the call reads one address and one number, and writes one number. Moving keeps what is in the page.
        // A page that cannot be moved stays.
        unsafe { libc::syscall(libc::SYS_move_pages, 0, 1, &raw const at, &raw const domain, &raw mut lies_in, MOVE) };
        at = at.wrapping_add(page);
    }
}

/// `MPOL_MF_MOVE`: pages that this process alone uses.
const MOVE: libc::c_int = 2;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::testing::Root;

    #[test]
    fn a_machine_with_two_domains() {
        let root = Root::empty();
        assert!(!has_several_domains(root.path()));
        root.file("sys/devices/system/node/has_memory", "0\n");
        assert!(!has_several_domains(root.path()));
        root.file("sys/devices/system/node/has_memory", "0-1\n");
        assert!(has_several_domains(root.path()));
    }

    #[test]
    fn objects_have_pages_of_their_own() {
        #[repr(align(64))]
        struct Slot([u8; 1500]);
        let page = 4096;
        let pages = Pages { size: page, register: None };
        let slots: Vec<&Slot> = (0..40).map(|n| leak_in_pages(&pages, n, Slot([n as u8; 1500]))).collect();
        let numbers: std::collections::BTreeSet<usize> =
            slots.iter().map(|slot| (&raw const **slot).addr() / page).collect();
        assert_eq!(numbers.len(), 40);
        let places: std::collections::BTreeSet<usize> =
            slots.iter().map(|slot| (&raw const **slot).addr() % page).collect();
        assert!(places.len() > 15, "{places:?}");
        for (slot, n) in slots.into_iter().zip(0u8..) {
            let known = Domain::default();
            move_to_caller(NonNull::from(slot).cast(), size_of::<Slot>(), page, &known);
            assert!(known.0.get() >= 0);
            assert!(slot.0.iter().all(|&byte| byte == n), "moving keeps what is in the page");
            assert_eq!((&raw const *slot).addr() % 64, 0);
        }
    }

    #[test]
    fn an_object_stays_inside_its_pages() {
        for size in [64, 1500, 4096 - 64, 4096, 4100, 9000_usize] {
            let spare = size.next_multiple_of(4096) - size;
            assert!((0..99).all(|number| place_in_pages(spare, 64, number) <= spare));
        }
    }
}
