//! A manual page from a definition of clap. clap_mangen writes the options; the text below them is ours, since it has
//! tables and examples whose lines must stay as they are.

use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

/// The page of the command and those of its subcommands: the file's name and the text.
pub fn all(command: clap::Command) -> Vec<(String, String)> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let subcommands: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    let names: Vec<String> =
        subcommands.iter().map(|subcommand| format!("ferromp-{}(1)", subcommand.get_name())).collect();
    let mut pages = vec![of(command, &format!("{}, ferromp-runtime(7)", names.join(", ")))];
    pages.extend(subcommands.into_iter().map(|subcommand| of(subcommand, "ferromp(1), ferromp-runtime(7)")));
    pages
}

/// The page of one command, which refers to the pages `see`.
fn of(command: clap::Command, see: &str) -> (String, String) {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_subcommands = command.has_subcommands();
    // The text below the options follows in sections of its own.
    let command = command.after_help("").version(env!("CARGO_PKG_VERSION"));
    let page = Man::new(command).manual("ferromp").source(concat!("ferromp ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    let sections = [
        Man::render_title,
        Man::render_name_section,
        Man::render_synopsis_section,
        Man::render_description_section,
        Man::render_options_section,
    ];
    let mut done = sections.iter().try_for_each(|section| section(&page, &mut text));
    if has_subcommands {
        done = done.and_then(|()| page.render_subcommands_section(&mut text));
    }
    // A vector takes everything that is written to it.
    done.expect("memory is never full of text");
    let text = String::from_utf8(text).expect("help texts are UTF-8");
    (page.get_filename(), format!("{text}{}{}", sections_of(&notes), see_also(see)))
}

/// The last section.
pub fn see_also(pages: &str) -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["SEE ALSO"]);
    roff.text([roman(pages)]);
    roff.to_roff()
}

/// Sections from the text below the options. A paragraph that begins with a line such as `Examples:` is a section of
/// that name, other paragraphs are notes.
fn sections_of(text: &str) -> String {
    let mut roff = Roff::new();
    let mut in_notes = false;
    for paragraph in text.split("\n\n").map(|paragraph| paragraph.trim_matches('\n')).filter(|text| !text.is_empty()) {
        let (first, rest) = paragraph.split_once('\n').unwrap_or((paragraph, ""));
        let heading = first.strip_suffix(':').filter(|heading| !rest.is_empty() && heading.len() < 20);
        if let Some(heading) = heading.filter(|heading| !heading.contains(' ') || *heading == "Exit status") {
            let heading = if heading == "Example" { "Examples" } else { heading };
            roff.control("SH", [heading.to_uppercase().as_str()]);
            as_it_is(&mut roff, rest);
            in_notes = false;
            continue;
        }
        if !in_notes {
            roff.control("SH", ["NOTES"]);
            in_notes = true;
        } else {
            roff.control("PP", []);
        }
        if paragraph.lines().any(|line| line.starts_with(' ')) {
            as_it_is(&mut roff, paragraph);
        } else {
            roff.text([roman(paragraph.replace('\n', " "))]);
        }
    }
    roff.to_roff()
}

/// Lines that are not filled.
fn as_it_is(roff: &mut Roff, lines: &str) {
    roff.control("nf", []);
    for line in lines.lines() {
        roff.text([roman(line)]);
    }
    roff.control("fi", []);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_become_sections_and_notes() {
        let text = sections_of("Examples:\n  a b   what\n\nFilled\ntext.\n\nkept:\n  as it is");
        let lines: Vec<&str> =
            text.lines().filter(|line| !line.starts_with(".ie") && !line.starts_with(".el")).collect();
        assert_eq!(
            lines,
            [
                ".SH EXAMPLES",
                ".nf",
                "  a b   what",
                ".fi",
                ".SH NOTES",
                "Filled text.",
                ".SH KEPT",
                ".nf",
                "  as it is",
                ".fi"
            ]
        );
    }
}
