//! The flags that say how to read a table and what to make of it.

use std::path::PathBuf;

use clap::Args;
use concause_io::{Delimiter, EncodeOptions, Format, MissingAs, ReadOptions, TextEncoding};

use super::values::{Quote, parse, quote, size};

const ENCODING: &str = "Encoding";
const READING: &str = "Reading";

/// How to read the table, and how to make binary columns of it.
#[derive(Clone, Debug, Args)]
pub struct DataArguments {
    /// The outcome: a binary attribute, or NAME=VALUE
    #[arg(long, short, value_name = "NAME[=VALUE]")]
    pub target: String,
    /// Types, values and cut points of attributes, in a TOML file
    #[arg(long, value_name = "FILE", help_heading = ENCODING)]
    pub declare: Option<PathBuf>,
    /// Attributes to read as nominal (one column per value), separated by commas
    #[arg(long, value_name = "NAMES", help_heading = ENCODING)]
    pub nominal: Vec<String>,
    /// Attributes to read as binary (one column)
    #[arg(long, hide_short_help = true, value_name = "NAMES", help_heading = ENCODING)]
    pub binary: Vec<String>,
    /// Attributes to read as continuous (cut into intervals)
    #[arg(long, hide_short_help = true, value_name = "NAMES", help_heading = ENCODING)]
    pub continuous: Vec<String>,
    /// Attributes to leave out
    #[arg(long, value_name = "NAMES", help_heading = ENCODING)]
    pub ignore: Vec<String>,
    /// The attribute that says how many rows each row stands for: whole numbers; 0 leaves the row out. Survey and other
    /// sampling weights are not supported
    #[arg(long, value_name = "NAME", help_heading = ENCODING)]
    pub weights: Option<String>,
    /// Cut continuous attributes into N intervals with about as many rows each, not by entropy
    #[arg(long, hide_short_help = true, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1000), help_heading = ENCODING)]
    pub bins: Option<u16>,
    /// Leave out continuous attributes
    #[arg(long, hide_short_help = true, conflicts_with = "bins", help_heading = ENCODING)]
    pub drop_continuous: bool,
    /// Also offer the negation of every binary column (!V1)
    #[arg(long, help_heading = ENCODING)]
    pub negate: bool,
    /// What becomes of missing values: zero (0 in all columns of the attribute), level (a column of their own)
    /// or drop (the row is left out)
    #[arg(long, value_name = "HOW", default_value = "zero", value_parser = parse::<MissingAs>, help_heading = ENCODING)]
    pub missing_as: MissingAs,
    /// A further mark of missing values, beside the empty field, NA, NaN, null and ?
    #[arg(long, hide_short_help = true, value_name = "MARK", help_heading = READING)]
    pub missing: Vec<String>,
    /// What separates the fields: a character, tab or blank (any run of blanks) [default: detected]
    #[arg(long, hide_short_help = true, value_name = "CHAR", value_parser = parse::<Delimiter>, help_heading = READING)]
    pub delimiter: Option<Delimiter>,
    /// The quote around fields: a character, or none
    #[arg(long, hide_short_help = true, value_name = "CHAR", default_value = "\"", value_parser = quote, help_heading = READING)]
    pub quote: Quote,
    /// The first line holds the names [default: detected]
    #[arg(long, hide_short_help = true, overrides_with = "no_header", help_heading = READING)]
    pub header: bool,
    /// The first line holds data; the columns are called V1, V2, … or as declared
    #[arg(long, hide_short_help = true, overrides_with = "header", help_heading = READING)]
    pub no_header: bool,
    /// The encoding of text: utf8 or latin1
    #[arg(long, hide_short_help = true, value_name = "NAME", default_value = "utf8", value_parser = parse::<TextEncoding>, help_heading = READING)]
    pub encoding: TextEncoding,
    /// The format of the files: text, parquet or arrow [default: by extension]
    #[arg(long, hide_short_help = true, value_name = "FORMAT", value_parser = parse::<Format>, help_heading = READING)]
    pub input_format: Option<Format>,
    /// The most memory the data may take, e.g. 500M or 8G
    #[arg(long, hide_short_help = true, value_name = "SIZE", value_parser = size, help_heading = READING)]
    pub max_memory: Option<u64>,
    /// The number of threads; 0 means all processors
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub threads: usize,
}

impl DataArguments {
    /// How to read the files.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            delimiter: self.delimiter,
            header: if self.header {
                Some(true)
            } else if self.no_header {
                Some(false)
            } else {
                None
            },
            target: Some(self.target.clone()),
            quote: self.quote.0,
            encoding: self.encoding,
            missing: self.missing.clone(),
            max_memory: self.max_memory,
            format: self.input_format,
        }
    }

    /// How to encode the table; the lists of names are still as typed.
    pub fn encode_options(&self) -> EncodeOptions {
        EncodeOptions {
            target: self.target.clone(),
            nominal: self.nominal.clone(),
            binary: self.binary.clone(),
            continuous: self.continuous.clone(),
            ignore: self.ignore.clone(),
            bins: self.bins.map(usize::from),
            drop_continuous: self.drop_continuous,
            missing_as: self.missing_as,
            negate: self.negate,
            weights: self.weights.clone(),
            holdout: None,
            max_memory: self.max_memory,
        }
    }
}
