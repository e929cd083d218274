//! What LLVM's compilers note in an image: how each kernel is to be launched, and which functions are to be called when
//! the image comes and goes.

use crate::image::Image;
use std::collections::BTreeMap;
use std::ffi::CString;

/// `OMP_TGT_EXEC_MODE_GENERIC`: one thread of each team executes the region, and the other threads its parallel
/// regions.
pub const GENERIC: u8 = 1;
/// `OMP_TGT_EXEC_MODE_SPMD`: all threads execute the whole region.
pub const SPMD: u8 = 2;

/// The names of the variables that note something of a kernel: the kernel's name with this suffix. Images of clang 16
/// note the mode alone.
const ENVIRONMENT: &[u8] = b"_kernel_environment";
const MODE: &[u8] = b"_exec_mode";

/// What the compiler notes of a kernel: LLVM's `ConfigurationEnvironmentTy`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Environment {
    pub mode: u8,
    /// Bounds for threads and teams; 0 or less if there are none.
    pub min_threads: i32,
    pub max_threads: i32,
    pub max_teams: i32,
    /// Bytes of each team for a reduction over teams, and the number of teams to make room for; 0 without a reduction.
    pub reduction_bytes: u32,
    pub reduction_teams: u32,
}

impl Default for Environment {
    /// For a kernel without notes.
    fn default() -> Self {
        Environment { mode: SPMD, min_threads: 0, max_threads: 0, max_teams: 0, reduction_bytes: 0, reduction_teams: 0 }
    }
}

impl Environment {
    /// From the variable's bytes: three flags, of which the third is the mode, and since clang 18 numbers.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        const WITH_NUMBERS: usize = 48;
        if bytes.len() < WITH_NUMBERS {
            return Self::of_mode(bytes.get(2..)?);
        }
        let number = |index: usize| -> Option<i32> {
            let at = 4 + 4 * index;
            Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
        };
        Some(Environment {
            mode: *bytes.get(2)?,
            min_threads: number(0)?,
            max_threads: number(1)?,
            max_teams: number(3)?,
            reduction_bytes: number(4)? as u32,
            reduction_teams: number(5)? as u32,
        })
    }

    /// Of a kernel of which only the mode is noted.
    pub fn of_mode(bytes: &[u8]) -> Option<Self> {
        bytes.first().map(|&mode| Environment { mode, ..Self::default() })
    }

    /// Bytes of the buffer for a reduction over teams; 0 without a reduction.
    pub fn reduction_memory(&self) -> usize {
        self.reduction_bytes as usize * self.reduction_teams as usize
    }
}

/// The notes on each kernel, by the kernel's name.
pub fn environments(image: Image) -> BTreeMap<Vec<u8>, Environment> {
    let noted = |symbol: crate::image::Symbol| {
        let value = symbol.value?;
        let (name, environment) = match symbol.name.strip_suffix(ENVIRONMENT) {
            Some(name) => (name, Environment::read(value)),
            None => (symbol.name.strip_suffix(MODE)?, Environment::of_mode(value)),
        };
        Some((name.to_vec(), environment?))
    };
    image.symbols().filter_map(noted).collect()
}

/// The variables whose names begin with `prefix` and end with a number, the smallest number first. Constructors and
/// destructors are listed so.
pub fn numbered(image: Image, prefix: &[u8]) -> Vec<CString> {
    let with_number = |symbol: crate::image::Symbol| {
        let digits = std::str::from_utf8(symbol.name.rsplit(|&byte| byte == b'_').next()?).ok()?;
        Some((digits.parse::<u32>().ok()?, CString::new(symbol.name).ok()?))
    };
    let named = image.symbols().filter(|symbol| symbol.name.starts_with(prefix));
    let mut found: Vec<(u32, CString)> = named.filter_map(with_number).collect();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::tests::made;

    fn environment(mode: u8, numbers: [i32; 6]) -> Vec<u8> {
        let mut bytes = vec![1, 1, mode, 0];
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        bytes.resize(48, 0);
        bytes
    }

    #[test]
    fn environments_are_as_clang_lays_them_out() {
        let read = Environment::read(&environment(3, [1, 256, -1, 7, 16, 1024])).unwrap();
        let expected = Environment {
            mode: 3,
            min_threads: 1,
            max_threads: 256,
            max_teams: 7,
            reduction_bytes: 16,
            reduction_teams: 1024,
        };
        assert_eq!(read, expected);
        assert_eq!(Environment::read(&[0; 2]), None);
        assert_eq!(Environment::read(&[1, 0, 1, 0, 9, 9, 9, 9]), Environment::of_mode(&[1]));
        assert_eq!(Environment::of_mode(&[1]).map(|it| it.mode), Some(GENERIC));
        assert_eq!(read.reduction_memory(), 16 << 10);
    }

    #[test]
    fn kernels_are_known_by_their_variables() {
        let bytes = made(7, 80, &[("one_kernel_environment", &[0, 0, 3]), ("two_exec_mode", &[1]), ("three", &[2])]);
        let found = environments(Image::new(&bytes).unwrap());
        assert_eq!(found.keys().map(Vec::as_slice).collect::<Vec<_>>(), [&b"one"[..], b"two"]);
        assert_eq!(found[&b"one"[..]], Environment::of_mode(&[3]).unwrap());
    }

    #[test]
    fn constructors_come_by_their_priorities() {
        let names = [
            "__init_array_object_b_a_200",
            "__init_array_object_x_100",
            "__fini_array_object_x_1",
            "__init_array_object_q",
        ];
        let bytes = made(7, 80, &names.map(|name| (name, &[0_u8; 8][..])));
        let image = Image::new(&bytes).unwrap();
        assert_eq!(
            numbered(image, b"__init_array_object_"),
            [c"__init_array_object_x_100".into(), CString::from(c"__init_array_object_b_a_200")]
        );
        assert_eq!(numbered(image, b"__fini_array_object_").len(), 1);
    }
}
