//! Which clock a process has. Processes of one boot of one machine share a clock, unless they are in different time
//! namespaces (time_namespaces(7)).

use std::path::Path;

/// A number that is the same in all processes with the same clock.
pub fn of_this_process() -> u64 {
    let boot = std::fs::read("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let link =
        |path: &str| std::fs::read_link(Path::new(path)).map(|target| target.into_os_string().into_encoded_bytes());
    digest(&[&boot, &link("/proc/self/ns/time").unwrap_or_default()])
}

/// The 64-bit FNV-1a hash of some texts.
fn digest(texts: &[&[u8]]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.iter().chain([&0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_differ_by_boot_and_namespace() {
        let all = [digest(&[b"a", b"b"]), digest(&[b"ab", b""]), digest(&[b"a", b"c"])];
        assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
        assert_eq!(of_this_process(), of_this_process());
    }
}
