//! Texts that grow at the same time, and are read one after the other: kept in one file beside memory.

use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom, Write};

/// So many bytes of each text are in memory.
const ROOM: usize = 1 << 14;

/// A text.
#[derive(Default)]
struct Text {
    /// The last part.
    buffer: Vec<u8>,
    /// Where the parts before are in the file: offset and length.
    parts: Vec<(u64, u32)>,
}

/// See the module.
pub struct Spool {
    file: File,
    end: u64,
    texts: Vec<Text>,
}

impl Spool {
    /// No text yet. What `file` has is overwritten.
    pub fn new(file: File) -> Spool {
        Spool { file, end: 0, texts: Vec::new() }
    }

    /// Appends to a text.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append(&mut self, text: usize, bytes: &[u8]) -> Result<()> {
        if self.texts.len() <= text {
            self.texts.resize_with(text + 1, Text::default);
        }
        let text = &mut self.texts[text];
        if text.buffer.len() + bytes.len() > ROOM && !text.buffer.is_empty() {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(&text.buffer)?;
            text.parts.push((self.end, text.buffer.len() as u32));
            self.end += text.buffer.len() as u64;
            text.buffer.clear();
        }
        text.buffer.extend_from_slice(bytes);
        Ok(())
    }

    /// Writes a text.
    ///
    /// # Errors
    /// If the file cannot be read, or `to` not be written.
    pub fn copy(&mut self, text: usize, to: &mut impl Write) -> Result<()> {
        let Some(text) = self.texts.get(text) else { return Ok(()) };
        let mut bytes = Vec::new();
        for (offset, length) in &text.parts {
            bytes.resize(*length as usize, 0);
            self.file.seek(SeekFrom::Start(*offset))?;
            self.file.read_exact(&mut bytes)?;
            to.write_all(&bytes)?;
        }
        to.write_all(&text.buffer)
    }

    /// Forgets all texts.
    pub fn clear(&mut self) {
        self.texts.clear();
        self.end = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_apart() {
        let mut spool = Spool::new(tempfile::tempfile().unwrap());
        for turn in 0..2 {
            let mut expected = vec![String::new(); 3];
            for index in 0..20_000 {
                let (text, line) = (index % 3, format!("{turn} {index}\n"));
                expected[text] += &line;
                spool.append(text, line.as_bytes()).unwrap();
            }
            for (text, expected) in expected.iter().enumerate() {
                let mut bytes = Vec::new();
                spool.copy(text, &mut bytes).unwrap();
                assert_eq!(&String::from_utf8(bytes).unwrap(), expected);
            }
            spool.clear();
        }
    }
}
