//! The programs that a shell script starts, as far as its text says. The script is read, never run, so what depends on
//! the run stays unknown. The reader follows words through quotes, the script's plain variables, the environment, and
//! the usual ways to find the script's own folder.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::program::Program;

/// How deep substitutions may be nested.
const DEPTH: usize = 8;

/// Words that open a part of a command; that part is read like any other command.
const OPENERS: [&str; 9] = ["then", "else", "elif", "do", "if", "while", "until", "!", "{"];
/// Commands that define variables.
const DEFINERS: [&str; 5] = ["export", "local", "readonly", "declare", "typeset"];

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The word's value when the script runs; none if the value cannot be known before.
    pub text: Option<String>,
    /// The word as the script has it.
    pub raw: String,
    /// Whether the word holds the script's own arguments.
    pub arguments: bool,
    /// Whether the word was quoted. A quoted word stays a word even if it is empty.
    quoted: bool,
}

impl Word {
    /// The name and value of the variable that the word defines, if it stands before a command.
    pub fn definition(&self) -> Option<(&str, Option<&str>)> {
        let (name, _) = self.raw.split_once('=')?;
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let fits = name.chars().all(letter) && name.starts_with(|c: char| !c.is_ascii_digit());
        let value = self.text.as_deref().and_then(|text| text.split_once('=')).map(|(_, value)| value);
        fits.then_some((name, value))
    }
}

/// The commands of a script in the order of its text, without redirections.
pub fn commands(text: &str, script: &Path) -> Vec<Vec<Word>> {
    let mut variables = HashMap::new();
    Reader { text, script, variables: &mut variables, depth: 0 }.commands()
}

struct Reader<'a> {
    /// What has not been read yet.
    text: &'a str,
    script: &'a Path,
    /// The script's variables. A value is none if it is unknown, for instance because several values are assigned.
    variables: &'a mut HashMap<String, Option<String>>,
    depth: usize,
}

impl Reader<'_> {
    fn commands(&mut self) -> Vec<Vec<Word>> {
        let mut all = Vec::new();
        let mut words: Vec<Word> = Vec::new();
        while let Some(first) = self.text.chars().next() {
            match first {
                ' ' | '\t' | '\r' => self.skip(1),
                '\\' if self.text.starts_with("\\\n") => self.skip(2),
                '#' => self.skip(self.text.find('\n').unwrap_or(self.text.len())),
                '<' | '>' => self.redirection(&mut words),
                '\n' | ';' | '&' | '|' | '(' | ')' => {
                    self.skip(1);
                    self.complete(std::mem::take(&mut words), &mut all);
                }
                _ => {
                    let word = self.word();
                    let opens = words.is_empty() && OPENERS.contains(&word.raw.as_str());
                    let vanishes = word.text.as_deref() == Some("") && !word.quoted && !word.arguments;
                    if !opens && !vanishes {
                        words.push(word);
                    }
                }
            }
        }
        self.complete(words, &mut all);
        all
    }

    fn skip(&mut self, bytes: usize) {
        self.text = &self.text[bytes..];
    }

    /// Takes characters off the front up to and including `end`.
    fn until(&mut self, end: char) -> String {
        let (before, after) = self.text.split_once(end).unwrap_or((self.text, ""));
        self.text = after;
        before.to_owned()
    }

    /// Skips `2>&1` or `> file`: the input and output of a command do not matter here.
    fn redirection(&mut self, words: &mut Vec<Word>) {
        if words.last().is_some_and(|word| !word.raw.is_empty() && word.raw.chars().all(|c| c.is_ascii_digit())) {
            words.pop();
        }
        self.text = self.text.trim_start_matches(['<', '>', '&', '-', '|']).trim_start_matches([' ', '\t']);
        if !self.text.starts_with(['\n', ';', ')']) {
            self.word();
        }
    }

    /// A command is complete: the variables that it defines are known from here on.
    fn complete(&mut self, words: Vec<Word>, all: &mut Vec<Vec<Word>>) {
        let defines = words.first().is_some_and(|word| DEFINERS.contains(&word.raw.as_str()));
        let only = words.iter().skip(usize::from(defines));
        if defines || only.clone().all(|word| word.definition().is_some()) {
            for (name, value) in only.filter_map(Word::definition) {
                let value = value.map(str::to_owned);
                let known = self.variables.entry(name.to_owned()).or_insert_with(|| value.clone());
                if *known != value {
                    *known = None;
                }
            }
        }
        if !words.is_empty() {
            all.push(words);
        }
    }

    fn word(&mut self) -> Word {
        let start = self.text;
        let mut word = Word { text: Some(String::new()), ..Word::default() };
        while let Some(first) = self.text.chars().next() {
            match first {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => break,
                '\'' => {
                    self.skip(1);
                    let text = self.until('\'');
                    word.add(Some(text));
                    word.quoted = true;
                }
                '"' => {
                    self.skip(1);
                    word.quoted = true;
                    while let Some(first) = self.text.chars().next().filter(|c| *c != '"') {
                        self.piece(first, &mut word);
                    }
                    self.skip(usize::from(!self.text.is_empty()));
                }
                _ => self.piece(first, &mut word),
            }
        }
        word.raw = start[..start.len() - self.text.len()].to_owned();
        word
    }

    /// Reads a character, or a word that stands for others.
    fn piece(&mut self, first: char, word: &mut Word) {
        self.skip(first.len_utf8());
        match first {
            '\\' => {
                let next = self.text.chars().next();
                self.skip(next.map_or(0, char::len_utf8));
                word.add(Some(next.filter(|c| *c != '\n').map(String::from).unwrap_or_default()));
            }
            '`' => {
                let inner = self.until('`');
                word.add(self.substitution(&inner));
            }
            '$' => self.expansion(word),
            _ => word.add(Some(first.to_string())),
        }
    }

    /// What follows a `$`.
    fn expansion(&mut self, word: &mut Word) {
        let Some(first) = self.text.chars().next() else { return word.add(Some("$".to_owned())) };
        match first {
            '@' | '*' => {
                self.skip(1);
                word.arguments = true;
            }
            '0' => {
                self.skip(1);
                word.add(Some(self.script.to_string_lossy().into_owned()));
            }
            '(' => {
                let inner = self.enclosed();
                word.add(self.substitution(&inner));
            }
            '{' => {
                self.skip(1);
                let inner = self.until('}');
                word.arguments |= inner.contains("$@");
                word.add(if word.arguments { Some(String::new()) } else { self.parameter(&inner) });
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let end = self.text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.text.len());
                let name = self.text[..end].to_owned();
                self.skip(end);
                word.add(self.variable(&name));
            }
            _ => {
                self.skip(first.len_utf8());
                word.add(None);
            }
        }
    }

    /// The text between a parenthesis and its closing one.
    fn enclosed(&mut self) -> String {
        let mut open = 0;
        for (at, letter) in self.text.char_indices() {
            open += i32::from(letter == '(') - i32::from(letter == ')');
            if open == 0 {
                let inner = self.text[1..at].to_owned();
                self.skip(at + 1);
                return inner;
            }
        }
        std::mem::take(&mut self.text).get(1..).unwrap_or_default().to_owned()
    }

    /// A variable's value. An unset variable is empty.
    fn variable(&self, name: &str) -> Option<String> {
        match self.variables.get(name) {
            Some(value) => value.clone(),
            None => Some(std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()).unwrap_or_default()),
        }
    }

    /// Expands `${name}`, with the forms by which scripts find their folder or give a default.
    fn parameter(&mut self, inner: &str) -> Option<String> {
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let (name, rest) = inner.split_at(end);
        let value = match name {
            "0" | "BASH_SOURCE" => Some(self.script.to_string_lossy().into_owned()),
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => None,
            _ => self.variable(name),
        };
        match rest {
            "" => value,
            "[0]" if name == "BASH_SOURCE" => value,
            "%/*" => value.map(|path| parent(&path)),
            _ => match rest.strip_prefix(":-").or_else(|| rest.strip_prefix('-')) {
                Some(default) if value.as_deref() == Some("") => self.inside(default)?.concat().first()?.text.clone(),
                Some(_) => value,
                None => None,
            },
        }
    }

    /// The commands of a part of the script.
    fn inside(&mut self, text: &str) -> Option<Vec<Vec<Word>>> {
        let depth = self.depth + 1;
        let mut inner = Reader { text, script: self.script, variables: &mut *self.variables, depth };
        (depth < DEPTH).then(|| inner.commands())
    }

    /// The output of a command in `$(…)`, for the commands by which scripts find files.
    fn substitution(&mut self, inner: &str) -> Option<String> {
        let commands = self.inside(inner)?;
        let known: Option<Vec<Vec<&str>>> =
            commands.iter().map(|words| words.iter().map(|word| word.text.as_deref()).collect()).collect();
        let known = known?;
        let words: Vec<Vec<&str>> =
            known.iter().map(|words| words.iter().copied().filter(|word| !word.starts_with('-')).collect()).collect();
        let words: Vec<&[&str]> = words.iter().map(Vec::as_slice).collect();
        match words[..] {
            [["dirname", path]] => Some(parent(path)),
            [["readlink" | "realpath", path]] => full(path),
            [["cd", path], ["pwd"]] => full(path),
            [["pwd"]] => full("."),
            [["which" | "command", name]] => {
                Program::find(OsStr::new(name)).ok().map(|program| program.path.to_string_lossy().into_owned())
            }
            _ => None,
        }
    }
}

impl Word {
    fn add(&mut self, piece: Option<String>) {
        self.text = self.text.take().zip(piece).map(|(text, piece)| text + &piece);
    }
}

/// The folder of a path, as `dirname` prints it.
fn parent(path: &str) -> String {
    let parent = Path::new(path).parent().unwrap_or(Path::new("/"));
    if parent.as_os_str().is_empty() { ".".to_owned() } else { parent.to_string_lossy().into_owned() }
}

fn full(path: &str) -> Option<String> {
    PathBuf::from(path).canonicalize().ok().map(|path| path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(script: &str) -> Vec<Vec<Option<String>>> {
        let commands = commands(script, Path::new("/opt/app/bin/wrap"));
        commands.into_iter().map(|words| words.into_iter().map(|word| word.text).collect()).collect()
    }

    fn last(script: &str) -> Vec<String> {
        texts(script).pop().unwrap().into_iter().map(|text| text.unwrap_or_else(|| "?".to_owned())).collect()
    }

    #[test]
    fn quotes_variables_and_folders_are_followed() {
        assert_eq!(
            last("'''exec' \"/a b/python3\" \"$0\" \"$@\"\n"),
            ["exec", "/a b/python3", "/opt/app/bin/wrap", ""]
        );
        assert_eq!(last("X=/opt\nY=\"$X/lib\"\nexec ${Y}/app 2>&1 >/dev/null"), ["exec", "/opt/lib/app"]);
        assert_eq!(last("exec \"$(dirname \"$0\")/../app\""), ["exec", "/opt/app/bin/../app"]);
        assert_eq!(last("exec `dirname $0`/app # why"), ["exec", "/opt/app/bin/app"]);
        assert_eq!(last("here=${0%/*}; exec \"$here/app\" \\\n  more"), ["exec", "/opt/app/bin/app", "more"]);
        assert_eq!(last("D=$(cd -- /usr/bin/.. >/dev/null 2>&1 && pwd -P)\nexec $D/x"), ["exec", "/usr/x"]);
        assert_eq!(last("if [ -n \"$1\" ]; then exec ${NOBODY_SETS_THIS:-/bin/app}; fi")[0], "fi");
        assert_eq!(last("exec ${NOBODY_SETS_THIS:-/bin/app}"), ["exec", "/bin/app"]);
    }

    #[test]
    fn what_depends_on_the_run_is_not_known() {
        assert_eq!(last("exec \"$1\"/app"), ["exec", "?"]);
        assert_eq!(last("if true; then P=/a; else P=/b; fi\nexec $P/app"), ["exec", "?"]);
        assert_eq!(last("exec $(find / -name app)"), ["exec", "?"]);
    }

    #[test]
    fn damaged_scripts_have_an_end() {
        for text in ["'", "\"", "`", "$(", "${", "$", "\\", "x >", "$($($($($($($($($($(", "<<<", "é\"ü$ö"] {
            commands(text, Path::new("x"));
        }
    }
}
