//! Pages in Markdown: sections that programs replace, and prose wrapped to short lines.

/// The longest line of prose.
const WIDTH: usize = 118;

/// The page with one section replaced: the text between the lines `<!-- section -->` and `<!-- end of section -->`.
/// None if the page does not have these lines.
pub fn replace_section(page: &str, section: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {section} -->\n"), format!("<!-- end of {section} -->"));
    let start = page.find(&begin)? + begin.len();
    let stop = start + page[start..].find(&end)?;
    Some(format!("{}\n{}\n\n{}", &page[..start], text.trim(), &page[stop..]))
}

/// Wraps paragraphs and list items to short lines. Tables, headings, code, images and comments stay as they are.
///
/// A line of prose is broken at blanks only, and not inside `code`; a text that is already wrapped does not change.
pub fn wrap_prose(page: &str) -> String {
    let (mut out, mut in_code) = (String::new(), false);
    for line in page.split_inclusive('\n') {
        let text = line.trim_end_matches('\n');
        in_code ^= text.starts_with("```");
        let is_fixed =
            in_code || ["|", "#", "    ", "!", "<", "```"].iter().any(|start| text.starts_with(start));
        if is_fixed || text.chars().count() <= WIDTH {
            out.push_str(line);
            continue;
        }
        let indent = if text.starts_with("- ") { "  " } else { "" };
        out.push_str(&wrap_line(text, indent));
        out.push('\n');
    }
    out
}

/// Breaks a line; all lines but the first begin with the indent.
fn wrap_line(text: &str, indent: &str) -> String {
    let (mut out, mut length) = (String::new(), 0);
    for word in words(text) {
        let word_length = word.chars().count();
        // A word that Markdown would read as the start of a list, heading or quote must not begin a line.
        let may_break = !matches!(word, "-" | "+" | "*" | ">") && !word.starts_with('#');
        if length > 0 && length + 1 + word_length > WIDTH && may_break {
            out.push('\n');
            out.push_str(indent);
            length = indent.len();
        } else if length > 0 {
            out.push(' ');
            length += 1;
        }
        out.push_str(word);
        length += word_length;
    }
    out
}

/// The words of a line; blanks inside `code` do not separate words.
fn words(text: &str) -> Vec<&str> {
    let (mut words, mut start, mut in_code) = (Vec::new(), 0, false);
    for (place, letter) in text.char_indices() {
        match letter {
            '`' => in_code = !in_code,
            ' ' if !in_code => {
                words.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_section_is_replaced_and_the_rest_is_kept() {
        let page = "# P\n<!-- a -->\nold\n<!-- end of a -->\ntext\n<!-- b -->\n<!-- end of b -->\n";
        let page = replace_section(page, "a", "new").unwrap();
        assert_eq!(
            page,
            "# P\n<!-- a -->\n\nnew\n\n<!-- end of a -->\ntext\n<!-- b -->\n<!-- end of b -->\n"
        );
        assert_eq!(replace_section(&page, "a", "new").unwrap(), page);
        assert_eq!(replace_section(&page, "c", "new"), None);
    }

    #[test]
    fn prose_is_wrapped_and_everything_else_is_kept() {
        let long = "word ".repeat(40);
        for fixed in ["| ", "# ", "    ", "![x](y) "] {
            let line = format!("{fixed}{long}\n");
            assert_eq!(wrap_prose(&line), line);
        }
        let code = format!("```sh\n{long}\n```\n");
        assert_eq!(wrap_prose(&code), code);
        let item = format!("- {long}`two  words` {long}\n\nshort\n");
        let wrapped = wrap_prose(&item);
        assert!(wrapped.lines().all(|line| line.chars().count() <= WIDTH), "{wrapped}");
        assert!(wrapped.contains("\n  word") && wrapped.contains("`two  words`"), "{wrapped}");
        assert_eq!(wrap_prose(&wrapped), wrapped);
        assert_eq!(wrapped.replace("\n  ", " "), item);
    }

    /// The committed pages are what the programs write.
    #[test]
    fn committed_pages_are_wrapped() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let mut pages = vec![docs.join("benchmarks.md")];
        pages.extend(std::fs::read_dir(docs.join("experiments")).unwrap().map(|entry| entry.unwrap().path()));
        for path in pages.iter().filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
            let page = std::fs::read_to_string(path).unwrap();
            assert!(wrap_prose(&page) == page, "{} has long lines of prose", path.display());
        }
    }
}
