//! `docs/compilers.md`: two parts, the survey's and the corpus's, each of which is written by its own command and keeps
//! the other.

use crate::sh::{self, Result};

/// The page.
const FILE: &str = "docs/compilers.md";

const OPENING: &str = "\
# Compilers

Which compilers ferromp serves, and how that is known. `cargo xtask abi-survey` writes the first part and `cargo xtask
compilers` the second. Both work in root folders with the compilers of Debian's suites, which `cargo xtask setup
--newest` makes.

";

const SURVEY: &str = "## What compilers ask for\n\n";
const SURVEY_WORDS: &str = "\
The survey looks at what each compiler emits for small programs (`xtask/probes`), what its `omp.h` declares, and what
its runtime exports. It compares this with what ferromp exports and knows. A name under a version node other than the
runtime's counts as not served.

";

const CORPUS: &str = "## Results of the corpus\n\n";
const CORPUS_WORDS: &str = "\
Each compiler builds the corpus (`conformance/programs`). The programs run in the compiler's suite, plainly and under
the checking tool, at the thread counts in the table. \"offload\" is clang with device code for the host's own processor,
which runs with one and with three host devices. Programs that a compiler cannot build (`needs`, `cannot` in the
program) count as ignored. The last column counts the failures that come on the compiler's own runtime as well.

";

/// Writes the survey's part.
pub fn replace_survey(text: &str) -> Result {
    let page = read();
    write(text, corpus_part(&page))
}

/// Writes the corpus's part.
pub fn replace_corpus(text: &str) -> Result {
    let page = read();
    let survey = page.split_once(SURVEY_WORDS).map_or("", |(_, rest)| rest.split(CORPUS).next().unwrap_or_default());
    write(survey, text)
}

/// What the page has of the corpus.
pub fn corpus() -> String {
    corpus_part(&read()).to_owned()
}

fn corpus_part(page: &str) -> &str {
    page.split_once(CORPUS_WORDS).map_or("", |(_, rest)| rest)
}

/// The page as it is; empty before it is written for the first time.
fn read() -> String {
    std::fs::read_to_string(sh::root().join(FILE)).unwrap_or_default()
}

fn write(survey: &str, corpus: &str) -> Result {
    let text = format!("{OPENING}{SURVEY}{SURVEY_WORDS}{}\n\n{CORPUS}{CORPUS_WORDS}{}\n", survey.trim(), corpus.trim());
    sh::write(&sh::root().join(FILE), text.as_bytes())?;
    eprintln!("wrote {FILE}");
    Ok(())
}
