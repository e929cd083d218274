//! Memory spaces as sets of storage resources (OpenMP 6.0, chapters 8 and 27): the predefined spaces, and those that
//! programs compose for certain devices.
//!
//! A resource is a NUMA domain of the host, or the memory of one device. Two calls with the same arguments return the
//! same handle, as the specification demands. So composed spaces live until the process ends.

use super::nodes;
use crate::allocators::spaces::{LAST_SPACE, NONE, Named, Resource, Space, Use, compose};
use crate::allocators::table::{self, LAST_PREDEFINED};
use crate::allocators::traits::{PREDEFINED, Traits};
use crate::allocators::{Handle, NULL};
use crate::device;
use std::collections::BTreeSet;

/// `omp_cgroup_mem_space`: the memory of a contention group.
pub const CONTENTION_GROUP: usize = Space::Cgroup.number();

fn resources_of_named(space: Named) -> Vec<Resource> {
    match space {
        Named::Predefined(space) => resources_of(space),
        Named::Composed(space) => space.resources.clone(),
    }
}

/// The resources of a predefined space, ascending; none if the machine has no such memory.
fn resources_of(space: Space) -> Vec<Resource> {
    let of_devices = |of| (0..device::count()).map(|number| Resource::Device(number, of)).collect();
    let domains = |nodes: &[u32]| nodes.iter().map(|&node| Resource::Domain(node)).collect::<Vec<_>>();
    match space.use_by_devices() {
        Some(of) => of_devices(of),
        None => match space {
            Space::LargeCap if !nodes::nodes().large_capacity.is_empty() => domains(&nodes::nodes().large_capacity),
            Space::HighBw => domains(&nodes::nodes().high_bandwidth),
            _ if nodes::nodes().all.is_empty() => vec![Resource::Host],
            _ => domains(&nodes::nodes().all),
        },
    }
}

/// The devices that a routine is about.
pub enum Devices<'a> {
    /// These devices; the host may be one of them.
    These(&'a [i32]),
    /// All devices.
    All,
}

/// The number of the space whose resources all of these devices can use, and the host if `and_host`. [`NONE`] if there
/// are no such resources, or a device or the space does not exist (OpenMP 6.0, chapter 27).
pub fn accessible(devices: &Devices, and_host: bool, number: usize) -> usize {
    let Some(Named::Predefined(base)) = Named::find(number) else { return NONE };
    let count = device::count();
    let listed: Vec<i32> = match devices {
        Devices::These(these) => these.to_vec(),
        Devices::All => (0..count).collect(),
    };
    let and_host = and_host || listed.iter().any(|&number| device::is_host(number));
    let others: BTreeSet<i32> = listed.into_iter().filter(|&number| !device::is_host(number)).collect();
    if others.iter().any(|&number| device::find(number).is_none_or(|device| !device.ready())) {
        return NONE;
    }
    if others.is_empty() {
        // The host's own resources. Devices' memory is not the host's, unless the space is for the host.
        let resources = resources_of(base);
        return if and_host && !resources.is_empty() { base.number() } else { NONE };
    }
    match use_by(base, others.len(), and_host) {
        Some(of) => compose(base, others.into_iter().map(|number| Resource::Device(number, of)).collect()),
        None => NONE,
    }
}

/// The use of a space's memory that this many devices, and perhaps the host, can reach; `None` if there is no such
/// memory.
fn use_by(base: Space, devices: usize, and_host: bool) -> Option<Use> {
    let alone = devices == 1 && !and_host;
    match base.use_by_devices() {
        Some(Use::Device) => alone.then_some(Use::Device),
        Some(of) => Some(of),
        None => match base {
            // It is unknown which memory of a device is large or fast.
            Space::LargeCap | Space::HighBw => None,
            _ if alone => Some(Use::Device),
            _ => Some(Use::Shared),
        },
    }
}

/// The number of a space's resources (`omp_get_memspace_num_resources`); 0 for a number of no space.
pub fn count_resources(number: usize) -> i32 {
    let count = Named::find(number).map_or(0, |space| resources_of_named(space).len());
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// The number of the space that has the resources of another space with the indices in `chosen`
/// (`omp_get_submemspace`). [`NONE`] if one of them does not exist, or none is listed.
pub fn part(number: usize, chosen: &[i32]) -> usize {
    let Some(space) = Named::find(number) else { return NONE };
    let all = resources_of_named(space);
    let found = chosen.iter().map(|&index| all.get(usize::try_from(index).ok()?).copied()).collect::<Option<Vec<_>>>();
    match found {
        Some(mut resources) if !resources.is_empty() => {
            resources.sort_unstable();
            resources.dedup();
            if resources == all { space.number() } else { compose(space.base(), resources) }
        }
        _ => NONE,
    }
}

/// The allocator of a space with the default traits, which lives for ever; [`NULL`] for a number of no space (OpenMP
/// 6.0, chapter 27).
pub fn allocator(number: usize) -> Handle {
    match Named::find(number) {
        None => NULL,
        Some(Named::Predefined(space)) => {
            // The plain allocator of a space comes first in the table.
            PREDEFINED.iter().find(|one| one.space == space).map_or(NULL, |one| one.handle)
        }
        Some(Named::Composed(space)) => {
            space.allocator.get_or_init(|| table::add_composed(space, Traits::DEFAULT, true)).unwrap_or(NULL)
        }
    }
}

const _: () = assert!(LAST_SPACE == LAST_PREDEFINED as usize);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::allocators::table;

    #[test]
    fn the_host_alone() {
        let default = Space::Default.number();
        assert_eq!(accessible(&Devices::These(&[device::host()]), false, default), default);
        assert_eq!(accessible(&Devices::These(&[-1, -1]), true, Space::LowLat.number()), Space::LowLat.number());
        assert_eq!(accessible(&Devices::All, true, default), default);
        for wrong in [device::host() + 1, -2, 70_000] {
            assert_eq!(accessible(&Devices::These(&[wrong]), false, default), NONE);
        }
        for number in [NONE, 98, LAST_SPACE + 1 + 1_000_000, usize::MAX] {
            assert_eq!(accessible(&Devices::All, true, number), NONE);
            assert_eq!((count_resources(number), part(number, &[0]), allocator(number)), (0, NONE, NULL));
        }
        assert_eq!(accessible(&Devices::These(&[device::host()]), false, Space::TargetDevice.number()), NONE);
    }

    #[test]
    fn parts_have_one_number_each() {
        let default = Space::Default.number();
        let count = count_resources(default);
        assert!(count >= 1);
        let all: Vec<i32> = (0..count).collect();
        assert_eq!(part(default, &all), default);
        assert_eq!(part(default, &[0, 0]), part(default, &[0]));
        assert_eq!(part(default, &[]), NONE);
        assert_eq!(part(default, &[count]), NONE);
        assert_eq!(part(default, &[-1]), NONE);
    }

    #[test]
    fn composed_spaces_are_found_again() {
        let resources = vec![Resource::Device(3, Use::Shared), Resource::Device(4, Use::Shared)];
        let number = compose(Space::Default, resources.clone());
        assert!(number > LAST_SPACE);
        assert_eq!(compose(Space::Default, resources), number);
        assert_eq!(count_resources(number), 2);
        let one = part(number, &[1]);
        assert!(one != number && count_resources(one) == 1 && part(one, &[0]) == one);
        let Some(Named::Composed(space)) = Named::find(one) else { panic!("{one}") };
        assert_eq!(space.to_string(), "omp_default_mem_space(device 4)");
        let handle = allocator(one);
        assert!(handle > LAST_PREDEFINED && handle == allocator(one));
        assert!(table::remove(handle as usize) && table::find(handle as usize).is_some());
    }

    #[test]
    fn who_can_use_what() {
        assert_eq!(use_by(Space::Default, 1, false), Some(Use::Device));
        assert_eq!(use_by(Space::Default, 1, true), Some(Use::Shared));
        assert_eq!(use_by(Space::Const, 2, false), Some(Use::Shared));
        assert_eq!(use_by(Space::HighBw, 1, false), None);
        assert_eq!(use_by(Space::TargetDevice, 2, false), None);
        assert_eq!(use_by(Space::TargetHost, 2, true), Some(Use::Host));
    }

    #[test]
    fn the_plain_allocator_of_a_space() {
        let all = [Space::Default, Space::LargeCap, Space::Const, Space::HighBw, Space::LowLat];
        assert_eq!(all.map(|space| allocator(space.number())), [1, 2, 3, 4, 5]);
        assert_eq!(allocator(Space::Cgroup.number()), 6);
        assert_eq!(allocator(Space::TargetShared.number()), 101);
    }
}
