//! Images for NVIDIA devices: ELF files of machine CUDA. An image says which processors it is for, and which values its
//! variables begin with.

/// `EM_CUDA`
const CUDA: u16 = 190;
/// The place of `EI_ABIVERSION`, and the version since which the processor is elsewhere in the flags.
const VERSION_AT: usize = 8;
const LATER_VERSION: u8 = 8;
/// The flag of code for one processor alone, with its special instructions.
const SPECIAL: u32 = 0x800;
const LATER_SPECIAL: u32 = 0x8;
/// The sizes of a section's header and of a symbol.
const SECTION: usize = 64;
const SYMBOL: usize = 24;
/// `SHT_SYMTAB`, `SHT_NOBITS`
const SYMBOLS: u32 = 2;
const NO_BITS: u32 = 8;

/// An image for NVIDIA devices.
#[derive(Clone, Copy)]
pub struct Image<'a> {
    bytes: &'a [u8],
}

/// A symbol of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol<'a> {
    pub name: &'a [u8],
    /// The bytes after loading; `None` if the file does not have them.
    pub value: Option<&'a [u8]>,
}

fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    word(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    word(bytes, at).map(u32::from_le_bytes)
}

fn usize_at(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u64::from_le_bytes(word(bytes, at)?)).ok()
}

impl<'a> Image<'a> {
    /// The image in these bytes; `None` if they are something else.
    pub fn new(bytes: &'a [u8]) -> Option<Self> {
        // 64 bits, least significant byte first.
        (bytes.starts_with(b"\x7fELF\x02\x01") && u16_at(bytes, 18) == Some(CUDA)).then_some(Image { bytes })
    }

    /// The compute capability of the code, as in `sm_80`, and whether the code is for that one alone.
    pub fn processor(self) -> Option<(u32, bool)> {
        let flags = u32_at(self.bytes, 48)?;
        if *self.bytes.get(VERSION_AT)? < LATER_VERSION {
            Some((flags & 0xff, flags & SPECIAL != 0))
        } else {
            Some((flags >> 8 & 0xffff, flags & LATER_SPECIAL != 0))
        }
    }

    /// Whether a device of this compute capability runs the code: the major number is equal, the minor one not lower.
    pub fn runs_on(self, major: u32, minor: u32) -> bool {
        match self.processor() {
            Some((processor, true)) => processor == major * 10 + minor,
            Some((processor, false)) => processor / 10 == major && processor % 10 <= minor,
            None => false,
        }
    }

    /// All symbols with a name. In a damaged image, those that can be found.
    pub fn symbols(self) -> impl Iterator<Item = Symbol<'a>> {
        let table = (0..self.sections()).find(|&index| self.section_word(index, 4) == Some(SYMBOLS));
        let names = table.and_then(|index| self.section_word(index, 40)).map(|link| link as usize);
        let [symbols, names] = [table, names].map(|index| index.and_then(|index| self.content(index)).unwrap_or(&[]));
        symbols.chunks_exact(SYMBOL).filter_map(move |symbol| {
            let start = names.get(u32_at(symbol, 0)? as usize..)?;
            let name = &start[..start.iter().position(|&byte| byte == 0)?];
            (!name.is_empty()).then(|| Symbol { name, value: self.value(symbol) })
        })
    }

    /// A symbol's bytes in its section.
    fn value(self, symbol: &[u8]) -> Option<&'a [u8]> {
        let (section, at, bytes) = (u16_at(symbol, 6)?, usize_at(symbol, 8)?, usize_at(symbol, 16)?);
        let section = usize::from(section);
        let at = at.checked_sub(self.section_usize(section, 16)?)?;
        self.content(section)?.get(at..at.checked_add(bytes)?)
    }

    fn sections(self) -> usize {
        u16_at(self.bytes, 60).map_or(0, usize::from)
    }

    /// The bytes of a section, if the file has them.
    fn content(self, index: usize) -> Option<&'a [u8]> {
        if self.section_word(index, 4)? == NO_BITS {
            return None;
        }
        let (at, bytes) = (self.section_usize(index, 24)?, self.section_usize(index, 32)?);
        self.bytes.get(at..at.checked_add(bytes)?)
    }

    fn header(self, index: usize) -> Option<usize> {
        if index >= self.sections() || u16_at(self.bytes, 58) != Some(SECTION as u16) {
            return None;
        }
        usize_at(self.bytes, 40)?.checked_add(index * SECTION)
    }

    fn section_word(self, index: usize, field: usize) -> Option<u32> {
        u32_at(self.bytes, self.header(index)?.checked_add(field)?)
    }

    fn section_usize(self, index: usize, field: usize) -> Option<usize> {
        usize_at(self.bytes, self.header(index)?.checked_add(field)?)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// An image with a variable for each name, of these bytes.
    pub fn made(version: u8, flags: u32, variables: &[(&str, &[u8])]) -> Vec<u8> {
        let mut image = vec![0; 64];
        image[..6].copy_from_slice(b"\x7fELF\x02\x01");
        image[VERSION_AT] = version;
        image[18..20].copy_from_slice(&CUDA.to_le_bytes());
        image[48..52].copy_from_slice(&flags.to_le_bytes());
        image[58..60].copy_from_slice(&(SECTION as u16).to_le_bytes());
        image[60..62].copy_from_slice(&4_u16.to_le_bytes());
        let (mut names, mut values, mut symbols) = (vec![0_u8], Vec::new(), vec![0_u8; SYMBOL]);
        for (name, value) in variables {
            let mut symbol = [0_u8; SYMBOL];
            symbol[..4].copy_from_slice(&(names.len() as u32).to_le_bytes());
            symbol[6..8].copy_from_slice(&3_u16.to_le_bytes());
            symbol[8..16].copy_from_slice(&(values.len() as u64).to_le_bytes());
            symbol[16..].copy_from_slice(&(value.len() as u64).to_le_bytes());
            symbols.extend(symbol);
            names.extend(name.bytes().chain([0]));
            values.extend_from_slice(value);
        }
        let mut headers = vec![0_u8; SECTION];
        for (kind, link, content) in [(SYMBOLS, 2_u32, &symbols), (3, 0, &names), (1, 0, &values)] {
            let mut header = [0_u8; SECTION];
            header[4..8].copy_from_slice(&kind.to_le_bytes());
            header[24..32].copy_from_slice(&(image.len() as u64).to_le_bytes());
            header[32..40].copy_from_slice(&(content.len() as u64).to_le_bytes());
            header[40..44].copy_from_slice(&link.to_le_bytes());
            image.extend_from_slice(content);
            headers.extend(header);
        }
        let at = image.len() as u64;
        image[40..48].copy_from_slice(&at.to_le_bytes());
        image.extend(headers);
        image
    }

    #[test]
    fn processors_are_read_from_the_flags_of_either_layout() {
        let of = |version, flags| Image::new(&made(version, flags, &[])).and_then(|image| image.processor());
        assert_eq!(of(7, 0x46_0546), Some((70, false)));
        assert_eq!(of(7, 0x5a_0d5a), Some((90, true)));
        assert_eq!(of(8, 0x0600_5004), Some((80, false)));
        assert_eq!(of(8, 0x0600_640c), Some((100, true)));
    }

    #[test]
    fn images_run_on_later_processors_of_the_same_family() {
        let image = made(7, 0x50_0550, &[]);
        let image = Image::new(&image).unwrap();
        let devices = [(7, 5), (8, 0), (8, 6), (9, 0)];
        assert_eq!(devices.map(|(major, minor)| image.runs_on(major, minor)), [false, true, true, false]);
        let special = made(7, 0x5a_0d5a, &[]);
        let special = Image::new(&special).unwrap();
        assert_eq!([(9, 0), (9, 1)].map(|(major, minor)| special.runs_on(major, minor)), [true, false]);
    }

    #[test]
    fn symbols_have_names_and_first_values() {
        let image = made(7, 80, &[("first", b"ab"), ("second", &[1, 2, 3])]);
        let symbols: Vec<_> = Image::new(&image).unwrap().symbols().map(|symbol| (symbol.name, symbol.value)).collect();
        assert_eq!(symbols, [(&b"first"[..], Some(&b"ab"[..])), (b"second", Some(&[1, 2, 3]))]);
    }

    #[test]
    fn damaged_images_are_read_as_far_as_they_go() {
        assert!(Image::new(b"\x7fELF\x02\x01").is_none());
        let whole = made(7, 80, &[("first", b"ab"), ("second", &[1, 2, 3])]);
        for end in 20..whole.len() {
            if let Some(image) = Image::new(&whole[..end]) {
                assert!(image.symbols().count() <= 2);
            }
        }
        for at in 0..whole.len() {
            let mut image = whole.clone();
            image[at] ^= 0xff;
            if let Some(image) = Image::new(&image) {
                image.runs_on(8, 0);
                let _ = image.symbols().count();
            }
        }
    }
}
