//! Facts about the processor.

/// Bits of the largest address that Linux gives a program which does not ask for more. The bits above are free in a
/// word that holds an address.
pub const ADDRESS_BITS: u32 = 47;

/// The processor's number in the heads of ELF files (`EM_X86_64`).
pub const ELF_MACHINE: u16 = 62;

/// Bytes that every page size of Linux on this architecture divides.
pub const PAGE: usize = 4096;

/// A clock that is quick to read. It usually counts at an equal pace; what one tick is, is not known. Threads on
/// different CPUs may read it differently. So callers must bear wrong readings.
#[inline(always)]
pub fn ticks() -> u64 {
    // SAFETY: every processor of the architecture has the instruction, which reads a counter and touches no memory. A
    // process that has forbidden the instruction to itself (`PR_SET_TSC`) gets a signal.
    unsafe { std::arch::x86_64::_rdtsc() }
}

/// The processor's vendor and model, in the processor's own words. A text is empty where the processor has none.
pub fn processor() -> (String, String) {
    use std::arch::x86_64::{__cpuid, CpuidResult};
    /// The leaves that hold the model's name, 16 bytes each.
    const MODEL: [u32; 3] = [0x8000_0002, 0x8000_0003, 0x8000_0004];
    const MOST: u32 = 0x8000_0000;
    let text = |words: &[u32]| {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).filter(|byte| *byte != 0).collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    };
    let CpuidResult { ebx, ecx, edx, .. } = __cpuid(0);
    let vendor = text(&[ebx, edx, ecx]);
    if __cpuid(MOST).eax < MODEL[2] {
        return (vendor, String::new());
    }
    let of = |CpuidResult { eax, ebx, ecx, edx }| [eax, ebx, ecx, edx];
    (vendor, text(&MODEL.map(|leaf| of(__cpuid(leaf))).concat()))
}

/// The number of the last-level cache of the CPU that the caller runs on, and the CPU's number among those that share
/// the cache. At most 64 CPUs count as one cache's. A virtual machine's host may take some microseconds for the answer.
pub fn last_level_cache() -> (u32, u32) {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    /// Intel's leaf of caches, and AMD's, which is as Intel's.
    const CACHES: [u32; 2] = [4, 0x8000_001d];
    /// The leaf with the number of the logical processor.
    const NUMBER: u32 = 0xb;
    const MOST_BITS: u32 = 6;
    let has = |leaf: u32| __cpuid(leaf & 0x8000_0000).eax >= leaf;
    let number = if has(NUMBER) { __cpuid_count(NUMBER, 0).edx } else { __cpuid(1).ebx >> 24 };
    // The type of a cache is in the lowest bits; 0 ends the list, whose last entry is the last level.
    let caches = |leaf: u32| (0..16).map(move |index| __cpuid_count(leaf, index).eax).take_while(|eax| eax & 0x1f != 0);
    let last = CACHES.into_iter().filter(|&leaf| has(leaf)).find_map(|leaf| caches(leaf).last());
    // One less than the number of numbers that sharing CPUs may have.
    let sharing = last.map_or(0, |eax| eax >> 14 & 0xfff);
    let bits = (u32::BITS - sharing.leading_zeros()).min(MOST_BITS);
    (number >> bits, number & ((1 << bits) - 1))
}

/// The common name of a vendor whom [`processor`] calls `vendor`, if there is one.
pub fn vendor_name(vendor: &str) -> Option<&'static str> {
    match vendor {
        "GenuineIntel" => Some("Intel"),
        "AuthenticAMD" => Some("AMD"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_has_at_most_64_cpus() {
        let (_, number) = last_level_cache();
        assert!(number < 64, "{number}");
    }

    #[test]
    fn processor_says_who_made_it() {
        let (vendor, _) = processor();
        assert_eq!(vendor.len(), 12, "{vendor}");
    }

    #[test]
    fn vendors_have_common_names() {
        let vendors = ["GenuineIntel", "AuthenticAMD", "unheard of"];
        assert_eq!(vendors.map(vendor_name), [Some("Intel"), Some("AMD"), None]);
    }
}
