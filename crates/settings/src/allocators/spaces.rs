//! Memory spaces as sets of storage resources: predefined spaces, and spaces that programs have composed.

use super::handle::Handle;
use crate::park::mutex::Mutex;
use std::fmt::{self, Write};
use std::sync::OnceLock;

/// `omp_null_mem_space`: no space. Old programs pass the same number to `omp_init_allocator` for the default space.
pub const NONE: usize = 0;

/// `omp_default_mem_space`.
pub const DEFAULT: usize = Space::Default.number();

/// No predefined space has a larger number (`kmp_max_mem_space` of libomp).
pub const LAST_SPACE: usize = 1024;

/// A predefined memory space (§2.13.1, Table 2.8), by the numbers of `omp_memspace_handle_t`. Only the default space
/// has two numbers.
#[repr(u8)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Since LLVM 21; gcc and older releases of clang have [`OLD_DEFAULT`].
    Default = 99,
    LargeCap = 1,
    Const = 2,
    HighBw = 3,
    LowLat = 4,
    /// Memory of a contention group: ordinary memory on the host.
    Cgroup = 5,
    TargetHost = 100,
    TargetShared = 101,
    TargetDevice = 102,
    GnuManaged = 200,
}

/// The number of the default space in gcc's header, and in clang's before LLVM 21. Since LLVM 21, the number of
/// `omp_null_mem_space`.
pub const OLD_DEFAULT: usize = 0;

/// Each space and its name.
const SPACES: [(&str, Space); 10] = [
    ("omp_default_mem_space", Space::Default),
    ("omp_large_cap_mem_space", Space::LargeCap),
    ("omp_const_mem_space", Space::Const),
    ("omp_high_bw_mem_space", Space::HighBw),
    ("omp_low_lat_mem_space", Space::LowLat),
    ("omp_cgroup_mem_space", Space::Cgroup),
    ("llvm_omp_target_host_mem_space", Space::TargetHost),
    ("llvm_omp_target_shared_mem_space", Space::TargetShared),
    ("llvm_omp_target_device_mem_space", Space::TargetDevice),
    ("ompx_gnu_managed_mem_space", Space::GnuManaged),
];

impl Space {
    /// The space that a program names by its number.
    pub fn from_number(number: usize) -> Option<Space> {
        if number == OLD_DEFAULT {
            return Some(Space::Default);
        }
        SPACES.iter().map(|&(_, space)| space).find(|&space| space as usize == number)
    }

    /// The space of this name.
    pub(super) fn named(name: &str) -> Option<Space> {
        SPACES.iter().find(|(its, _)| its.eq_ignore_ascii_case(name)).map(|&(_, space)| space)
    }

    /// The number by which programs name the space.
    pub const fn number(self) -> usize {
        self as usize
    }

    /// The use of the devices' memory that the space consists of; `None` for a space of the host.
    pub fn use_by_devices(self) -> Option<Use> {
        match self {
            Space::TargetHost => Some(Use::Host),
            Space::TargetShared => Some(Use::Shared),
            Space::TargetDevice => Some(Use::Device),
            _ => None,
        }
    }

    /// The space's name in `OMP_ALLOCATOR`.
    pub fn name(self) -> &'static str {
        SPACES.iter().find(|(_, space)| *space == self).map_or("", |(name, _)| name)
    }
}

/// A storage resource.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resource {
    /// The host's memory where the NUMA domains are not known.
    Host,
    /// A NUMA domain of the host.
    Domain(u32),
    /// Memory from a device's driver, by the device's number and the memory's use.
    Device(i32, Use),
}

/// The users of a device's resource.
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
    pub number: usize,
    /// The predefined space that the resources belong to.
    pub base: Space,
    /// At least one.
    pub resources: Vec<Resource>,
    /// The allocator of the routines that retrieve one, such as `omp_get_device_allocator`, made on the first call.
    pub allocator: OnceLock<Option<Handle>>,
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
pub static COMPOSED: Mutex<Vec<&'static Composed>> = Mutex::new(Vec::new());

/// A space that a handle names.
#[derive(Clone, Copy)]
pub enum Named {
    Predefined(Space),
    Composed(&'static Composed),
}

impl Named {
    /// The space with this number; `None` where no space has the number, as with [`NONE`].
    pub fn find(number: usize) -> Option<Named> {
        if number == NONE {
            return None;
        }
        match number.checked_sub(LAST_SPACE + 1) {
            Some(index) => COMPOSED.with(|all| all.get(index).copied()).map(Named::Composed),
            None => Space::from_number(number).map(Named::Predefined),
        }
    }

    pub fn base(self) -> Space {
        match self {
            Named::Predefined(space) => space,
            Named::Composed(space) => space.base,
        }
    }

    pub fn number(self) -> usize {
        match self {
            Named::Predefined(space) => space.number(),
            Named::Composed(space) => space.number,
        }
    }
}

/// The number of the space with this base and these sorted resources. A new space is made if there is none.
pub fn compose(base: Space, resources: Vec<Resource>) -> usize {
    COMPOSED.with(|all| {
        if let Some(known) = all.iter().find(|space| space.base == base && space.resources == resources) {
            return known.number;
        }
        let number = LAST_SPACE + 1 + all.len();
        all.push(Box::leak(Box::new(Composed { number, base, resources, allocator: OnceLock::new() })));
        number
    })
}

/// In a forked child, the thread that held the lock may not exist. The spaces stay.
pub fn after_fork() {
    COMPOSED.force_open();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_have_the_programs_numbers() {
        for number in [1, 2, 3, 4, 5, 99, 100, 101, 102] {
            assert_eq!(Space::from_number(number).map(Space::number), Some(number));
        }
        assert_eq!(Space::from_number(OLD_DEFAULT), Some(Space::Default));
        for number in [6, 98, 103, usize::MAX] {
            assert_eq!(Space::from_number(number), None);
        }
    }
}
