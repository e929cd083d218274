//! The options of `cargo xtask bench`. A run with options is a partial one: it prints its table and leaves the
//! published results alone.

/// What to measure and how long.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Part of a construct's name; all of them without it.
    pub filter: Option<String>,
    /// Team sizes.
    pub threads: Vec<usize>,
    /// Processes for each program and construct.
    pub rounds: usize,
    /// Length of one sample.
    pub milliseconds: u32,
    /// Whether to compare with what is published, and to fail where ferromp has become slower.
    pub check: bool,
    quick: bool,
    short: bool,
}

const HELP: &str = "\
usage: cargo xtask bench [ompt|target|instructions] [--quick] [--check] [--filter NAME] [--threads 1,2,8] [--rounds N]

  ompt             what OMPT costs: no tool against a build without it; an empty tool on ferromp and on
                   libiomp5; a tool in Rust against the same in C
  target           device constructs on the host device and on stock libomptarget; what a trace record costs

  instructions     how many instructions a construct takes in a team of one, on all runtimes

  --check          fails where ferromp is far slower than the other runtimes, or takes more instructions than
                   bench/results/instructions.md says; some minutes
  --quick          a few short samples each; under three minutes
  --filter NAME    only constructs whose name contains NAME
  --threads LIST   team sizes, separated by commas (default 1,2,8)
  --rounds N       samples for each construct and runtime (default 9, quick 3)

A full run (none of the options) rewrites bench/results/ and, if no subject is named, the table in README.md.
";

impl Options {
    /// Reads the words after the command's name; `None` after the help was shown. `short` is true for `bench ompt` and
    /// `bench target`, which have more samples, each of them shorter.
    pub fn parse(words: impl Iterator<Item = String>, short: bool) -> Result<Option<Options>, String> {
        let mut options = Options::full(short);
        let mut rounds = None;
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--quick" => options.quick = true,
                "--check" => options.check = true,
                "--filter" => options.filter = Some(value()?),
                "--threads" => options.threads = list(&value()?)?,
                "--rounds" => rounds = Some(number(&value()?)?),
                "--help" | "-h" => {
                    print!("{HELP}");
                    return Ok(None);
                }
                _ => return Err(format!("unknown option {word}\n{HELP}")),
            }
        }
        if options.quick || options.check {
            (options.rounds, options.milliseconds) = if short { (3, 10) } else { (3, 40) };
        }
        options.rounds = rounds.unwrap_or(options.rounds);
        Ok(Some(options))
    }

    /// Whether the results may be published.
    pub fn is_full(&self) -> bool {
        let full = Options::full(self.short);
        !self.quick
            && !self.check
            && self.filter.is_none()
            && self.threads == full.threads
            && self.rounds >= full.rounds
    }

    fn full(short: bool) -> Options {
        let milliseconds = if short { 15 } else { 100 };
        Options { filter: None, threads: vec![1, 2, 8], rounds: 9, milliseconds, check: false, quick: false, short }
    }
}

fn number(word: &str) -> Result<usize, String> {
    word.parse().ok().filter(|n| (1..=1024).contains(n)).ok_or_else(|| format!("'{word}' is no number from 1 to 1024"))
}

fn list(words: &str) -> Result<Vec<usize>, String> {
    words.split(',').map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<Options>, String> {
        Options::parse(line.split_whitespace().map(str::to_owned), false)
    }

    #[test]
    fn no_option_is_the_full_run() {
        assert!(parse("").unwrap().unwrap().is_full());
    }

    #[test]
    fn options_make_it_partial() {
        let options = parse("--quick --filter barrier --threads 2,4").unwrap().unwrap();
        assert!(!options.is_full());
        assert_eq!((options.threads.as_slice(), options.rounds), (&[2, 4][..], 3));
        assert_eq!(parse("--quick --rounds 5").unwrap().unwrap().rounds, 5);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(parse("--threads 0").is_err() && parse("--threads").is_err() && parse("--fast").is_err());
    }
}
