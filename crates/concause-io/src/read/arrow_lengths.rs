//! Checks the lengths in an Arrow file before it is decoded: the decoder allocates what a file claims, and an
//! allocation that fails ends the program.
//!
//! A block must lie within the file, a buffer within its block, and a compressed buffer cannot hold more than its codec
//! can compress into its bytes, nor more than there is memory.

use std::io::{Read, Seek, SeekFrom};

use arrow_ipc::reader::read_footer_length;
use arrow_ipc::{
    Block, CompressionType, Message, MessageHeader, RecordBatch, root_as_footer, root_as_message,
};
use arrow_schema::ArrowError;

/// The bytes after the footer of a file: its length and the signature.
const TRAILER: u64 = 10;

/// The bytes before the metadata of a message: a mark, which old files lack, and the length.
const MARK: [u8; 4] = [0xff; 4];

/// The bytes before a compressed buffer: the length when decompressed.
const PREFIX: u64 = 8;

/// Checks the blocks that the footer of a file lists.
pub(super) fn check_file(file: &mut (impl Read + Seek)) -> Result<(), ArrowError> {
    let size = file.seek(SeekFrom::End(0))?;
    let trailer = read_at(file, size, size.saturating_sub(TRAILER), TRAILER)?;
    let trailer = <[u8; TRAILER as usize]>::try_from(trailer).map_err(|_| cut_short())?;
    let length = read_footer_length(trailer)? as u64;
    let start = size.checked_sub(TRAILER + length).ok_or_else(cut_short)?;
    let footer = read_at(file, size, start, length)?;
    let footer = root_as_footer(&footer).map_err(|error| ArrowError::ParseError(error.to_string()))?;
    let blocks: Vec<Block> = (footer.dictionaries().into_iter().flatten())
        .chain(footer.recordBatches().into_iter().flatten())
        .copied()
        .collect();
    for block in blocks {
        let [offset, metadata, body] =
            [block.offset(), block.metaDataLength().into(), block.bodyLength()].map(u64::try_from);
        let (Ok(offset), Ok(metadata), Ok(body)) = (offset, metadata, body) else { return Err(cut_short()) };
        let bytes = read_at(file, size, offset, metadata)?;
        let start = offset + metadata;
        if start.checked_add(body).is_none_or(|end| end > size) {
            return Err(cut_short());
        }
        let skipped = if bytes.starts_with(&MARK) { 8 } else { 4 };
        check_message(file, bytes.get(skipped..).unwrap_or_default(), start, body)?;
    }
    Ok(())
}

/// Checks the messages of a stream, up to its end.
pub(super) fn check_stream(stream: &mut (impl Read + Seek)) -> Result<(), ArrowError> {
    let size = stream.seek(SeekFrom::End(0))?;
    let mut place = 0;
    while place + 4 <= size {
        let mut length = read_at(stream, size, place, 4)?;
        place += 4;
        if length == MARK {
            length = read_at(stream, size, place, 4)?;
            place += 4;
        }
        let length = length.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes));
        if length == 0 {
            break;
        }
        let metadata = read_at(stream, size, place, length.into())?;
        place += u64::from(length);
        let body = check_message(stream, &metadata, place, size - place)?;
        place += body;
    }
    Ok(())
}

/// Checks the buffers of a message whose body starts at a place and has at most so many bytes; returns their number.
fn check_message(
    file: &mut (impl Read + Seek),
    metadata: &[u8],
    start: u64,
    most: u64,
) -> Result<u64, ArrowError> {
    let message: Message<'_> =
        root_as_message(metadata).map_err(|error| ArrowError::ParseError(error.to_string()))?;
    let body = u64::try_from(message.bodyLength()).ok().filter(|&body| body <= most).ok_or_else(cut_short)?;
    let batch: Option<RecordBatch<'_>> = match message.header_type() {
        MessageHeader::DictionaryBatch => message.header_as_dictionary_batch().and_then(|it| it.data()),
        _ => message.header_as_record_batch(),
    };
    let Some((batch, codec)) = batch.and_then(|batch| Some((batch, batch.compression()?.codec()))) else {
        return Ok(body);
    };
    let mut total: usize = 0;
    for buffer in batch.buffers().into_iter().flatten() {
        let [offset, length] = [buffer.offset(), buffer.length()].map(u64::try_from);
        let (Ok(offset), Ok(length)) = (offset, length) else { return Err(cut_short()) };
        if offset.checked_add(length).is_none_or(|end| end > body) {
            return Err(cut_short());
        }
        if length < PREFIX {
            continue;
        }
        let prefix = read_at(file, start + body, start + offset, PREFIX)?;
        let claimed = prefix.first_chunk().map_or(0, |bytes| i64::from_le_bytes(*bytes));
        // −1 stands for a buffer that is not compressed.
        let Ok(claimed) = usize::try_from(claimed) else { continue };
        total = total.saturating_add(claimed);
        if claimed as u64 > largest_content(codec, length - PREFIX) || !can_allocate(total) {
            let detail = format!("a buffer of {length} bytes cannot hold {claimed}");
            return Err(ArrowError::IpcError(detail));
        }
    }
    Ok(body)
}

/// The most bytes that a codec can compress into a number of bytes.
fn largest_content(codec: CompressionType, bytes: u64) -> u64 {
    match codec {
        // A byte of a match length stands for at most 255 bytes.
        CompressionType::LZ4_FRAME => bytes.saturating_mul(255),
        // A block of at most 128 KiB takes at least four bytes.
        _ => (bytes / 4).saturating_mul(128 << 10),
    }
}

fn can_allocate(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Reads bytes within the first `size` bytes.
fn read_at(file: &mut (impl Read + Seek), size: u64, place: u64, length: u64) -> Result<Vec<u8>, ArrowError> {
    if place.checked_add(length).is_none_or(|end| end > size) {
        return Err(cut_short());
    }
    file.seek(SeekFrom::Start(place))?;
    let mut bytes = Vec::with_capacity(length as usize);
    file.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(cut_short()) }
}

fn cut_short() -> ArrowError {
    ArrowError::IpcError("it has fewer bytes than it claims".to_owned())
}
