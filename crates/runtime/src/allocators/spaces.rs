//! Memory spaces as sets of storage resources: those that OpenMP names, and those that programs have composed.

use crate::allocators::Handle;
use crate::allocators::traits::Space;
use crate::park::mutex::Mutex;
use std::fmt::{self, Write};
use std::sync::OnceLock;

/// `omp_null_mem_space`: no space. Old programs pass the same number to `omp_init_allocator` for the default space.
pub const NONE: usize = 0;

/// `omp_default_mem_space`.
pub const DEFAULT: usize = Space::Default.number();

/// No predefined space has a larger number (`kmp_max_mem_space` of libomp).
pub const LAST_SPACE: usize = 1024;

/// A storage resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resource {
    /// The host's memory where its domains are not known.
    Host,
    /// A NUMA domain of the host.
    Domain(u32),
    /// Memory that a device's driver gives, for who is to use it.
    Device(i32, Use),
}

/// Who can use a resource of a device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Use {
    /// The device alone.
    Device,
    /// The host; the device reaches it.
    Host,
    /// Host and devices, by the same address.
    Shared,
}

/// A space that a program has composed.
#[derive(Debug)]
pub struct Composed {
    pub(crate) number: usize,
    pub(crate) base: Space,
    pub(crate) resources: Vec<Resource>,
    /// The allocator of the routines that retrieve one (`omp_get_device_allocator` and its kin), made on the first
    /// call.
    pub(crate) allocator: OnceLock<Option<Handle>>,
}

impl Composed {
    /// Its resources, of which there is at least one.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    /// The predefined space that its resources are of.
    pub fn base(&self) -> Space {
        self.base
    }
}

impl fmt::Display for Composed {
    /// The base's name, and the resources.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.base.name())?;
        let mut mark = '(';
        for resource in &self.resources {
            match resource {
                Resource::Host => write!(f, "{mark}host")?,
                Resource::Domain(node) => write!(f, "{mark}domain {node}")?,
                Resource::Device(number, _) => write!(f, "{mark}device {number}")?,
            }
            mark = ' ';
        }
        f.write_char(')')
    }
}

/// The spaces that programs have composed, by number.
pub(crate) static COMPOSED: Mutex<Vec<&'static Composed>> = Mutex::new(Vec::new());

/// A space that a handle names.
#[derive(Clone, Copy)]
pub enum Named {
    Predefined(Space),
    Composed(&'static Composed),
}

impl Named {
    /// The space with this number; none where no space has it, as with [`NONE`].
    pub fn find(number: usize) -> Option<Named> {
        if number == NONE {
            return None;
        }
        match number.checked_sub(LAST_SPACE + 1) {
            Some(index) => COMPOSED.with(|all| all.get(index).copied()).map(Named::Composed),
            None => Space::from_number(number).map(Named::Predefined),
        }
    }

    pub(crate) fn base(self) -> Space {
        match self {
            Named::Predefined(space) => space,
            Named::Composed(space) => space.base,
        }
    }

    pub(crate) fn number(self) -> usize {
        match self {
            Named::Predefined(space) => space.number(),
            Named::Composed(space) => space.number,
        }
    }
}

/// The number of the space with this base and these resources, which are in order.
pub(crate) fn compose(base: Space, resources: Vec<Resource>) -> usize {
    COMPOSED.with(|all| {
        if let Some(known) = all.iter().find(|space| space.base == base && space.resources == resources) {
            return known.number;
        }
        let number = LAST_SPACE + 1 + all.len();
        all.push(Box::leak(Box::new(Composed { number, base, resources, allocator: OnceLock::new() })));
        number
    })
}

/// In a forked child: the spaces stay, whoever held the list.
pub fn after_fork() {
    COMPOSED.force_open();
}
