//! A scanner for the small languages of variables, token by token. White space before each token is skipped, and
//! letters may be in either case.

/// What is left of a text.
#[derive(Clone, Copy)]
pub struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str) -> Self {
        Scanner { rest: text }
    }

    /// The next character that is no white space.
    pub fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    pub fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// Skips a token if it comes next.
    pub fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes the characters that satisfy the test.
    pub fn run(&mut self, test: impl Fn(char) -> bool) -> &'a str {
        let text = self.rest.trim_start();
        let (found, rest) = text.split_at(text.find(|c| !test(c)).unwrap_or(text.len()));
        self.rest = rest;
        found
    }

    /// Letters, digits and underscores, in lower case.
    pub fn word(&mut self) -> String {
        self.run(|c| c.is_ascii_alphanumeric() || c == '_').to_ascii_lowercase()
    }

    /// Takes the next word if `table` has the word, and gives what the word stands for.
    pub fn word_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let mut after = *self;
        let word = after.word();
        let (_, value) = table.iter().find(|(name, _)| *name == word)?;
        *self = after;
        Some(*value)
    }

    /// Takes a number without a sign, if it is not too large for its type.
    pub fn number<T: std::str::FromStr>(&mut self) -> Option<T> {
        let mut after = *self;
        let number = after.run(|c| c.is_ascii_digit()).parse().ok()?;
        *self = after;
        Some(number)
    }

    /// Items with `separator` between them; at least one.
    pub fn list<T>(&mut self, separator: &str, item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.list_while(|scan| scan.eat(separator), item)
    }

    /// Items, the first and then one each time that there is `more`.
    pub fn list_while<T>(
        &mut self,
        more: impl Fn(&mut Self) -> bool,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut items = vec![item(self)?];
        while more(self) {
            items.push(item(self)?);
        }
        Some(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens() {
        let mut scan = Scanner::new(" Cores ( 12)-3, 4");
        assert_eq!(scan.word_of(&[("core", 1)]), None);
        assert_eq!(scan.word_of(&[("core", 1), ("cores", 2)]), Some(2));
        assert!(scan.eat("(") && !scan.eat("("));
        assert_eq!(scan.number(), Some(12));
        assert!(scan.eat(")") && scan.eat("-"));
        assert_eq!(scan.list(",", Scanner::number), Some(vec![3, 4]));
        assert!(scan.at_end() && scan.number::<u32>().is_none());
        let mut scan = Scanner::new("300");
        assert_eq!((scan.number::<u8>(), scan.number::<u16>()), (None, Some(300)));
    }
}
