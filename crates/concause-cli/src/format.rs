//! The output format: from `--format`, or from the extension of the file named by `-o`.

use std::path::Path;

use concause_report::OutputFormat;

use crate::arguments::{AnswerFormat, RiskFormat};
use crate::error::CommandError;

/// What a format is called and which extensions its files have.
pub trait FileFormat: Copy {
    /// The name, as in `--format`.
    fn name(self) -> &'static str;

    /// The usual extension first.
    fn extensions(self) -> Vec<&'static str>;
}

impl FileFormat for &'static dyn OutputFormat {
    fn name(self) -> &'static str {
        OutputFormat::name(self)
    }

    fn extensions(self) -> Vec<&'static str> {
        let usual = self.extension();
        let others: &[&str] = match usual {
            "html" => &["htm"],
            "md" => &["markdown"],
            "dot" => &["gv"],
            _ => &[],
        };
        [&[usual], others].concat()
    }
}

impl FileFormat for AnswerFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Table => "table",
            Self::Json => "json",
        }
    }

    fn extensions(self) -> Vec<&'static str> {
        match self {
            Self::Table => vec!["txt"],
            Self::Json => vec!["json", "jsonl"],
        }
    }
}

impl FileFormat for RiskFormat {
    fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }

    fn extensions(self) -> Vec<&'static str> {
        vec![self.name()]
    }
}

/// Extensions of files that are never text of another kind: a result in them would deceive.
const OTHER_EXTENSIONS: [&str; 19] = [
    "csv", "tsv", "html", "htm", "md", "json", "dot", "gv", "tex", "xlsx", "xls", "docx", "pdf", "png",
    "svg", "jpg", "parquet", "rds", "xml",
];

/// The format that the user wants among those of a command. `default` is used where nothing says which.
pub fn choose<Format: FileFormat>(
    given: Option<Format>,
    file: Option<&Path>,
    formats: &[Format],
    default: Format,
) -> Result<Format, CommandError> {
    let extension = file.and_then(|file| file.extension()?.to_str()).map(str::to_ascii_lowercase);
    let Some((file, extension)) = file.zip(extension) else { return Ok(given.unwrap_or(default)) };
    let by_name = formats.iter().copied().find(|format| format.extensions().contains(&extension.as_str()));
    let shown = file.display();
    match (given, by_name) {
        (None, Some(format)) => Ok(format),
        (Some(given), Some(by_name)) if given.name() != by_name.name() => Err(CommandError::input(format!(
            "{shown}: the name asks for the format {}, but --format is {}; leave out --format, or name the file with \
             .{}",
            by_name.name(),
            given.name(),
            given.extensions()[0]
        ))),
        (given, None) if OTHER_EXTENSIONS.contains(&extension.as_str()) => {
            let known: Vec<String> =
                formats.iter().map(|format| format!(".{}", format.extensions()[0])).collect();
            let wanted = match given {
                Some(given) => format!("{} files do not end in .{extension}", given.name()),
                None => format!("this command writes no .{extension} files"),
            };
            Err(CommandError::input(format!("{shown}: {wanted}; name the file with {}", known.join(", "))))
        }
        (given, _) => Ok(given.unwrap_or(default)),
    }
}

#[cfg(test)]
mod tests {
    use concause_report::{FORMATS, find_format};

    use super::*;

    fn chosen(given: Option<&str>, file: Option<&str>) -> Result<&'static str, String> {
        let given = given.and_then(|name| find_format(name).ok());
        let default = FORMATS[0];
        choose(given, file.map(Path::new), FORMATS, default)
            .map(FileFormat::name)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_file_decides_the_format() {
        for (file, expected) in [
            ("report.html", "html"),
            ("r.JSON", "json"),
            ("t.csv", "csv"),
            ("t.md", "markdown"),
            ("g.dot", "dot"),
            ("g.gv", "dot"),
            ("t.txt", "table"),
            ("result", "table"),
            ("result.out", "table"),
        ] {
            assert_eq!(chosen(None, Some(file)), Ok(expected), "{file}");
        }
        assert_eq!(chosen(Some("json"), Some("result")), Ok("json"));
        assert_eq!(chosen(Some("json"), Some("result.json")), Ok("json"));
        assert_eq!(chosen(Some("html"), None), Ok("html"));
        let contradiction = chosen(Some("csv"), Some("report.html")).unwrap_err();
        assert!(contradiction.contains("asks for the format html, but --format is csv"), "{contradiction}");
        let unknown = chosen(None, Some("t.pdf")).unwrap_err();
        assert!(unknown.contains("writes no .pdf files; name the file with .txt, .json"), "{unknown}");
        let both = [AnswerFormat::Table, AnswerFormat::Json];
        let answer = choose(None, Some(Path::new("a.html")), &both, AnswerFormat::Table);
        assert!(answer.unwrap_err().to_string().contains("writes no .html files"));
    }
}
