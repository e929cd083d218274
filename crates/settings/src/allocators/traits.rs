//! The traits of allocators, from the arrays that programs pass and from the text of `OMP_ALLOCATOR`. OpenMP 5.1
//! §2.13.1, §2.13.2 and §6.22; traits about devices and parts: OpenMP 6.0, chapter 8.

use std::fmt;

use super::handle::Handle;
use super::spaces::Space;
use crate::environment::{name, word, words};

/// A trait: its name in `OMP_ALLOCATOR`, its number (`omp_alloctrait_key_t`), and the names and numbers of its values
/// (`omp_alloctrait_value_t`), the default value first. A trait without such values has numbers.
type Row = (&'static str, u32, &'static [(&'static str, usize)]);

/// The traits.
const TRAITS: [Row; 13] = [
    ("sync_hint", 1, &[("contended", 3), ("uncontended", 4), ("serialized", 5), ("sequential", 5), ("private", 6)]),
    ("alignment", 2, &[]),
    (
        "access",
        3,
        &[("all", ALL), ("memspace", 22), ("device", ALL_OR_DEVICE), ("thread", 8), ("pteam", 9), ("cgroup", 10)],
    ),
    ("pool_size", 4, &[]),
    ("fallback", 5, &[("default_mem_fb", 11), ("null_fb", 12), ("abort_fb", 13), ("allocator_fb", 14)]),
    ("fb_data", 6, &[]),
    ("pinned", 7, &[("false", 0), ("true", 1)]),
    ("partition", 8, &[("environment", 15), ("nearest", 16), ("blocked", 17), ("interleaved", 18)]),
    ("pin_device", 9, &[]),
    ("preferred_device", 10, &[]),
    ("target_access", TARGET_ACCESS, &[("single", 20), ("multiple", 21)]),
    ("atomic_scope", 13, &[("all", ALL), ("device", ALL_OR_DEVICE)]),
    ("part_size", 14, &[]),
];

/// `omp_atk_target_access`.
const TARGET_ACCESS: u32 = 12;
/// LLVM's name for what became `target_access`.
const DEVICE_ACCESS: u32 = 11;

/// `omp_atv_all` of clang since LLVM 21.
const ALL: usize = 19;
/// `omp_atv_all` of gcc, and of clang before LLVM 21; `omp_atv_device` since then.
const ALL_OR_DEVICE: usize = 7;
/// `omp_atv_default`, a value of every trait except `fb_data`.
const BY_DEFAULT: usize = usize::MAX;

/// A predefined allocator.
pub struct Predefined {
    pub handle: Handle,
    pub name: &'static str,
    pub space: Space,
    pub traits: Traits,
}

const fn ordinary(handle: Handle, name: &'static str, space: Space) -> Predefined {
    Predefined { handle, name, space, traits: Traits::DEFAULT }
}

const fn without_fallback(handle: Handle, name: &'static str, pinned: bool) -> Predefined {
    let traits = Traits { fallback: Fallback::Null, pinned, ..Traits::DEFAULT };
    Predefined { handle, name, space: Space::Default, traits }
}

/// The predefined allocators by handle: OpenMP's from 1 on (§2.13.2, Table 2.10), then LLVM's and gcc's own. Their
/// traits are the default ones, except where the table says otherwise. The trait `access`, which restricts only the
/// program, is left out.
pub const PREDEFINED: [Predefined; 13] = [
    // Other allocators fall back to this one.
    without_fallback(1, "omp_default_mem_alloc", false),
    ordinary(2, "omp_large_cap_mem_alloc", Space::LargeCap),
    ordinary(3, "omp_const_mem_alloc", Space::Const),
    ordinary(4, "omp_high_bw_mem_alloc", Space::HighBw),
    ordinary(5, "omp_low_lat_mem_alloc", Space::LowLat),
    ordinary(6, "omp_cgroup_mem_alloc", Space::Cgroup),
    ordinary(7, "omp_pteam_mem_alloc", Space::Default),
    ordinary(8, "omp_thread_mem_alloc", Space::Default),
    ordinary(100, "llvm_omp_target_host_mem_alloc", Space::TargetHost),
    ordinary(101, "llvm_omp_target_shared_mem_alloc", Space::TargetShared),
    ordinary(102, "llvm_omp_target_device_mem_alloc", Space::TargetDevice),
    without_fallback(200, "ompx_gnu_pinned_mem_alloc", true),
    ordinary(201, "ompx_gnu_managed_mem_alloc", Space::GnuManaged),
];

/// What happens to a request that an allocator cannot serve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fallback {
    /// `omp_default_mem_alloc` serves the request, or the result is null.
    DefaultMem,
    Null,
    Abort,
    Allocator(Handle),
}

/// How the pages of a block are divided among the NUMA domains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Partition {
    /// As the operating system does it.
    Environment,
    /// In the domain of the requesting thread.
    Nearest,
    /// In parts of equal size, one a domain.
    Blocked,
    /// Page by page in turn.
    Interleaved,
}

words! {
    Partition: "environment" => Partition::Environment, "nearest" => Partition::Nearest,
        "blocked" => Partition::Blocked, "interleaved" => Partition::Interleaved;
}

/// The traits of an allocator that have an effect. The traits `sync_hint`, `access`, `target_access` and `atomic_scope`
/// are only checked. Any thread may use any allocator at any time, all threads of the host reach all of its memory, and
/// the space decides which devices reach the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traits {
    /// A power of two, in bytes.
    pub alignment: usize,
    /// The most bytes of all blocks together; `usize::MAX` where there is no limit.
    pub pool_size: usize,
    pub fallback: Fallback,
    pub pinned: bool,
    pub partition: Partition,
    /// The device for which memory is pinned; `None` for the host.
    pub pin_device: Option<i32>,
    /// The device whose memory is preferred where a space has memory of several devices.
    pub preferred_device: Option<i32>,
    /// Bytes of a part of interleaved memory; 0 for pages.
    pub part_size: usize,
}

impl Traits {
    pub const DEFAULT: Traits = Traits {
        alignment: 1,
        pool_size: usize::MAX,
        fallback: Fallback::DefaultMem,
        pinned: false,
        partition: Partition::Environment,
        pin_device: None,
        preferred_device: None,
        part_size: 0,
    };

    /// The traits in a list of keys and values; `None` where a key is unknown, or a value does not belong to its key.
    /// `exists` gives the handle of an allocator that exists.
    pub fn from_pairs(
        pairs: impl IntoIterator<Item = (u32, usize)>,
        exists: impl Fn(usize) -> Option<Handle>,
    ) -> Option<Traits> {
        let mut traits = Traits::DEFAULT;
        let mut fb_data = 0;
        for (key, number) in pairs {
            let key = if key == DEVICE_ACCESS { TARGET_ACCESS } else { key };
            let (name, _, values) = *TRAITS.iter().find(|row| row.1 == key)?;
            let value = values.iter().find(|(_, its)| number == *its || number == BY_DEFAULT).map(|(value, _)| *value);
            match (name, value) {
                ("sync_hint" | "access" | "target_access" | "atomic_scope", Some(_)) => {}
                ("alignment", _) if number == BY_DEFAULT => traits.alignment = Traits::DEFAULT.alignment,
                ("alignment", _) if number.is_power_of_two() => traits.alignment = number,
                // The default number is no limit.
                ("pool_size", _) if number > 0 => traits.pool_size = number,
                ("fallback", Some("default_mem_fb")) => traits.fallback = Fallback::DefaultMem,
                ("fallback", Some("null_fb")) => traits.fallback = Fallback::Null,
                ("fallback", Some("abort_fb")) => traits.fallback = Fallback::Abort,
                // The allocator comes with the key `fb_data`.
                ("fallback", Some(_)) => traits.fallback = Fallback::Allocator(0),
                ("fb_data", _) => fb_data = number,
                ("pinned", Some(value)) => traits.pinned = value == "true",
                ("partition", Some(value)) => traits.partition = word(value)?,
                ("pin_device", _) => traits.pin_device = device(number)?,
                ("preferred_device", _) => traits.preferred_device = device(number)?,
                ("part_size", _) if number == BY_DEFAULT => traits.part_size = Traits::DEFAULT.part_size,
                ("part_size", _) if number > 0 => traits.part_size = number,
                _ => return None,
            }
        }
        if let Fallback::Allocator(handle) = &mut traits.fallback {
            *handle = exists(fb_data)?;
        }
        Some(traits)
    }
}

/// The device that a trait names; `Some(None)` for `omp_initial_device`, which has the value of [`BY_DEFAULT`]. `None`
/// for a number that no device can have. Whether there is such a device is checked when memory is requested.
fn device(number: usize) -> Option<Option<i32>> {
    match number {
        // A program may have passed the number as an `int`.
        BY_DEFAULT | 0xffff_ffff => Some(None),
        number => i32::try_from(number).ok().map(Some),
    }
}

/// A value of `OMP_ALLOCATOR`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spec {
    Predefined(Handle),
    Made(Space, Traits),
}

impl Spec {
    /// Parses `predefined allocator` or `memory space[: trait=value, …]`.
    pub fn parse(text: &str) -> Option<Spec> {
        let text = text.trim();
        if let Some(handle) = predefined(text) {
            return Some(Spec::Predefined(handle));
        }
        let (space, list) = text.split_once(':').map_or((text, None), |(space, list)| (space, Some(list)));
        let pairs = list.into_iter().flat_map(|list| list.split(',')).map(pair).collect::<Option<Vec<_>>>()?;
        let exists = |handle| Handle::try_from(handle).ok().filter(|&handle| handle != 0);
        Some(Spec::Made(Space::named(space.trim())?, Traits::from_pairs(pairs, exists)?))
    }
}

/// The handle of the predefined allocator of this name.
fn predefined(name: &str) -> Option<Handle> {
    PREDEFINED.iter().find(|one| one.name.eq_ignore_ascii_case(name)).map(|one| one.handle)
}

/// One `trait=value`.
fn pair(text: &str) -> Option<(u32, usize)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    let (name, key, values) = *TRAITS.iter().find(|row| row.0.eq_ignore_ascii_case(name))?;
    let number = match values {
        [] if name == "fb_data" => predefined(value)? as usize,
        [] => value.bytes().all(|byte| byte.is_ascii_digit()).then(|| value.parse().ok())??,
        values => values.iter().find(|(its, _)| its.eq_ignore_ascii_case(value))?.1,
    };
    Some((key, number))
}

/// The name of a predefined allocator, as `OMP_DISPLAY_ENV` shows it.
pub fn name_of(handle: Handle) -> Option<&'static str> {
    PREDEFINED.iter().find(|one| one.handle == handle).map(|one| one.name)
}

impl fmt::Display for Traits {
    /// The form of `OMP_ALLOCATOR` behind the space: the traits that differ from the default.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let text = |text: &str| Some(text.to_owned());
        let (fallback, fb_data) = match self.fallback {
            Fallback::DefaultMem => (None, None),
            Fallback::Null => (text("null_fb"), None),
            Fallback::Abort => (text("abort_fb"), None),
            Fallback::Allocator(handle) => (text("allocator_fb"), name_of(handle).and_then(text)),
        };
        let partition = Some(self.partition).filter(|&partition| partition != Traits::DEFAULT.partition);
        let number = |number: usize, default: usize| (number != default).then(|| number.to_string());
        let parts = [
            ("alignment", number(self.alignment, Traits::DEFAULT.alignment)),
            ("pool_size", number(self.pool_size, Traits::DEFAULT.pool_size)),
            ("fallback", fallback),
            ("fb_data", fb_data),
            ("pinned", self.pinned.then(|| String::from("true"))),
            ("partition", partition.map(|partition| name(partition).to_ascii_lowercase())),
            ("pin_device", self.pin_device.map(|number| number.to_string())),
            ("preferred_device", self.preferred_device.map(|number| number.to_string())),
            ("part_size", number(self.part_size, Traits::DEFAULT.part_size)),
        ];
        let mut mark = ':';
        for (name, value) in parts {
            if let Some(value) = value {
                write!(f, "{mark}{name}={value}")?;
                mark = ',';
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traits(pairs: &[(u32, usize)]) -> Option<Traits> {
        Traits::from_pairs(pairs.iter().copied(), |handle| (handle == 3).then_some(3))
    }

    #[test]
    fn every_trait_has_its_default() {
        for key in [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14] {
            assert_eq!(traits(&[(key, usize::MAX)]), Some(Traits::DEFAULT), "{key}");
        }
        assert_eq!(traits(&[]), Some(Traits::DEFAULT));
    }

    #[test]
    fn values_are_taken() {
        let all = traits(&[(1, 5), (2, 64), (3, 8), (4, 1000), (5, 14), (6, 3), (7, 1), (8, 18)]).unwrap();
        let expected = Traits {
            alignment: 64,
            pool_size: 1000,
            fallback: Fallback::Allocator(3),
            pinned: true,
            partition: Partition::Interleaved,
            ..Traits::DEFAULT
        };
        assert_eq!(all, expected);
        assert_eq!(traits(&[(6, 3), (5, 14)]).unwrap().fallback, Fallback::Allocator(3));
        assert_eq!(traits(&[(5, 12)]).unwrap().fallback, Fallback::Null);
        assert_eq!(traits(&[(5, 13)]).unwrap().fallback, Fallback::Abort);
    }

    #[test]
    fn traits_about_devices() {
        let all = traits(&[(3, 22), (9, 2), (10, 0), (11, 20), (12, 21), (13, 7), (14, 8192)]).unwrap();
        assert_eq!((all.pin_device, all.preferred_device, all.part_size), (Some(2), Some(0), 8192));
        assert_eq!(traits(&[(9, 0xffff_ffff), (3, 19), (13, 19)]), Some(Traits::DEFAULT));
    }

    #[test]
    fn what_is_no_trait_is_refused() {
        for pair in [
            (0, 0),
            (15, 1),
            (u32::MAX, 1),
            (1, 7),
            (1, 2),
            (2, 0),
            (2, 3),
            (2, 48),
            (3, 11),
            (3, 6),
            (4, 0),
            (5, 10),
            (5, 15),
            (5, 14),
            (7, 2),
            (8, 14),
            (8, 19),
            (9, 1 << 40),
            (11, 19),
            (12, 22),
            (13, 20),
            (14, 0),
        ] {
            assert_eq!(traits(&[pair]), None, "{pair:?}");
        }
        assert_eq!(traits(&[(5, 14), (6, 77)]), None);
    }

    #[test]
    fn the_variable_names_a_predefined_allocator() {
        assert_eq!(Spec::parse(" omp_high_bw_mem_alloc "), Some(Spec::Predefined(4)));
        assert_eq!(Spec::parse("OMP_THREAD_MEM_ALLOC"), Some(Spec::Predefined(8)));
        assert_eq!(Spec::parse("llvm_omp_target_device_mem_alloc"), Some(Spec::Predefined(102)));
        assert_eq!(Spec::parse("ompx_gnu_pinned_mem_alloc"), Some(Spec::Predefined(200)));
    }

    #[test]
    fn the_variable_describes_an_allocator() {
        assert_eq!(Spec::parse("omp_low_lat_mem_space"), Some(Spec::Made(Space::LowLat, Traits::DEFAULT)));
        let text = "omp_large_cap_mem_space : alignment = 16 , PINNED=True, pool_size=4096,fallback=allocator_fb,\
                    fb_data=omp_const_mem_alloc,partition=nearest,sync_hint=private,access=all";
        let expected = Traits {
            alignment: 16,
            pool_size: 4096,
            fallback: Fallback::Allocator(3),
            pinned: true,
            partition: Partition::Nearest,
            ..Traits::DEFAULT
        };
        assert_eq!(Spec::parse(text), Some(Spec::Made(Space::LargeCap, expected)));
    }

    #[test]
    fn other_text_is_refused() {
        for text in [
            "",
            "malloc",
            "omp_null_allocator",
            "omp_default_mem_alloc:alignment=16",
            "omp_default_mem_space:",
            "omp_default_mem_space:alignment",
            "omp_default_mem_space:alignment=",
            "omp_default_mem_space:alignment=+16",
            "omp_default_mem_space:alignment=24",
            "omp_default_mem_space:alignment=99999999999999999999999",
            "omp_default_mem_space:pinned=1",
            "omp_default_mem_space:pool_size=0",
            "omp_default_mem_space:partition=all",
            "omp_default_mem_space:fallback=allocator_fb",
            "omp_default_mem_space:fb_data=7",
            "omp_default_mem_space:colour=blue",
            "omp_default_mem_space:pinned=true,",
            "omp_default_mem_space,pinned=true",
        ] {
            assert_eq!(Spec::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_description_can_be_read_again() {
        for text in [
            "omp_default_mem_space",
            "omp_high_bw_mem_space:alignment=128,pool_size=5,fallback=abort_fb,pinned=true,partition=blocked",
            "omp_const_mem_space:fallback=allocator_fb,fb_data=omp_pteam_mem_alloc",
            "omp_cgroup_mem_space:partition=interleaved,pin_device=1,preferred_device=2,part_size=65536",
        ] {
            let Some(Spec::Made(space, traits)) = Spec::parse(text) else { panic!("{text}") };
            assert_eq!(format!("{}{traits}", space.name()), text);
        }
    }
}
