//! Decompression: which one a stream needs is seen from its first bytes.

use std::io::{self, Read};
use std::path::Path;

/// A stream of bytes that any thread may read.
pub(crate) type ByteStream = Box<dyn Read + Send>;

/// How the bytes of a source are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    Gzip,
    Zstandard,
    Bzip2,
    Xz,
    Zip,
}

impl Compression {
    /// The name in errors.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstandard => "Zstandard",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zip => "zip",
        }
    }

    /// Detects the compression by the first bytes.
    pub fn detect(signature: &[u8]) -> Option<Self> {
        match signature {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstandard),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, ..] => Some(Self::Bzip2),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ => None,
        }
    }

    /// The compression according to the name of a file.
    pub fn by_name(name: &Path) -> Option<Self> {
        match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" | "bgz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstandard),
            "bz2" => Some(Self::Bzip2),
            "xz" => Some(Self::Xz),
            "zip" => Some(Self::Zip),
            _ => None,
        }
    }

    /// The decompressed stream. The outer error is the feature that this build lacks.
    pub fn decompress(self, raw: ByteStream) -> Result<io::Result<ByteStream>, &'static str> {
        Ok(match self {
            Self::Gzip => Ok(Box::new(flate2::read::MultiGzDecoder::new(raw))),
            #[cfg(feature = "zstd")]
            Self::Zstandard => {
                zstd::stream::read::Decoder::new(raw).map(|decoder| Box::new(decoder) as ByteStream)
            }
            #[cfg(not(feature = "zstd"))]
            Self::Zstandard => return Err("zstd"),
            // An archive is opened by its directory and not as a stream.
            Self::Zip => Ok(raw),
            #[cfg(feature = "compression")]
            Self::Bzip2 => Ok(Box::new(bzip2::read::MultiBzDecoder::new(raw))),
            #[cfg(feature = "compression")]
            Self::Xz => Ok(Box::new(lzma_rust2::XzReader::new(raw, true))),
            #[cfg(not(feature = "compression"))]
            Self::Bzip2 | Self::Xz => return Err("compression"),
        })
    }
}
