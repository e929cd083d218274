//! ferromp-runtime(7): the variables of the runtime and where the runtime differs from others. Both come from the texts
//! that the rest of the project uses: `crates/settings/variables.txt`, which a test compares with what the runtime
//! reads and says, and `docs/differences.md`.

use clap_mangen::roff::{Inline, Roff, bold, roman};

use super::page::see_also;

/// The variables. `crates/settings/src/icv/described.rs` explains the form.
const VARIABLES: &str = include_str!("../../../settings/variables.txt");
/// The differences, a Markdown page of tables.
const DIFFERENCES: &str = include_str!("../../../../docs/differences.md");

/// The page's file and text.
pub fn page() -> (String, String) {
    let mut roff = Roff::new();
    let source = concat!("ferromp ", env!("CARGO_PKG_VERSION"));
    roff.control("TH", ["ferromp-runtime", "7", "", source, "ferromp"]);
    roff.control("SH", ["NAME"]);
    roff.text([roman("ferromp-runtime - the OpenMP runtime of ferromp: variables, defaults, differences")]);
    roff.control("SH", ["DESCRIPTION"]);
    for paragraph in DESCRIPTION {
        roff.control("PP", []);
        roff.text([roman(*paragraph)]);
    }
    roff.control("SH", ["ENVIRONMENT"]);
    variables(&mut roff);
    roff.control("SH", ["DIFFERENCES"]);
    differences(&mut roff);
    ("ferromp-runtime.7".to_owned(), roff.to_roff() + &see_also("ferromp(1), ferromp-run(1), ferromp-doctor(1)"))
}

/// What the variables have in common.
const DESCRIPTION: &[&str] = &[
    "The runtime replaces libgomp.so.1, libomp.so and libiomp5.so under programs that are already compiled. `ferromp run` \
     and the other commands that start programs bring it into a program.",
    "A value that cannot be read costs one line on stderr, which says what applies instead. Letters may be small or capital. \
     Variables of OpenMP also have the forms _DEV, _DEV_n and _ALL where OpenMP has them. OMP_DISPLAY_ENV=verbose shows \
     the settings of a run.",
];

/// The variables, by their groups.
fn variables(roff: &mut Roff) {
    for block in VARIABLES.split("\n\n").map(str::trim).filter(|block| !block.starts_with('#') && !block.is_empty()) {
        if let Some(group) = block.strip_prefix("= ") {
            roff.control("SS", [group]);
            continue;
        }
        let (name, rest) = block.split_once('\n').unwrap_or((block, ""));
        roff.control("TP", []);
        roff.text([bold(name)]);
        let field = |field: &str| rest.lines().find_map(|line| line.strip_prefix(field)).map(str::trim);
        let text: Vec<&str> =
            rest.lines().filter(|line| !line.starts_with("value:") && !line.starts_with("default:")).collect();
        roff.text([roman(text.join(" "))]);
        for (label, value) in [("Value", field("value:")), ("Default", field("default:"))] {
            if let Some(value) = value {
                roff.control("br", []);
                roff.text([roman(format!("{label}: {value}."))]);
            }
        }
    }
}

/// The rows of the Markdown tables: each is a case, then how the other runtime and ferromp behave.
fn differences(roff: &mut Roff) {
    let mut columns: Vec<String> = Vec::new();
    for line in DIFFERENCES.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            roff.control("SS", [heading]);
        }
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else { continue };
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        match cells.as_slice() {
            [first, ..] if first.starts_with("---") => {}
            ["", other, ours, ..] => columns = vec![plain(other), plain(ours)],
            [case, other, ours, ..] => {
                roff.control("TP", []);
                roff.text(inlines(case));
                for (place, (column, text)) in columns.iter().zip([other, ours]).enumerate() {
                    if place > 0 {
                        roff.control("br", []);
                    }
                    roff.text([vec![roman(format!("{column}: "))], inlines(text)].concat());
                }
            }
            _ => {}
        }
    }
}

/// The text without the marks of code and links.
fn plain(text: &str) -> String {
    without_links(text).replace('`', "")
}

/// The text, with code in bold.
fn inlines(text: &str) -> Vec<Inline> {
    let text = without_links(text);
    let parts = text.split('`').enumerate();
    parts.map(|(place, part)| if place % 2 == 1 { bold(part) } else { roman(part) }).collect()
}

/// `[words](target)` becomes `words`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, link)) = rest.split_once('[') {
        let Some(((words, _), after)) =
            link.split_once(')').and_then(|(link, after)| Some((link.split_once("](")?, after)))
        else {
            break;
        };
        plain.push_str(before);
        plain.push_str(words);
        rest = after;
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_differences_are_on_the_page() {
        let (name, text) = page();
        assert_eq!(name, "ferromp-runtime.7");
        for word in ["OMP_NUM_THREADS", "Default: the number of CPUs.", "FERROMP_TOOLS", ".SS Events"] {
            assert!(text.contains(word), "{word}");
        }
        assert!(!text.contains("]("), "a link of Markdown is left");
    }

    #[test]
    fn links_are_words() {
        assert_eq!(without_links("see [the page](a.md) and [this](b)."), "see the page and this.");
        assert_eq!(without_links("a[1] (b)"), "a[1] (b)");
    }
}
