//! The language of affinity-format-var: text with fields `%[[[0].]size]type` (OpenMP 5.1 §6.14, Table 6.3).

/// What a field stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    TeamNum,
    NumTeams,
    NestingLevel,
    ThreadNum,
    NumThreads,
    AncestorThreadNum,
    Host,
    ProcessId,
    NativeThreadId,
    ThreadAffinity,
}

/// A field's long and short names.
const FIELDS: [(&str, u8, Field); 10] = [
    ("team_num", b't', Field::TeamNum),
    ("num_teams", b'T', Field::NumTeams),
    ("nesting_level", b'L', Field::NestingLevel),
    ("thread_num", b'n', Field::ThreadNum),
    ("num_threads", b'N', Field::NumThreads),
    ("ancestor_tnum", b'a', Field::AncestorThreadNum),
    ("host", b'H', Field::Host),
    ("process_id", b'P', Field::ProcessId),
    ("native_thread_id", b'i', Field::NativeThreadId),
    ("thread_affinity", b'A', Field::ThreadAffinity),
];

/// What a field is replaced by.
pub enum Value {
    Number(i64),
    Text(Vec<u8>),
}

/// The widest field: a width beyond that would only fill the memory.
const WIDEST: usize = 1 << 16;

/// The text with its fields replaced. A type that does not exist becomes `undefined`.
pub fn expand(format: &[u8], value: impl Fn(Field) -> Value) -> Vec<u8> {
    let mut text = Vec::with_capacity(format.len() + 64);
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            text.push(byte);
            continue;
        }
        if let Some(after) = rest.strip_prefix(b"%") {
            text.push(b'%');
            rest = after;
            continue;
        }
        let shape = Shape::parse(&mut rest);
        match field(&mut rest) {
            Some(field) => shape.put(&mut text, value(field)),
            None => text.extend_from_slice(b"undefined"),
        }
    }
    text
}

/// Takes a type, short or in braces, off the beginning of the text.
fn field(rest: &mut &[u8]) -> Option<Field> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    if byte != b'{' {
        return FIELDS.iter().find(|(_, short, _)| *short == byte).map(|(.., field)| *field);
    }
    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (name, after) = rest.split_at(length);
    *rest = after.strip_prefix(b"}").unwrap_or(after);
    let closed = after.first() == Some(&b'}');
    FIELDS.iter().find(|(long, ..)| closed && long.as_bytes() == name).map(|(.., field)| *field)
}

/// Width, alignment and padding of a field.
struct Shape {
    zeros: bool,
    right: bool,
    width: usize,
}

impl Shape {
    fn parse(rest: &mut &[u8]) -> Shape {
        let mut eat = |byte: u8| match rest.strip_prefix(&[byte]) {
            Some(after) => {
                *rest = after;
                true
            }
            None => false,
        };
        let (zeros, right) = (eat(b'0'), eat(b'.'));
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (width, after) = rest.split_at(digits);
        *rest = after;
        let width = width.iter().fold(0usize, |width, digit| (width * 10 + usize::from(digit - b'0')).min(WIDEST));
        Shape { zeros, right, width }
    }

    fn put(&self, text: &mut Vec<u8>, value: Value) {
        let (number, value) = match value {
            Value::Number(number) => (true, number.to_string().into_bytes()),
            Value::Text(value) => (false, value),
        };
        let padding = self.width.saturating_sub(value.len());
        if !self.right {
            text.extend_from_slice(&value);
            text.resize(text.len() + padding, b' ');
        } else if self.zeros && number {
            let (sign, digits) = value.split_at(usize::from(value[0] == b'-'));
            text.extend_from_slice(sign);
            text.resize(text.len() + padding, b'0');
            text.extend_from_slice(digits);
        } else {
            text.resize(text.len() + padding, b' ');
            text.extend_from_slice(&value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(format: &str) -> String {
        let value = |field| match field {
            Field::Host => Value::Text(b"node7".to_vec()),
            Field::ThreadAffinity => Value::Text(b"0-3,8".to_vec()),
            Field::AncestorThreadNum => Value::Number(-1),
            other => Value::Number(other as i64 + 10),
        };
        String::from_utf8(expand(format.as_bytes(), value)).unwrap()
    }

    #[test]
    fn short_and_long_names() {
        for (long, short, _) in FIELDS {
            assert_eq!(expanded(&format!("%{}", short as char)), expanded(&format!("%{{{long}}}")), "{long}");
        }
        assert_eq!(expanded("%t %T %L %n %N %a %H %P %i %A"), "10 11 12 13 14 -1 node7 17 18 0-3,8");
    }

    #[test]
    fn widths() {
        for (format, expected) in [
            ("[%5n]", "[13   ]"),
            ("[%.5n]", "[   13]"),
            ("[%0.5n]", "[00013]"),
            ("[%05n]", "[13   ]"),
            ("[%1n]", "[13]"),
            ("[%0.4a]", "[-001]"),
            ("[%.4a]", "[  -1]"),
            ("[%8H]", "[node7   ]"),
            ("[%.8H]", "[   node7]"),
            ("[%0.8H]", "[   node7]"),
            ("[%.8{thread_affinity}]", "[   0-3,8]"),
            ("[%0n]", "[13]"),
            ("[%.n]", "[13]"),
        ] {
            assert_eq!(expanded(format), expected, "{format}");
        }
    }

    #[test]
    fn percent_signs_and_what_does_not_exist() {
        for (format, expected) in [
            ("100%%", "100%"),
            ("%%n", "%n"),
            ("%x!", "undefined!"),
            ("%{thread}!", "undefined!"),
            ("%{thread_num", "undefined"),
            ("%{thread_num n}", "undefined n}"),
            ("%", "undefined"),
            ("%5", "undefined"),
            ("%{", "undefined"),
            ("", ""),
        ] {
            assert_eq!(expanded(format), expected, "{format}");
        }
        assert_eq!(expanded("%99999999999999999999999n").len(), WIDEST);
    }
}
