//! The options of `cargo xtask bench`. A run with options is a partial one: it prints its table and leaves the
//! published results alone.

/// What `cargo xtask bench` may be asked to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    Constructs,
    Ompt,
    Target,
    Instructions,
    Situations,
}

impl Subject {
    /// The subject with this name; the constructs have none.
    pub fn named(word: &str) -> Option<Subject> {
        Some(match word {
            "ompt" => Subject::Ompt,
            "target" => Subject::Target,
            "instructions" => Subject::Instructions,
            "situations" => Subject::Situations,
            _ => return None,
        })
    }

    /// Rounds, and milliseconds of a sample. Where there are more samples, each is shorter.
    fn lengths(self, quick: bool) -> (usize, u32) {
        match (self, quick) {
            (Subject::Constructs | Subject::Instructions, false) => (9, 100),
            (Subject::Constructs | Subject::Instructions, true) => (3, 40),
            (Subject::Ompt | Subject::Target, false) => (9, 15),
            (Subject::Ompt | Subject::Target, true) => (3, 10),
            (Subject::Situations, false) => (5, 30),
            (Subject::Situations, true) => (2, 20),
        }
    }
}

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
    subject: Subject,
}

const HELP: &str = "\
usage: cargo xtask bench [ompt|target|instructions|situations] [--quick] [--check] [--filter NAME]
                         [--threads 1,2,8] [--rounds N]

  ompt             what OMPT costs: no tool against a build without it; an empty tool on ferromp and on
                   libiomp5; a tool in Rust against the same in C
  target           device constructs on the host device and on stock libomptarget; what a trace record costs
  instructions     how many instructions a construct takes in a team of one, on all runtimes
  situations       regions after serial gaps, strangers on the CPUs, one CPU, unbalanced tasks and more; each
                   has its own team sizes

  --check          fails where ferromp is far slower than the other runtimes, or takes more instructions than
                   bench/results/instructions.md says; some minutes
  --quick          a few short samples each; under three minutes
  --filter NAME    only constructs whose name contains NAME
  --threads LIST   team sizes, separated by commas (default 1,2,8)
  --rounds N       samples for each construct and runtime (default 9, situations 5; less with --quick)

A full run (none of the options) rewrites bench/results/ and, if no subject is named, the table in README.md.
";

impl Options {
    /// Reads the words after the subject's name; `None` after the help was shown.
    pub fn parse(words: impl Iterator<Item = String>, subject: Subject) -> Result<Option<Options>, String> {
        let mut options = Options::full(subject);
        let mut rounds = None;
        let mut words = words;
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word.as_str() {
                "--check" | "--threads" if subject == Subject::Situations => {
                    return Err(format!("{word} has no effect on situations"));
                }
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
            (options.rounds, options.milliseconds) = subject.lengths(true);
        }
        options.rounds = rounds.unwrap_or(options.rounds);
        Ok(Some(options))
    }

    /// Whether the results may be published.
    pub fn is_full(&self) -> bool {
        let full = Options::full(self.subject);
        !self.quick
            && !self.check
            && self.filter.is_none()
            && self.threads == full.threads
            && self.rounds >= full.rounds
    }

    fn full(subject: Subject) -> Options {
        let (rounds, milliseconds) = subject.lengths(false);
        Options { filter: None, threads: vec![1, 2, 8], rounds, milliseconds, check: false, quick: false, subject }
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
        Options::parse(line.split_whitespace().map(str::to_owned), Subject::Constructs)
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
    fn situations_have_their_own_teams() {
        let parse = |word: &str| Options::parse([word.to_owned(), "2".to_owned()].into_iter(), Subject::Situations);
        assert!(parse("--threads").is_err() && parse("--check").is_err());
        assert_eq!(parse("--rounds").unwrap().unwrap().rounds, 2);
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(parse("--threads 0").is_err() && parse("--threads").is_err() && parse("--fast").is_err());
    }
}
