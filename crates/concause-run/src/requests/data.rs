//! How to read a table and encode it as binary columns.

use concause_io::{
    DecimalMark, Delimiter, EncodeOptions, InputFormat, MissingAs, ReadOptions, Scheme, Source, TextEncoding,
};

use crate::settings::values::{
    parse_character, parse_count, parse_file_name, parse_name, parse_quote, parse_size, parse_whole_number_in,
};
use crate::settings::{Expected, FromSettings, Setting};

const ENCODING: &str = "Encoding";
const READING: &str = "Reading";

/// How to read a table and encode it as binary columns. Lists of names may hold several names, separated by commas.
#[derive(Clone, Debug)]
pub struct DataRequest {
    /// The outcome: a binary attribute, or `NAME=VALUE`.
    pub target: String,
    /// TOML with types, values and cut points of attributes.
    pub declare: Option<Source>,
    /// Attributes to read as nominal.
    pub nominal: Vec<String>,
    /// Attributes to read as binary.
    pub binary: Vec<String>,
    /// Attributes to read as ordered.
    pub continuous: Vec<String>,
    /// Attributes to exclude.
    pub ignore: Vec<String>,
    /// The attribute of frequency weights.
    pub weights: Option<String>,
    /// Which columns an attribute has; as the preset has it if absent.
    pub columns: Option<Scheme>,
    /// The largest number of bands of an ordered attribute.
    pub bands: Option<u16>,
    /// The cuts of ordered attributes.
    pub cuts: Vec<(String, Vec<f64>)>,
    /// Attributes to use although they look like identifiers.
    pub used: Vec<String>,
    /// Whether ordered attributes are excluded.
    pub drop_continuous: bool,
    /// Whether attributes with two values have a column for each of them.
    pub negate: bool,
    /// How missing values are treated.
    pub missing_as: MissingAs,
    /// Missing-value markers besides the usual ones.
    pub missing: Vec<String>,
    /// A TOML or CSV file with labels of values.
    pub labels: Option<Source>,
    /// The decimal mark of numbers that can be read in two ways; detected if absent.
    pub decimal: Option<DecimalMark>,
    /// The character at the start of comment lines.
    pub comment: Option<u8>,
    /// The field delimiter; detected if absent.
    pub delimiter: Option<Delimiter>,
    /// The quote character around fields.
    pub quote: Option<u8>,
    /// Whether the first line contains column names; detected if absent.
    pub header: Option<bool>,
    /// The text encoding.
    pub encoding: TextEncoding,
    /// The file format; detected if absent.
    pub input_format: Option<InputFormat>,
    /// The maximum memory for the data, in bytes.
    pub max_memory: Option<u64>,
    /// The number of threads; 0 uses all processors.
    pub threads: usize,
}

impl Default for DataRequest {
    fn default() -> Self {
        let read = ReadOptions::default();
        let encode = EncodeOptions::default();
        Self {
            target: String::new(),
            declare: None,
            nominal: Vec::new(),
            binary: Vec::new(),
            continuous: Vec::new(),
            ignore: Vec::new(),
            weights: None,
            columns: None,
            bands: None,
            cuts: Vec::new(),
            used: Vec::new(),
            drop_continuous: false,
            negate: false,
            missing_as: encode.missing_as,
            missing: Vec::new(),
            labels: None,
            decimal: None,
            comment: None,
            delimiter: None,
            quote: read.quote,
            header: None,
            encoding: read.encoding,
            input_format: None,
            max_memory: None,
            threads: 0,
        }
    }
}

impl DataRequest {
    /// How to read the files.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            delimiter: self.delimiter,
            header: self.header,
            target: Some(self.target.clone()),
            quote: self.quote,
            encoding: self.encoding,
            decimal: self.decimal,
            comment: self.comment,
            missing: self.missing.clone(),
            max_memory: self.max_memory,
            format: self.input_format,
        }
    }

    /// How to encode the table. Lists of names are not yet split at commas.
    pub fn encode_options(&self) -> EncodeOptions {
        EncodeOptions {
            target: self.target.clone(),
            nominal: self.nominal.clone(),
            binary: self.binary.clone(),
            continuous: self.continuous.clone(),
            ignore: self.ignore.clone(),
            scheme: self.columns.unwrap_or_default(),
            bands: self.bands.map(usize::from),
            cuts: self.cuts.clone(),
            used: self.used.clone(),
            drop_continuous: self.drop_continuous,
            missing_as: self.missing_as,
            negate: self.negate,
            weights: self.weights.clone(),
            holdout: None,
            max_memory: self.max_memory,
        }
    }
}

const DECIMAL_MARKS: [&str; 2] = ["point", "comma"];
const SCHEMES: [&str; 2] = ["attributes", "values"];
const MISSING_AS: [&str; 3] = ["zero", "level", "drop"];
const TEXT_ENCODINGS: [&str; 2] = ["utf8", "latin1"];

/// The names of all input formats.
fn input_formats() -> Vec<&'static str> {
    InputFormat::list().map(InputFormat::name).collect()
}

/// Names as a list in a sentence: `text, parquet or arrow`.
fn join_names(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl FromSettings for DataRequest {
    fn settings() -> Vec<Setting<Self>> {
        let target = Setting::value(
            "target",
            "NAME[=VALUE]",
            "The outcome: an attribute with two values, NAME=VALUE, NAME>=NUMBER or NAME<NUMBER",
            |request: &mut Self, text| {
                request.target = text.to_owned();
                Ok(())
            },
        );
        let threads = Setting::value(
            "threads",
            "N",
            "Number of threads; 0 uses all processors",
            |request: &mut Self, text| parse_count(text).map(|threads| request.threads = threads),
        );
        let mut settings = vec![target.short('t').required()];
        settings.extend(encoding_settings().into_iter().map(|setting| setting.group(ENCODING)));
        settings.extend(reading_settings().into_iter().map(|setting| setting.group(READING).advanced()));
        settings.push(threads.default("0"));
        settings
    }
}

/// The settings of [`DataRequest`] that say how a table is read.
pub(super) const OF_READING: [&str; 12] = [
    "missing",
    "labels",
    "decimal",
    "comment",
    "delimiter",
    "quote",
    "header",
    "no-header",
    "encoding",
    "input-format",
    "max-memory",
    "threads",
];

/// Reads `NAME=CUT,CUT,…`.
fn parse_cuts(text: &str) -> Result<(String, Vec<f64>), Expected> {
    let (name, cuts) = text.rsplit_once('=').ok_or(Expected::Cuts)?;
    let cuts: Result<Vec<f64>, _> = cuts.split(',').map(|cut| cut.trim().parse::<f64>()).collect();
    let is_ascending = |cuts: &Vec<f64>| {
        cuts.windows(2).all(|pair| pair[0] < pair[1]) && cuts.iter().all(|cut| cut.is_finite())
    };
    let cuts = cuts.ok().filter(is_ascending).ok_or(Expected::Cuts)?;
    Ok((name.to_owned(), cuts))
}

fn push(list: &mut Vec<String>, text: &str) -> Result<(), Expected> {
    list.push(text.to_owned());
    Ok(())
}

fn encoding_settings() -> Vec<Setting<DataRequest>> {
    vec![
        Setting::value(
            "declare",
            "FILE",
            "TOML file with types, values and cut points of attributes",
            |request: &mut DataRequest, text| parse_file_name(text).map(|file| request.declare = Some(file)),
        ),
        Setting::value(
            "labels",
            "FILE",
            "Labels of values, which name them in all results: a TOML file with a table per attribute, or a CSV file \
             with the columns attribute, value and label",
            |request: &mut DataRequest, text| parse_file_name(text).map(|file| request.labels = Some(file)),
        )
        .advanced(),
        Setting::list(
            "nominal",
            "NAMES",
            "Attributes to read as nominal (one column per value), comma-separated",
            |request: &mut DataRequest, text| push(&mut request.nominal, text),
        ),
        Setting::list("binary", "NAMES", "Attributes to read as binary (one column)", |request: &mut DataRequest, text| {
            push(&mut request.binary, text)
        })
        .advanced(),
        Setting::list(
            "continuous",
            "NAMES",
            "Attributes to read as ordered: numbers, with a threshold between each two of their bands",
            |request: &mut DataRequest, text| push(&mut request.continuous, text),
        )
        .advanced(),
        Setting::list("ignore", "NAMES", "Attributes to exclude", |request: &mut DataRequest, text| {
            push(&mut request.ignore, text)
        }),
        Setting::value(
            "weights",
            "NAME",
            "Attribute of frequency weights: the number of rows that each row represents (whole numbers; 0 excludes \
             the row). Survey and other sampling weights are not supported",
            |request: &mut DataRequest, text| {
                request.weights = Some(text.to_owned());
                Ok(())
            },
        ),
        Setting::list(
            "cuts",
            "NAME=CUTS",
            "Cuts of an ordered attribute, e.g. age=30,45,60: its thresholds are age>=30, age>=45 and age>=60",
            |request: &mut DataRequest, text| parse_cuts(text).map(|cuts| request.cuts.push(cuts)),
        ),
        Setting::value(
            "bands",
            "N",
            "Cut ordered attributes into at most N bands of about equal frequency [default: 16]",
            |request: &mut DataRequest, text| parse_whole_number_in(text, 2, 1000).map(|bands| request.bands = Some(bands as u16)),
        ),
        Setting::list(
            "use",
            "NAMES",
            "Attributes to use although they look like identifiers",
            |request: &mut DataRequest, text| push(&mut request.used, text),
        ),
        Setting::value(
            "columns",
            "SCHEME",
            "Columns of an attribute: attributes (one if it has two values, thresholds of numbers, rare values pooled) \
             or values (one per value, and intervals of numbers that depend on the target, as in the paper) \
             [default: attributes; paper presets: values]",
            |request: &mut DataRequest, text| parse_name(text, &SCHEMES).map(|scheme| request.columns = Some(scheme)),
        )
        .choices(SCHEMES.to_vec())
        .advanced(),
        Setting::flag("drop-continuous", "Exclude ordered attributes", |request: &mut DataRequest| {
            request.drop_continuous = true
        })
        .conflicts(&["bands"])
        .advanced(),
        Setting::flag("negate", "Add a column for the other value of every attribute with two values (V1=0)", |request: &mut DataRequest| {
            request.negate = true
        }),
        Setting::value(
            "missing-as",
            "HOW",
            "Treatment of missing values: zero (0 in all columns of the attribute), level (a separate column) or \
             drop (exclude the row)",
            |request: &mut DataRequest, text| parse_name(text, &MISSING_AS).map(|how| request.missing_as = how),
        )
        .choices(MISSING_AS.to_vec())
        .default("zero"),
    ]
}

fn reading_settings() -> Vec<Setting<DataRequest>> {
    vec![
        Setting::list(
            "missing",
            "MARK",
            "Additional missing-value marker, besides the empty field, NA, NaN, null and ?; may be repeated",
            |request: &mut DataRequest, text| push(&mut request.missing, text),
        ),
        Setting::value(
            "decimal",
            "MARK",
            "Decimal mark of numbers that can be read in two ways, such as 1,234: point or comma [default: comma where \
             semicolons separate the fields, else point]",
            |request: &mut DataRequest, text| {
                parse_name(text, &DECIMAL_MARKS).map(|mark| request.decimal = Some(mark))
            },
        )
        .choices(DECIMAL_MARKS.to_vec()),
        Setting::value(
            "comment",
            "CHAR",
            "Skip lines of text files that begin with this character, e.g. '#'",
            |request: &mut DataRequest, text| parse_character(text).map(|mark| request.comment = Some(mark)),
        ),
        Setting::value(
            "delimiter",
            "CHAR",
            "Field delimiter: a character, tab or blank (any run of blanks) [default: detected]",
            |request: &mut DataRequest, text| {
                request.delimiter = Some(text.parse().map_err(|_| Expected::Delimiter)?);
                Ok(())
            },
        ),
        Setting::value(
            "quote",
            "CHAR",
            "Quote character around fields, or none",
            |request: &mut DataRequest, text| parse_quote(text).map(|quote| request.quote = quote),
        )
        .default("\""),
        Setting::flag(
            "header",
            "The first line contains the column names [default: detected]",
            |request: &mut DataRequest| request.header = Some(true),
        )
        .overrides("no-header"),
        Setting::flag(
            "no-header",
            "The first line contains data; the columns are named V1, V2, … or as declared",
            |request: &mut DataRequest| request.header = Some(false),
        )
        .overrides("header"),
        Setting::value(
            "encoding",
            "NAME",
            "Text encoding: utf8 or latin1",
            |request: &mut DataRequest, text| {
                parse_name(text, &TEXT_ENCODINGS).map(|encoding| request.encoding = encoding)
            },
        )
        .choices(TEXT_ENCODINGS.to_vec())
        .default("utf8"),
        Setting::value(
            "input-format",
            "FORMAT",
            format!("File format: {} [default: by its first bytes, then by extension]", join_names(&input_formats())),
            |request: &mut DataRequest, text| {
                parse_name(text, &input_formats()).map(|format| request.input_format = Some(format))
            },
        )
        .choices(input_formats()),
        Setting::value(
            "max-memory",
            "SIZE",
            "Maximum memory for the data, e.g. 500M or 8G",
            |request: &mut DataRequest, text| parse_size(text).map(|size| request.max_memory = Some(size)),
        ),
    ]
}
