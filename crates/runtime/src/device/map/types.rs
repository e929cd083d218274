//! The compiler's lists of a construct's variables (OpenMP 5.1 §2.21.7.1): addresses, sizes, names, and the bits of map
//! types as clang emits them.

use std::ffi::{CStr, c_char, c_void};
use std::fmt;

/// The bytes of a pointer.
pub const POINTER: usize = size_of::<usize>();

/// The bits of a map type. The values are those of LLVM's `omptarget.h`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapType(pub u64);

impl MapType {
    /// Copied to the device.
    pub const TO: u64 = 0x1;
    /// Copied from the device.
    pub const FROM: u64 = 0x2;
    /// Copied whatever the reference count is.
    pub const ALWAYS: u64 = 0x4;
    /// The reference count becomes 0.
    pub const DELETE: u64 = 0x8;
    /// The base is the address of a pointer, which becomes attached to the variable.
    pub const PTR_AND_OBJ: u64 = 0x10;
    /// An argument of the kernel.
    pub const TARGET_PARAM: u64 = 0x20;
    /// The program wants the device address.
    pub const RETURN_PARAM: u64 = 0x40;
    /// A private copy on the device; a firstprivate one together with `TO`.
    pub const PRIVATE: u64 = 0x80;
    /// The base is the value itself.
    pub const LITERAL: u64 = 0x100;
    /// Mapped without a clause.
    pub const IMPLICIT: u64 = 0x200;
    /// The `close` modifier.
    pub const CLOSE: u64 = 0x400;
    /// The `present` modifier.
    pub const PRESENT: u64 = 0x1000;
    /// The `ompx_hold` modifier: a count of its own, which `delete` does not touch.
    pub const HOLD: u64 = 0x2000;
    /// A pointer at the base that becomes attached to what is at the begin, after all variables of the construct. The
    /// size is that of the pointer, or of a descriptor that begins with the pointer. With `PRIVATE` the kernel gets an
    /// attached copy of the pointer.
    pub const ATTACH: u64 = 0x4000;
    /// The device address of an unmapped variable is null; without the bit, it is the host's.
    pub const FB_NULLIFY: u64 = 0x8000;
    /// The updated part is described by a list of dimensions.
    pub const NON_CONTIGUOUS: u64 = 0x1000_0000_0000;
    /// The bits of a lambda expression's capture by reference.
    pub const CAPTURE: u64 = Self::PTR_AND_OBJ | Self::LITERAL | Self::IMPLICIT;
    const MEMBER_OF_SHIFT: u32 = 48;
    /// The bits that have a meaning: all of the lowest 16 but one, and those above.
    const KNOWN: u64 = 0xffff & !0x800 | Self::NON_CONTIGUOUS | u64::MAX << Self::MEMBER_OF_SHIFT;

    /// Whether any of these bits is set.
    #[inline(always)]
    pub fn has(self, bits: u64) -> bool {
        self.0 & bits != 0
    }

    /// The index of the variable that this one is a member of.
    #[inline(always)]
    pub fn parent(self) -> Option<usize> {
        ((self.0 >> Self::MEMBER_OF_SHIFT) as usize).checked_sub(1)
    }

    /// The bits without a meaning here.
    #[inline(always)]
    pub fn unknown(self) -> u64 {
        self.0 & !Self::KNOWN
    }

    /// Whether there is nothing to map: the entry is a value, a private variable or an attachment.
    #[inline(always)]
    pub fn is_unmapped(self) -> bool {
        self.has(Self::LITERAL | Self::PRIVATE | Self::ATTACH)
    }

    /// Whether the entry is a pointer that becomes attached.
    #[inline(always)]
    pub fn is_attachment(self) -> bool {
        self.0 & (Self::ATTACH | Self::PRIVATE) == Self::ATTACH
    }

    /// Whether the entry is a kernel's own copy of a pointer, which becomes attached.
    #[inline(always)]
    pub fn is_private_attachment(self) -> bool {
        self.0 & (Self::ATTACH | Self::PRIVATE) == Self::ATTACH | Self::PRIVATE
    }

    /// Whether a lambda expression captures the variable by reference.
    pub fn is_capture(self) -> bool {
        self.0 & Self::CAPTURE == Self::CAPTURE
    }
}

/// The map type as in a `map` clause.
impl fmt::Display for MapType {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (bit, name) in [
            (Self::ALWAYS, "always, "),
            (Self::CLOSE, "close, "),
            (Self::PRESENT, "present, "),
            (Self::HOLD, "ompx_hold, "),
        ] {
            if self.has(bit) {
                f.write_str(name)?;
            }
        }
        f.write_str(match self.0 & (Self::TO | Self::FROM | Self::DELETE) {
            _ if self.has(Self::ATTACH) => "attach",
            _ if self.has(Self::DELETE) => "delete",
            0 => "alloc",
            Self::TO => "to",
            Self::FROM => "from",
            _ => "tofrom",
        })
    }
}

/// The lists of a construct, of `count` elements each, as the compiler made them.
#[derive(Clone, Copy)]
pub struct Lists {
    pub count: usize,
    /// Base addresses; those of `use_device_ptr` become device addresses.
    pub bases: *mut usize,
    pub begins: *const usize,
    pub sizes: *const i64,
    pub types: *const u64,
    /// Names; null if there are none.
    pub names: *const *const c_char,
    /// Functions of user-defined mappers; null if there are none.
    pub mappers: *const *const c_void,
}

/// One variable of a construct.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// Where the whole variable begins, or the address of the pointer to it.
    pub base: usize,
    /// Where the section begins.
    pub begin: usize,
    pub bytes: usize,
    pub kind: MapType,
    pub name: Name,
}

impl Variable {
    /// One past its end.
    #[inline(always)]
    pub fn end(&self) -> usize {
        self.begin.wrapping_add(self.bytes)
    }
}

impl Lists {
    /// One of the variables.
    ///
    /// # Safety
    /// The lists are as the compiler makes them, and longer than `index`.
    #[inline(always)]
    pub unsafe fn variable(&self, index: usize) -> Variable {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe {
            Variable {
                base: *self.bases.add(index),
                begin: *self.begins.add(index),
                bytes: (*self.sizes.add(index)).max(0) as usize,
                kind: MapType(*self.types.add(index)),
                name: if self.names.is_null() { Name::default() } else { Name::new(*self.names.add(index)) },
            }
        }
    }

    /// The function of its user-defined mapper, if it has one.
    ///
    /// # Safety
    /// As for [`variable`](Self::variable).
    #[inline(always)]
    pub unsafe fn mapper(&self, index: usize) -> *const c_void {
        // SAFETY: the caller keeps to the `# Safety` section.
        if self.mappers.is_null() { std::ptr::null() } else { unsafe { *self.mappers.add(index) } }
    }
}

/// A variable's name and declaration, from `;name;file;line;column;;`; null if the compiler does not say.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Name(*const c_char);

// SAFETY: the text is only read, and lives for ever.
unsafe impl Send for Name {}

impl Default for Name {
    /// No name.
    fn default() -> Self {
        Name(std::ptr::null())
    }
}

impl Name {
    /// # Safety
    /// The text is null, or a string of the compiler's, which lives for ever.
    pub unsafe fn new(text: *const c_char) -> Self {
        Name(text)
    }

    /// Whether the compiler does not say.
    pub fn is_absent(self) -> bool {
        self.0.is_null()
    }

    fn parts(self) -> impl Iterator<Item = &'static [u8]> {
        // SAFETY: `new` has been given null or a string that lives for ever.
        let text = if self.is_absent() { c"" } else { unsafe { CStr::from_ptr(self.0) } };
        text.to_bytes().split(|&byte| byte == b';')
    }

    fn part(self, index: usize) -> Option<&'static str> {
        let part = std::str::from_utf8(self.parts().nth(index)?).ok();
        part.filter(|part| !part.is_empty() && *part != "unknown")
    }

    /// The variable's name.
    pub fn variable(self) -> &'static str {
        self.part(1).unwrap_or("a variable")
    }

    /// Whether there is one.
    pub fn is_known(self) -> bool {
        self.part(1).is_some()
    }

    /// File and line, if the compiler says.
    pub fn place(self) -> Option<(&'static str, &'static str)> {
        Some((self.part(2)?, self.part(3).filter(|line| *line != "0")?))
    }

    /// File and line of a construct's text, `;file;function;line;column;;`.
    pub fn source(self) -> Option<(&'static str, &'static str)> {
        let mut parts = self.parts().map(std::str::from_utf8);
        let (file, line) = (parts.nth(1)?.ok()?, parts.nth(1)?.ok()?);
        (file != "unknown" && !line.is_empty()).then_some((file, line))
    }
}

/// `name (file:line)`
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.variable())?;
        match self.place() {
            Some((file, line)) => write!(f, " ({file}:{line})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_read_as_clauses() {
        for (bits, text) in [
            (0, "alloc"),
            (1, "to"),
            (0x222, "from"),
            (0x23, "tofrom"),
            (0x1007, "always, present, tofrom"),
            (8, "delete"),
            (0x4000, "attach"),
        ] {
            assert_eq!(MapType(bits).to_string(), text);
        }
    }

    #[test]
    fn bits_of_all_compilers_are_known() {
        assert_eq!(MapType(0xffff_1000_0000_f7ff).unknown(), 0);
        assert_eq!(MapType(0x1_0803).unknown(), 0x1_0800);
    }

    #[test]
    fn attachments() {
        assert!(MapType(0x4000).is_attachment() && MapType(0x4004).is_attachment());
        assert!(!MapType(0x40a0).is_attachment() && MapType(0x40a0).is_private_attachment());
        assert!(!MapType(0xa1).is_private_attachment());
    }

    #[test]
    fn members() {
        assert_eq!(MapType(0x2_0000_0000_0003).parent(), Some(1));
        assert_eq!(MapType(3).parent(), None);
    }

    #[test]
    fn names() {
        // SAFETY: strings.
        let name = |text: &'static CStr| unsafe { Name::new(text.as_ptr()) }.to_string();
        assert_eq!(name(c";a[0:n];dir/x.c;12;9;;"), "a[0:n] (dir/x.c:12)");
        assert_eq!(name(c";a;unknown;0;0;;"), "a");
        assert_eq!(name(c";unknown;unknown;0;0;;"), "a variable");
        assert_eq!(Name::default().to_string(), "a variable");
    }
}
