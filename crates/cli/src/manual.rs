//! The manual pages: one for each subcommand, made from the definitions that `--help` shows, and ferromp-runtime(7).
//! `cargo xtask build` calls this to put the pages into the prefix.

mod page;
mod runtime;

use std::path::Path;

use crate::failure::Failure;

/// Writes all pages into `folder`, in `man1` and `man7`.
pub fn write(folder: &Path, command: clap::Command) -> Result<u8, Failure> {
    for (name, text) in page::all(command).into_iter().chain([runtime::page()]) {
        let section = name.rsplit_once('.').map_or("1", |(_, section)| section);
        let folder = folder.join(format!("man{section}"));
        std::fs::create_dir_all(&folder).map_err(|error| Failure::file("make", &folder, &error))?;
        let file = folder.join(&name);
        std::fs::write(&file, ascii(&text)).map_err(|error| Failure::file("write", &file, &error))?;
    }
    Ok(0)
}

/// The text with other letters as formatters of every locale read them.
fn ascii(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            letter if letter.is_ascii() => plain.push(letter),
            letter => plain.push_str(&format!("\\[u{:04X}]", u32::from(letter))),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Args;

    #[test]
    fn each_subcommand_has_a_page_with_its_options_and_examples() {
        let pages = page::all(Args::command());
        for command in Args::command().get_subcommands() {
            let name = format!("ferromp-{}.1", command.get_name());
            let (_, text) = pages.iter().find(|(page, _)| *page == name).unwrap_or_else(|| panic!("no {name}"));
            assert!(text.contains(".SH EXAMPLES"), "{name}: no examples");
            for option in command.get_arguments().filter_map(|argument| argument.get_long()) {
                assert!(text.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{name}: no --{option}");
            }
        }
    }

    #[test]
    fn the_formatter_has_no_warning() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(write(folder.path(), Args::command()).unwrap(), 0);
        let mut pages = Vec::new();
        for section in ["man1", "man7"] {
            pages.extend(std::fs::read_dir(folder.path().join(section)).unwrap().map(|page| page.unwrap().path()));
        }
        assert!(pages.len() > 10, "{pages:?}");
        for page in pages {
            let formatter = ["-man", "-ww", "-z", "-Tutf8", "-rLL=80n"];
            let Ok(done) = std::process::Command::new("groff").args(formatter).arg(&page).output() else {
                return eprintln!("skipped: the formatter of manual pages: there is no groff");
            };
            let said = String::from_utf8_lossy(&done.stderr);
            assert!(done.status.success() && said.is_empty(), "{}: {said}", page.display());
        }
    }
}
