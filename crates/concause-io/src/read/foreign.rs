//! Files that are no table, or tables in a format without a reader: recognised by their first bytes and named, with
//! the step that exports them.

use crate::error::SourceError;
use crate::source::OpenedSource;

/// A format that is recognised and not read.
struct ForeignFormat {
    /// The format with its article.
    format: &'static str,
    /// The first bytes of its files, at an offset; any of them.
    signatures: &'static [(usize, &'static [u8])],
    /// What to do, as the end of a sentence.
    advice: &'static str,
}

const R_ADVICE: &str = "in R, write.csv(readRDS(\"FILE.rds\"), \"FILE.csv\", row.names = FALSE) exports it";
const R_WORKSPACE_ADVICE: &str =
    "in R, load(\"FILE.RData\"), then write.csv(NAME, \"FILE.csv\", row.names = FALSE) exports a data frame";
const IMAGE_ADVICE: &str = "give the table that it was made from";
const ARCHIVE_ADVICE: &str = "unpack it and give the file in it";

const FOREIGN: &[ForeignFormat] = &[
    ForeignFormat {
        format: "an R object (.rds)",
        signatures: &[(0, b"X\n\0\0\0"), (0, b"B\n"), (0, b"A\n2\n"), (0, b"A\n3\n")],
        advice: R_ADVICE,
    },
    ForeignFormat {
        format: "an R workspace (.RData)",
        signatures: &[(0, b"RDX2\n"), (0, b"RDX3\n"), (0, b"RDA2\n"), (0, b"RDA3\n"), (0, b"RDB3\n")],
        advice: R_WORKSPACE_ADVICE,
    },
    ForeignFormat {
        format: "a SAS data set (.sas7bdat)",
        signatures: &[(
            0,
            b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0\x09\xc7\x31\x8c",
        )],
        advice: "in Python, pandas.read_sas(\"FILE.sas7bdat\").to_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "an SPSS portable file (.por)",
        signatures: &[(0, b"ASCII SPSS PORT FILE"), (40, b"ASCII SPSS PORT FILE")],
        advice: "in SPSS, SAVE OUTFILE='FILE.sav' exports it",
    },
    ForeignFormat {
        format: "a DuckDB database",
        signatures: &[(8, b"DUCK")],
        advice: "duckdb FILE.duckdb \"COPY TABLE_NAME TO 'FILE.parquet'\" exports a table",
    },
    ForeignFormat {
        format: "an HDF5 file (.h5, .mat 7.3, .h5ad)",
        signatures: &[(0, b"\x89HDF\r\n\x1a\n")],
        advice: "in Python, pandas.read_hdf(\"FILE.h5\").to_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "a MATLAB file (.mat)",
        signatures: &[(0, b"MATLAB 5.0 MAT-file"), (0, b"MATLAB 7.3 MAT-file")],
        advice: "in MATLAB, writetable(NAME, \"FILE.csv\") exports a table",
    },
    ForeignFormat {
        format: "a NumPy array (.npy)",
        signatures: &[(0, b"\x93NUMPY")],
        advice: "in Python, pandas.DataFrame(numpy.load(\"FILE.npy\")).to_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "a Python pickle",
        signatures: &[(0, b"\x80\x02"), (0, b"\x80\x03"), (0, b"\x80\x04"), (0, b"\x80\x05")],
        advice: "in Python, pandas.read_pickle(\"FILE.pkl\").to_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "a Feather file of version 1",
        signatures: &[(0, b"FEA1")],
        advice: "in Python, pandas.read_feather(\"FILE\").to_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "an ORC file",
        signatures: &[(0, b"ORC")],
        advice: "in Python, pandas.read_orc(\"FILE.orc\").to_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "an Avro file",
        signatures: &[(0, b"Obj\x01")],
        advice: "in Python, polars.read_avro(\"FILE.avro\").write_parquet(\"FILE.parquet\") exports it",
    },
    ForeignFormat {
        format: "a PLINK 2 genotype file (.pgen)",
        signatures: &[(0, b"\x6c\x1b\x02"), (0, b"\x6c\x1b\x10"), (0, b"\x6c\x1b\x11")],
        advice: "plink2 --pfile FILE --make-bed --out FILE exports .bed, .bim and .fam",
    },
    ForeignFormat {
        format: "a BCF file",
        signatures: &[(0, b"BCF\x02")],
        advice: "bcftools view FILE.bcf -Oz -o FILE.vcf.gz exports it",
    },
    ForeignFormat {
        format: "a BGEN file",
        signatures: &[(16, b"bgen")],
        advice: "plink2 --bgen FILE.bgen ref-first --make-bed --out FILE exports .bed, .bim and .fam",
    },
    ForeignFormat {
        format: "a Microsoft Access database",
        signatures: &[(4, b"Standard Jet DB"), (4, b"Standard ACE DB")],
        advice: "mdb-export FILE.mdb TABLE_NAME > FILE.csv exports a table",
    },
    ForeignFormat {
        format: "a PDF document",
        signatures: &[(0, b"%PDF")],
        advice: "ask its author for the table as CSV, or export it with a tool such as Tabula",
    },
    ForeignFormat {
        format: "a web page",
        signatures: &[(0, b"<!DOCTYPE html"), (0, b"<!doctype html"), (0, b"<html"), (0, b"<HTML")],
        advice: "download the file that the page links to",
    },
    ForeignFormat {
        format: "an XML document",
        signatures: &[(0, b"<?xml")],
        advice: "in Python, pandas.read_xml(\"FILE.xml\").to_csv(\"FILE.csv\", index=False) exports it",
    },
    ForeignFormat {
        format: "a pointer to a file in Git LFS, not the file",
        signatures: &[(0, b"version https://git-lfs")],
        advice: "git lfs pull downloads the file",
    },
    ForeignFormat {
        format: "an image",
        signatures: &[(0, b"\x89PNG\r\n\x1a\n"), (0, b"\xff\xd8\xff"), (0, b"GIF8")],
        advice: IMAGE_ADVICE,
    },
    ForeignFormat { format: "a tar archive", signatures: &[(257, b"ustar")], advice: ARCHIVE_ADVICE },
    ForeignFormat {
        format: "a 7z archive",
        signatures: &[(0, b"7z\xbc\xaf\x27\x1c")],
        advice: ARCHIVE_ADVICE,
    },
    ForeignFormat { format: "a RAR archive", signatures: &[(0, b"Rar!\x1a\x07")], advice: ARCHIVE_ADVICE },
    ForeignFormat {
        format: "a program",
        signatures: &[(0, b"\x7fELF"), (0, b"MZ\x90\0")],
        advice: "give a table",
    },
];

/// The error that names the format of a source, if it is a known one without a reader.
pub(crate) fn recognise(opened: &OpenedSource) -> Option<SourceError> {
    let has_entry = |ending: &str| opened.entries.iter().any(|name| name.ends_with(ending));
    if has_entry(".npy") {
        return Some(SourceError::Foreign {
            format: "a file of NumPy arrays (.npz)",
            advice: "in Python, numpy.savetxt(\"FILE.csv\", numpy.load(\"FILE.npz\")[\"NAME\"], delimiter=\",\") exports \
                     an array",
        });
    }
    if has_entry("word/document.xml") {
        let advice = "copy its table into a spreadsheet and save it as .xlsx";
        return Some(SourceError::Foreign { format: "a Word document", advice });
    }
    let begins = |(offset, bytes): &(usize, &[u8])| {
        opened.signature.get(*offset..).is_some_and(|rest| rest.starts_with(bytes))
    };
    let found = FOREIGN.iter().find(|it| it.signatures.iter().any(begins))?;
    Some(SourceError::Foreign { format: found.format, advice: found.advice })
}

/// Whether the first bytes of a source are those of a binary file of an unknown format, not of a text with a stray
/// character.
pub(crate) fn is_binary(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let is_control =
        |byte: &&u8| **byte < b' ' && !matches!(**byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1a | 0x1b);
    let controls = start.iter().filter(is_control).count();
    let is_text = match std::str::from_utf8(start) {
        Ok(_) => true,
        // The last character may be cut.
        Err(error) => error.valid_up_to() + 4 > start.len(),
    };
    match start.contains(&0) {
        true => !is_text || controls > 4 && controls * 50 > start.len(),
        false => controls > 4 && controls * 50 > start.len(),
    }
}
