//! The entries of a zip archive: the directory at its end, and the bytes of one entry.
//!
//! The format is that of PKWARE's APPNOTE, with 64-bit sizes. Encrypted entries and archives of several volumes are
//! refused. It knows nothing of the content of the entries.

use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom};

use super::compression::{ByteStream, Compression};

/// The end record of a directory, without its comment, and the longest comment.
const END_BYTES: usize = 22;
const MAX_COMMENT_BYTES: u64 = 65_535;
/// The largest directory that is read.
const MAX_DIRECTORY_BYTES: u64 = 256 << 20;

/// A file in an archive.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub name: String,
    method: u16,
    is_encrypted: bool,
    checksum: u32,
    compressed: u64,
    /// The bytes of its content.
    pub size: u64,
    offset: u64,
}

/// The number of the lowest bytes, least significant first; 0 for those that are missing.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    let bytes = bytes.get(at..at + length).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn corrupt(detail: &str) -> Error {
    Error::new(ErrorKind::InvalidData, detail.to_owned())
}

/// The entries of an archive, without directories.
pub(crate) fn read_entries(archive: &mut (impl Read + Seek)) -> io::Result<Vec<Entry>> {
    let length = archive.seek(SeekFrom::End(0))?;
    let tail_start = length.saturating_sub(END_BYTES as u64 + MAX_COMMENT_BYTES);
    let tail = read_at(archive, tail_start, length - tail_start)?;
    let end = (0..tail.len().saturating_sub(END_BYTES - 1)).rev();
    let end = end.into_iter().find(|&at| tail[at..].starts_with(b"PK\x05\x06"));
    let end = end.ok_or_else(|| corrupt("the directory at its end is missing"))?;
    let record = &tail[end..];
    let (mut size, mut offset) = (number(record, 12, 4), number(record, 16, 4));
    if size == u64::from(u32::MAX) || offset == u64::from(u32::MAX) || number(record, 10, 2) == 0xffff {
        let locator = end.checked_sub(20).map(|at| &tail[at..]).unwrap_or_default();
        if locator.starts_with(b"PK\x06\x07") {
            let record = read_at(archive, number(locator, 8, 8), 56)?;
            (size, offset) = (number(&record, 40, 8), number(&record, 48, 8));
        }
    }
    if size > MAX_DIRECTORY_BYTES || offset.checked_add(size).is_none_or(|last| last > length) {
        return Err(corrupt("its directory is damaged"));
    }
    let directory = read_at(archive, offset, size)?;
    let (mut entries, mut rest) = (Vec::new(), directory.as_slice());
    while rest.starts_with(b"PK\x01\x02") {
        let [name, extra, comment] = [28, 30, 32].map(|at| number(rest, at, 2) as usize);
        let Some(next) = rest.get(46 + name + extra + comment..) else {
            return Err(corrupt("its directory is cut short"));
        };
        let entry = read_entry(rest, &rest[46..46 + name], &rest[46 + name..46 + name + extra]);
        if !entry.name.ends_with('/') {
            entries.push(entry);
        }
        rest = next;
    }
    Ok(entries)
}

fn read_entry(record: &[u8], name: &[u8], mut extra: &[u8]) -> Entry {
    let mut entry = Entry {
        name: String::from_utf8_lossy(name).into_owned(),
        method: number(record, 10, 2) as u16,
        is_encrypted: number(record, 8, 2) & 1 == 1,
        checksum: number(record, 16, 4) as u32,
        compressed: number(record, 20, 4),
        size: number(record, 24, 4),
        offset: number(record, 42, 4),
    };
    while extra.len() >= 4 {
        let (kind, length) = (number(extra, 0, 2), number(extra, 2, 2) as usize);
        let Some(mut field) = extra.get(4..4 + length) else { break };
        if kind == 1 {
            // 64-bit numbers in place of those that are too large, in this order.
            for value in [&mut entry.size, &mut entry.compressed, &mut entry.offset] {
                if *value == u64::from(u32::MAX) {
                    *value = number(field, 0, 8);
                    field = field.get(8..).unwrap_or_default();
                }
            }
        }
        extra = &extra[4 + length..];
    }
    entry
}

fn read_at(archive: &mut (impl Read + Seek), offset: u64, length: u64) -> io::Result<Vec<u8>> {
    archive.seek(SeekFrom::Start(offset))?;
    let mut bytes = Vec::new();
    archive.take(length).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < length { Err(corrupt("it is cut short")) } else { Ok(bytes) }
}

/// The decompressed bytes of an entry. Their checksum is compared at the end.
pub(crate) fn open_entry(
    mut archive: impl Read + Seek + Send + 'static,
    entry: &Entry,
) -> io::Result<ByteStream> {
    if entry.is_encrypted {
        return Err(corrupt("its content is encrypted; unpack it with its password first"));
    }
    let header = read_at(&mut archive, entry.offset, 30)?;
    if !header.starts_with(b"PK\x03\x04") {
        return Err(corrupt("its directory points to a wrong place"));
    }
    let skipped = number(&header, 26, 2) + number(&header, 28, 2);
    archive.seek(SeekFrom::Start(entry.offset + 30 + skipped))?;
    let raw = Box::new(archive.take(entry.compressed));
    let unavailable = |feature: &str| {
        Error::new(
            ErrorKind::Unsupported,
            format!("this build lacks the feature {feature:?}; unpack it first"),
        )
    };
    let bytes: ByteStream = match entry.method {
        0 => raw,
        8 => Box::new(flate2::read::DeflateDecoder::new(raw)),
        12 => Compression::Bzip2.decompress(raw).map_err(unavailable)??,
        93 => Compression::Zstandard.decompress(raw).map_err(unavailable)??,
        95 => Compression::Xz.decompress(raw).map_err(unavailable)??,
        method => {
            let detail = format!("its content is packed by method {method}; unpack it first");
            return Err(Error::new(ErrorKind::Unsupported, detail));
        }
    };
    Ok(Box::new(Checked { bytes, crc: flate2::Crc::new(), expected: entry.checksum, size: entry.size }))
}

/// Compares the checksum and the size of a stream at its end.
struct Checked {
    bytes: ByteStream,
    crc: flate2::Crc,
    expected: u32,
    size: u64,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(buffer)?;
        self.crc.update(&buffer[..length]);
        let is_end = length == 0 && !buffer.is_empty();
        // The checksum counts bytes modulo 2^32.
        let is_whole = self.crc.sum() == self.expected && self.crc.amount() == self.size as u32;
        if is_end && !is_whole { Err(corrupt("a checksum does not match")) } else { Ok(length) }
    }
}
