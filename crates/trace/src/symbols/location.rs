//! What is known about a place in the program, and how it is written down.

use super::names;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// A function's name is written with at most this many characters. Names of C++ templates may have thousands.
const LONGEST_NAME: usize = 80;

/// What is known about an address. Displays as `file.c:42`, else `symbol+0x1f`, else `libx.so+0x1234`, else `0x1234`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The return address.
    pub address: u64,
    /// The function of the source, demangled; the innermost one of those that are inlined here.
    pub function: Option<String>,
    /// The functions that `function` is inlined into, innermost first. Empty where nothing is inlined, and where copies
    /// in several functions are one place.
    pub inlined_into: Vec<String>,
    /// The symbol that the address lies in, demangled. It may name a function that the compiler has made.
    pub symbol: Option<String>,
    /// Bytes from the symbol's start to the return address, where a symbol was found. None if the place stands for the
    /// whole function.
    pub function_offset: Option<u64>,
    /// Source file as the compiler recorded it.
    pub file: Option<PathBuf>,
    /// Line in `file`. Without a file, the line that the name of a target region has in it.
    pub line: Option<u32>,
    /// The mapped file.
    pub module: Option<String>,
    /// The return address as the file's symbol table counts.
    pub module_offset: u64,
}

impl Location {
    /// The short form without a function: as `Display`, but the source file without its folders.
    pub fn short(&self) -> String {
        match self.file {
            Some(_) => self.line_text().unwrap_or_else(|| self.unsourced()),
            None => self.unsourced(),
        }
    }

    /// The function and its place: `solve (heat.c:42)`, or the short form where there is no source line.
    pub fn plain(&self) -> String {
        let (Some(function), Some(line)) = (&self.function, self.line_text()) else { return self.short() };
        format!("{} ({line})", names::shortened(function, LONGEST_NAME))
    }

    /// The function and its place: `solve (heat.c:42)`, or the short form where there is no source line. For an inlined
    /// function also the functions around it: `solve (heat.c:42), inlined into main`.
    pub fn long(&self) -> String {
        let mut text = self.plain();
        if self.function.is_none() || self.line.is_none() {
            return text;
        }
        for (index, outer) in self.inlined_into.iter().enumerate() {
            text += if index == 0 { ", inlined into " } else { ", " };
            text += &names::shortened(outer, LONGEST_NAME);
        }
        text
    }

    /// The long form in `width` characters if that is possible. First the functions around the function are left out,
    /// then the middle of its name; never the line.
    pub fn within(&self, width: usize) -> String {
        let long = self.long();
        if long.chars().count() <= width {
            return long;
        }
        let (Some(function), Some(line)) = (&self.function, self.line_text()) else { return long };
        let rest = format!(" ({line})");
        match width.checked_sub(rest.chars().count()) {
            None | Some(0) => line,
            Some(left) => names::shortened(function, left.min(LONGEST_NAME)).into_owned() + &rest,
        }
    }

    /// Whether the address stands for a tail call. The runtime then names the first byte of the calling function, where
    /// no call can end.
    pub(super) fn is_tail_call(&self) -> bool {
        self.function_offset == Some(1)
    }

    /// `heat.c:42`, or `line 42` where the file is not known.
    fn line_text(&self) -> Option<String> {
        let line = self.line?;
        Some(match &self.file {
            Some(file) => format!("{}:{line}", file.file_name().unwrap_or(file.as_os_str()).to_string_lossy()),
            None => format!("line {line}"),
        })
    }

    fn unsourced(&self) -> String {
        match (&self.symbol, self.function_offset) {
            (Some(symbol), Some(offset)) => return format!("{symbol}+{offset:#x}"),
            (Some(symbol), None) => return symbol.clone(),
            (None, _) => {}
        }
        match &self.module {
            Some(module) => {
                format!("{}+{:#x}", module.rsplit('/').next().unwrap_or(module), self.module_offset)
            }
            None if self.address == 0 => "(unknown place)".into(),
            None => format!("{:#x}", self.address),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}", file.display()),
            _ => f.write_str(&self.unsourced()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_never_left_out() {
        let location = Location {
            function: Some("solve<double>".into()),
            inlined_into: vec!["step".into(), "main".into()],
            file: Some("/src/heat.cpp".into()),
            line: Some(42),
            ..Location::default()
        };
        assert_eq!(location.long(), "solve<double> (heat.cpp:42), inlined into step, main");
        assert_eq!(location.within(60), location.long());
        assert_eq!(location.within(30), "solve<double> (heat.cpp:42)");
        assert_eq!(location.within(20), "sol…e> (heat.cpp:42)");
        assert_eq!(location.within(12), "heat.cpp:42");
        assert_eq!((location.short(), location.to_string()), ("heat.cpp:42".into(), "/src/heat.cpp:42".into()));
        let long = Location { function: Some("f".repeat(5000)), inlined_into: Vec::new(), ..location };
        assert!(long.long().chars().count() == 94 && long.long().ends_with("fff (heat.cpp:42)"), "{}", long.long());
    }

    #[test]
    fn a_line_without_a_file_is_told() {
        let location = Location { function: Some("main".into()), line: Some(13), address: 16, ..Location::default() };
        assert_eq!((location.long(), location.short()), ("main (line 13)".into(), "0x10".into()));
    }
}
