//! Reading the small languages of the affinity variables, token by token; white space before each token is skipped.

use super::sysfs::CPU_LIMIT;
use super::topology::CoreKind;

/// The largest number that these languages have a use for.
pub const LIMIT: i64 = CPU_LIMIT as i64;

/// Which cores of a hybrid machine are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoreAttribute {
    /// `intel_core` or `intel_atom`.
    Kind(CoreKind),
    /// `eff0`, `eff1`, …: the kinds in ascending order of what they can do.
    Efficiency(u32),
}

impl CoreAttribute {
    pub fn parse(word: &str) -> Option<CoreAttribute> {
        match word {
            "intel_core" => Some(CoreAttribute::Kind(CoreKind::IntelCore)),
            "intel_atom" => Some(CoreAttribute::Kind(CoreKind::IntelAtom)),
            _ => {
                let digits = word.strip_prefix("eff")?;
                let number = digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse().ok())??;
                Some(CoreAttribute::Efficiency(number))
            }
        }
    }
}

/// A number as a CPU's.
pub fn cpu(number: i64) -> Option<u32> {
    (0..LIMIT).contains(&number).then_some(number as u32)
}

/// A position in a text.
pub struct Scanner {
    text: Vec<char>,
    position: usize,
}

impl Scanner {
    pub fn new(text: &str) -> Self {
        Scanner { text: text.chars().collect(), position: 0 }
    }

    /// The next character that is no white space.
    pub fn peek(&mut self) -> Option<char> {
        while self.text.get(self.position).is_some_and(|c| c.is_whitespace()) {
            self.position += 1;
        }
        self.text.get(self.position).copied()
    }

    pub fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Skips a character if it comes next.
    pub fn eat(&mut self, expected: char) -> bool {
        let found = self.peek() == Some(expected);
        self.position += usize::from(found);
        found
    }

    /// Characters that satisfy the test, from here on, in lower case.
    pub fn run(&mut self, test: impl Fn(char) -> bool) -> String {
        self.peek();
        let found: String = self.text[self.position..].iter().take_while(|c| test(**c)).collect();
        self.position += found.chars().count();
        found.to_ascii_lowercase()
    }

    /// Letters, digits and underscores.
    pub fn word(&mut self) -> String {
        self.run(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// A number without a sign, at most [`LIMIT`].
    pub fn natural(&mut self) -> Option<i64> {
        self.run(|c| c.is_ascii_digit()).parse().ok().filter(|&n| n <= LIMIT)
    }

    /// The number of a CPU.
    pub fn cpu(&mut self) -> Option<u32> {
        self.natural().and_then(cpu)
    }

    /// A number with or without a sign.
    pub fn integer(&mut self) -> Option<i64> {
        let negative = self.eat('-');
        if !negative {
            self.eat('+');
        }
        self.natural().map(|n| if negative { -n } else { n })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let mut scan = Scanner::new(" Cores ( 12)-3");
        assert_eq!(scan.word(), "cores");
        assert!(scan.eat('(') && !scan.eat('('));
        assert_eq!(scan.natural(), Some(12));
        assert!(scan.eat(')'));
        assert_eq!(scan.integer(), Some(-3));
        assert!(scan.at_end() && scan.natural().is_none());
    }

    #[test]
    fn attributes() {
        assert_eq!(CoreAttribute::parse("intel_atom"), Some(CoreAttribute::Kind(CoreKind::IntelAtom)));
        assert_eq!(CoreAttribute::parse("eff12"), Some(CoreAttribute::Efficiency(12)));
        for bad in ["", "eff", "eff-1", "eff99999999999", "intel"] {
            assert_eq!(CoreAttribute::parse(bad), None, "{bad}");
        }
    }
}
