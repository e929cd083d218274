//! Compilers of other systems, in root folders (`newest.rs`): `cargo xtask abi-survey` compares what they, their
//! headers and their runtimes have with what ferromp serves, `cargo xtask compilers` runs the corpus with each. Both
//! write `docs/compilers.md`.

mod corpus;
mod emitted;
mod header;
mod page;
mod root;
mod served;
mod survey;
mod table;

use crate::sh::Result;
use root::roots;
use std::path::PathBuf;

/// `cargo xtask abi-survey [ROOT…]`.
pub fn survey(args: &[String]) -> Result {
    let names: Vec<PathBuf> = args.iter().map(PathBuf::from).collect();
    let text = survey::survey(&roots(&names)?)?;
    page::replace_survey(&text)
}

/// `cargo xtask compilers [--only "clang-23 gcc-16"] [--threads "1 3 8"] [--filter WORDS] [ROOT…]`.
pub fn compilers(args: &[String]) -> Result {
    let (mut names, mut options) = (Vec::new(), corpus::Options::default());
    let mut words = args.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().cloned().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--only" => options.only = Some(value()?.split_whitespace().map(str::to_owned).collect()),
            "--threads" => options.threads = value()?,
            "--filter" => options.filter = Some(value()?),
            option if option.starts_with("--") => return Err(format!("compilers: unknown option {option}")),
            root => names.push(PathBuf::from(root)),
        }
    }
    corpus::run(&roots(&names)?, &options)
}
