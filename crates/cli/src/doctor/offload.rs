//! Device code that clang has put into a program, and whether the runtime knows its form.

use super::closure::Closure;
use super::findings::{Findings, some_of};
use crate::elf::Elf;

/// The version of entries that the runtime knows.
const ENTRY_VERSION: u16 = 1;
/// The newest release of LLVM whose offload code is known. The runtime knows the kernel arguments of all earlier
/// releases.
const NEWEST_RELEASE: u32 = 23;

/// Says for each file with device code whether its target regions run on devices.
pub fn examine(closure: &Closure, findings: &mut Findings) {
    for elf in closure.files.iter().filter(|elf| elf.device_code && !elf.is_runtime()) {
        let file = elf.path.display();
        match obstacle(elf) {
            Some(why) => {
                findings.trouble("device code", format_args!("{file}: reached: no: {why}; the host executes it"))
            }
            None => findings.line(
                "device code",
                format_args!("{file}: reached: yes{}", release(elf).map_or(String::new(), describe)),
            ),
        }
    }
}

/// What keeps the file's target regions from running on devices.
fn obstacle(elf: &Elf) -> Option<String> {
    let unknown: Vec<_> = elf.entry_versions.iter().filter(|&&version| version != ENTRY_VERSION).collect();
    if !unknown.is_empty() {
        return Some(format!("its entries have version {}, and version {ENTRY_VERSION} is known", some_of(unknown, 3)));
    }
    release(elf).filter(|&release| release > NEWEST_RELEASE).map(|release| {
        format!(
            "it is for LLVM {release}, and known are releases up to {NEWEST_RELEASE}: what kernels of later ones take is refused"
        )
    })
}

/// The release of LLVM whose library the file needs, if the library's name has the release.
fn release(elf: &Elf) -> Option<u32> {
    elf.needed.iter().find_map(|name| {
        let number = name.strip_prefix("libomptarget.so.")?.split(|c: char| !c.is_ascii_digit()).next()?;
        number.parse().ok()
    })
}

/// The version of the arguments that kernels of a release take.
fn describe(release: u32) -> String {
    let version = match release {
        ..=15 => 1,
        16 => 2,
        17..=22 => 3,
        _ => 5,
    };
    format!(" (LLVM {release}, kernel arguments of version {version})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_of_a_later_release_was_said_to_be_reached() {
        let mut elf = Elf::read(&std::env::current_exe().unwrap()).unwrap();
        assert!(!elf.device_code && elf.entry_versions.is_empty());
        elf.needed = vec!["libomp.so.5".into(), "libomptarget.so.23.1".into()];
        elf.entry_versions = [1].into();
        assert_eq!((release(&elf), obstacle(&elf)), (Some(23), None));
        assert!(describe(23).contains("version 5"));
        elf.needed[1] = "libomptarget.so.24.0".into();
        assert!(obstacle(&elf).is_some_and(|why| why.contains("LLVM 24")));
        elf.needed.clear();
        elf.entry_versions.insert(2);
        assert!(obstacle(&elf).is_some_and(|why| why.contains("version 2")));
    }
}
