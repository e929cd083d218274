//! The layout of a thread's file: a header page, then chunks that each decode on their own.
//! Shared by the writer (through a mapping) and the reader (through bytes).

use super::clock::Pair;

/// First eight bytes of a thread file.
pub const MAGIC: [u8; 8] = *b"FERROMPT";
/// First eight bytes of each chunk.
pub const CHUNK_MAGIC: [u8; 8] = *b"FMTCHUNK";
/// Size of the header; the first chunk starts here.
pub const HEADER: u64 = 4096;
/// Size of header and first chunk, which are reserved and mapped together. Like [`CHUNK`], it is a multiple of every
/// page size in use. It is small, because many threads record little.
pub const FIRST: u64 = 256 << 10;
/// Size of a chunk header: magic, then the time in ticks that the first record's time is counted from.
pub const CHUNK_HEADER: usize = 16;
/// Size of each chunk after the first, unless the header says otherwise; the largest size.
pub const CHUNK: u64 = 4 << 20;
/// Size of each chunk after the first in a new file. It is large, because each chunk costs a few system calls, and not
/// larger, because the thread pauses for the pages of a chunk: some tenths of a millisecond.
const NEW_CHUNK: u64 = 1 << 20;
/// The smallest size of a chunk: the largest page size in use.
pub const LEAST_CHUNK: u64 = 64 << 10;

/// Offsets of the words in the header page. All are little-endian; `u64` unless said otherwise.
pub mod offset {
    /// Magic, eight bytes.
    pub const MAGIC: usize = 0;
    /// Version of the store, `u32`.
    pub const VERSION: usize = 8;
    /// Number of the thread in this trace, `u32`; also in the file's name.
    pub const NUMBER: usize = 12;
    /// The system's thread id.
    pub const TID: usize = 16;
    /// Bytes of the file that hold complete records. Stored with release order after each record.
    pub const COMMITTED: usize = 64;
    /// Events that could not be recorded.
    pub const LOST: usize = 72;
    /// 1 once the thread has ended its file in good order.
    pub const FINISHED: usize = 80;
    /// Size of each chunk after the first in units of 64 KiB, `u32`; 0 for [`CHUNK`](super::CHUNK).
    pub const CHUNK: usize = 24;
    /// Changes whenever the process that follows the recording looks at the file of a thread that waits. Written by
    /// that process.
    pub const LOOKED: usize = 32;
    /// Nanoseconds that the thread has waited for space.
    pub const WAITED: usize = 40;
    /// The time in ticks of the thread's last event before it last waited for space; 0 if it never has. The thread has
    /// an event that is hardly younger and not in the file, as long as no more than [`WAITS_AT`] bytes are committed.
    pub const WAITS: usize = 48;
    /// See [`WAITS`]: the end of the header of the chunk that the thread last waited for.
    pub const WAITS_AT: usize = 144;
    /// Bytes from the file's begin whose records have been read or given up by the process that follows the recording:
    /// the recorder may go on. Written by that process.
    pub const CONSUMED: usize = 56;
    /// Bytes from the file's begin whose chunks have been freed, and have no records any more. Written by the process
    /// that follows the recording.
    pub const FREED: usize = 88;
    /// Two slots with a pair each, written alternately. The later complete pair counts.
    pub const PAIRS: usize = 96;
    /// The thread's name as the system has it, up to 16 bytes, padded with zeros.
    pub const NAME: usize = 128;
}

/// Where the chunks of a file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Size of each chunk after the first.
    chunk: u64,
}

impl Default for Layout {
    fn default() -> Layout {
        Layout { chunk: CHUNK }
    }
}

impl Layout {
    /// Of a new file.
    pub const NEW: Layout = Layout { chunk: NEW_CHUNK };
    /// With the smallest chunks.
    pub const LEAST: Layout = Layout { chunk: LEAST_CHUNK };

    /// With chunks of about this many bytes after the first: a multiple of [`LEAST_CHUNK`], at most [`CHUNK`].
    pub fn of(chunk: u64) -> Layout {
        Layout { chunk: (chunk / LEAST_CHUNK * LEAST_CHUNK).clamp(LEAST_CHUNK, CHUNK) }
    }

    /// What the header says of it.
    pub fn units(self) -> u32 {
        if self.chunk == CHUNK { 0 } else { (self.chunk / LEAST_CHUNK) as u32 }
    }

    /// Where chunk `index` starts and how long it is.
    pub fn chunk(self, index: u64) -> (u64, u64) {
        match index {
            0 => (HEADER, FIRST - HEADER),
            _ => (FIRST.saturating_add((index - 1).saturating_mul(self.chunk)), self.chunk),
        }
    }

    /// The chunk that this offset lies in.
    pub fn chunk_at(self, offset: u64) -> u64 {
        offset.checked_sub(FIRST).map_or(0, |beyond| 1 + beyond / self.chunk)
    }

    /// The first chunk that has its records if so many bytes were freed.
    pub fn first_kept(self, freed: u64) -> u64 {
        let index = self.chunk_at(freed);
        if freed > self.chunk(index).0 { index + 1 } else { index }
    }
}

/// The header of a thread file as read back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Number of the thread in this trace.
    pub number: u32,
    /// The system's thread id.
    pub tid: u64,
    /// Bytes of the file that hold complete records.
    pub committed: u64,
    /// Events that could not be recorded.
    pub lost: u64,
    /// Where the chunks are.
    pub layout: Layout,
    /// Bytes from the file's begin whose records are gone.
    pub freed: u64,
    /// Ended in good order.
    pub finished: bool,
    /// Moments in both clocks, as far as written.
    pub pairs: [Pair; 2],
    /// The thread's name.
    pub name: String,
}

impl Header {
    /// Whether a file's header has not been written to its end, and no record at all: the magic is the last that is
    /// written.
    pub fn is_blank(bytes: &[u8]) -> bool {
        let zeros = |at: usize| bytes.iter().skip(at).take(8).all(|byte| *byte == 0);
        zeros(offset::MAGIC) && zeros(offset::COMMITTED)
    }

    /// Reads a header. An error says what is wrong.
    pub fn read(bytes: &[u8]) -> Result<Header, String> {
        let page = bytes.get(..HEADER as usize).ok_or("shorter than its header")?;
        if page[..8] != MAGIC {
            return Err("not a thread file of a trace".into());
        }
        let version = read_u32(page, offset::VERSION);
        if version > super::meta::FORMAT {
            return Err(format!("format {version} is newer than this ferromp reads ({})", super::meta::FORMAT));
        }
        let pair = |at| Pair { ticks: read_u64(page, at), ns: read_u64(page, at + 8) };
        let name = &page[offset::NAME..offset::NAME + 16];
        Ok(Header {
            number: read_u32(page, offset::NUMBER),
            tid: read_u64(page, offset::TID),
            committed: read_u64(page, offset::COMMITTED),
            lost: read_u64(page, offset::LOST),
            layout: match read_u32(page, offset::CHUNK) {
                0 => Layout::default(),
                units => Layout::of(u64::from(units) * LEAST_CHUNK),
            },
            freed: read_u64(page, offset::FREED),
            finished: read_u64(page, offset::FINISHED) == 1,
            pairs: [pair(offset::PAIRS), pair(offset::PAIRS + 16)],
            name: String::from_utf8_lossy(name).trim_end_matches('\0').to_owned(),
        })
    }
}

/// The time in ticks in the header of a chunk. `None` if the bytes are no chunk.
pub fn chunk_begin(bytes: &[u8]) -> Option<u64> {
    let header = bytes.get(..CHUNK_HEADER)?;
    (header[..8] == CHUNK_MAGIC).then(|| read_u64(header, 8))
}

fn read_u32(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn read_u64(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}
