//! The counters by their names, which are those of `perf list`. `:u` behind a name counts in user code only, and
//! `r` with hexadecimal digits is a raw event of the CPU.

use perf_event_open_sys::bindings as sys;

/// A counter of the kernel or of the CPU, without its modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name.
    pub name: &'static str,
    /// Another name of the same counter; empty if it has none.
    pub alias: &'static str,
    /// The name of the number of events in 1000 instructions, where that says something.
    pub per_1000: Option<&'static str>,
    /// Whether the kernel alone does what is counted, so that counting in user code finds nothing.
    in_kernel: bool,
    class: u32,
    config: u64,
}

/// A counter that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    kind: Kind,
    /// Whether it counts in user code only.
    pub user_only: bool,
}

/// The name of raw events in tables.
const RAW: &str = "raw";

macro_rules! kinds {
    ($( $name:literal $(= $alias:literal)? $([$marker:ident])?: $class:ident $config:expr; )*) => {
        /// All counters with names.
        pub static KINDS: &[Kind] = &[$(
            Kind {
                name: $name,
                alias: concat!($($alias)?),
                per_1000: kinds!(@per $name $($marker)?),
                in_kernel: kinds!(@kernel $($marker)?),
                class: sys::$class,
                config: $config as u64,
            },
        )*];
    };
    (@per $name:literal misses) => { Some(concat!($name, "/1000")) };
    (@per $name:literal $($marker:ident)?) => { None };
    (@kernel kernel) => { true };
    (@kernel $($marker:ident)?) => { false };
}

/// The configuration of a cache's counter: cache, operation, result.
const fn cache(cache: u32, operation: u32, misses: bool) -> u64 {
    let result = if misses { sys::PERF_COUNT_HW_CACHE_RESULT_MISS } else { sys::PERF_COUNT_HW_CACHE_RESULT_ACCESS };
    cache as u64 | (operation as u64) << 8 | (result as u64) << 16
}

const L1D: u32 = sys::PERF_COUNT_HW_CACHE_L1D;
const LLC: u32 = sys::PERF_COUNT_HW_CACHE_LL;
const DTLB: u32 = sys::PERF_COUNT_HW_CACHE_DTLB;
const NODE: u32 = sys::PERF_COUNT_HW_CACHE_NODE;
const READ: u32 = sys::PERF_COUNT_HW_CACHE_OP_READ;
const WRITE: u32 = sys::PERF_COUNT_HW_CACHE_OP_WRITE;

kinds! {
    "cycles" = "cpu-cycles": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_CPU_CYCLES;
    "instructions": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_INSTRUCTIONS;
    "cache-references": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_CACHE_REFERENCES;
    "cache-misses" [misses]: PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_CACHE_MISSES;
    "branches" = "branch-instructions": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_BRANCH_INSTRUCTIONS;
    "branch-misses" [misses]: PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_BRANCH_MISSES;
    "bus-cycles": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_BUS_CYCLES;
    "ref-cycles": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_REF_CPU_CYCLES;
    "stalled-cycles-frontend": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_STALLED_CYCLES_FRONTEND;
    "stalled-cycles-backend": PERF_TYPE_HARDWARE sys::PERF_COUNT_HW_STALLED_CYCLES_BACKEND;
    "L1-dcache-loads": PERF_TYPE_HW_CACHE cache(L1D, READ, false);
    "L1-dcache-load-misses" [misses]: PERF_TYPE_HW_CACHE cache(L1D, READ, true);
    "L1-dcache-stores": PERF_TYPE_HW_CACHE cache(L1D, WRITE, false);
    "LLC-loads": PERF_TYPE_HW_CACHE cache(LLC, READ, false);
    "LLC-load-misses" = "LLC-misses" [misses]: PERF_TYPE_HW_CACHE cache(LLC, READ, true);
    "LLC-stores": PERF_TYPE_HW_CACHE cache(LLC, WRITE, false);
    "LLC-store-misses" [misses]: PERF_TYPE_HW_CACHE cache(LLC, WRITE, true);
    "dTLB-loads": PERF_TYPE_HW_CACHE cache(DTLB, READ, false);
    "dTLB-load-misses" [misses]: PERF_TYPE_HW_CACHE cache(DTLB, READ, true);
    "node-loads": PERF_TYPE_HW_CACHE cache(NODE, READ, false);
    "node-load-misses" [misses]: PERF_TYPE_HW_CACHE cache(NODE, READ, true);
    "page-faults" = "faults": PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_PAGE_FAULTS;
    "minor-faults": PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_PAGE_FAULTS_MIN;
    "major-faults": PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_PAGE_FAULTS_MAJ;
    "context-switches" = "cs" [kernel]: PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_CONTEXT_SWITCHES;
    "cpu-migrations" = "migrations" [kernel]: PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_CPU_MIGRATIONS;
    "task-clock": PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_TASK_CLOCK;
    "cpu-clock": PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_CPU_CLOCK;
    "alignment-faults": PERF_TYPE_SOFTWARE sys::PERF_COUNT_SW_ALIGNMENT_FAULTS;
}

impl Counter {
    /// The counter of a name; none if there is no such name.
    pub fn find(name: &str) -> Option<Counter> {
        let (base, user_only) = match name.strip_suffix(":u") {
            Some(base) => (base, true),
            None => (name, false),
        };
        let named = KINDS.iter().find(|kind| kind.name == base || (!base.is_empty() && kind.alias == base)).copied();
        named.or_else(|| raw(base)).map(|kind| Counter { kind, user_only })
    }

    /// What is counted.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it is a clock of the kernel.
    pub fn is_clock(&self) -> bool {
        self.kind.name.ends_with("-clock")
    }

    /// The same counter, in user code only; none if that finds nothing.
    pub(super) fn in_user_code(self) -> Option<Counter> {
        (!self.user_only && !self.kind.in_kernel).then_some(Counter { user_only: true, ..self })
    }

    /// What the kernel wants to know about the counter.
    pub(super) fn attributes(&self) -> sys::perf_event_attr {
        let mut attributes = sys::perf_event_attr::default();
        attributes.size = size_of::<sys::perf_event_attr>() as u32;
        (attributes.type_, attributes.config) = (self.kind.class, self.kind.config);
        attributes.set_exclude_kernel(self.user_only.into());
        attributes.set_exclude_hv(self.user_only.into());
        attributes
    }
}

/// A raw event: `r` and hexadecimal digits.
fn raw(name: &str) -> Option<Kind> {
    let digits = name.strip_prefix('r').filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    let config = u64::from_str_radix(digits, 16).ok()?;
    Some(Kind { name: RAW, alias: "", per_1000: None, in_kernel: false, class: sys::PERF_TYPE_RAW, config })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_have_the_names_of_perf() {
        let named = |name| Counter::find(name).map(|counter| (counter.kind.name, counter.user_only));
        assert_eq!(named("cycles"), Some(("cycles", false)));
        assert_eq!(named("LLC-misses:u"), Some(("LLC-load-misses", true)));
        assert_eq!(Counter::find("r01c2").map(|counter| counter.kind.config), Some(0x1c2));
        for bad in ["", ":u", "Cycles", "cycles:k", "r", "rxyz", "r11112222333344445", "cycles,"] {
            assert_eq!(named(bad), None, "{bad}");
        }
        let misses = Counter::find("LLC-load-misses").unwrap();
        assert_eq!((misses.kind.config, misses.kind.per_1000), (0x10002, Some("LLC-load-misses/1000")));
        assert_eq!(Counter::find("cs").unwrap().in_user_code(), None);
    }
}
