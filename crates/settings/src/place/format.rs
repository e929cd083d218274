//! The language of affinity-format-var: text with fields `%[[[0].]size]type` (OpenMP 5.1 §6.14, Table 6.3).

/// A field's long and short names, and the function that gives its value for a subject.
pub type Field<S> = (&'static str, u8, fn(&S) -> Value);

/// The value of a field.
pub enum Value {
    Number(i64),
    Text(Vec<u8>),
}

/// The widest field. A larger width would only fill the memory.
const WIDEST: usize = 1 << 16;

/// The text with its fields replaced by their values for `subject`. A type that does not exist becomes `undefined`.
pub fn expand<S>(format: &[u8], fields: &[Field<S>], subject: &S) -> Vec<u8> {
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
        match field(fields, &mut rest) {
            Some((.., value)) => shape.put(&mut text, value(subject)),
            None => text.extend_from_slice(b"undefined"),
        }
    }
    text
}

/// Takes a type, short or in braces, off the beginning of the text.
fn field<'f, S>(fields: &'f [Field<S>], rest: &mut &[u8]) -> Option<&'f Field<S>> {
    let (&byte, after) = rest.split_first()?;
    *rest = after;
    if byte != b'{' {
        return fields.iter().find(|(_, short, _)| *short == byte);
    }
    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (name, after) = rest.split_at(length);
    *rest = after.strip_prefix(b"}").unwrap_or(after);
    let closed = after.first() == Some(&b'}');
    fields.iter().find(|(long, ..)| closed && long.as_bytes() == name)
}

/// Width, alignment and padding of a field.
struct Shape {
    zeros: bool,
    right: bool,
    width: usize,
}

impl Shape {
    fn parse(rest: &mut &[u8]) -> Shape {
        let mut eat = |byte: u8| {
            let after = rest.strip_prefix(&[byte]);
            *rest = after.unwrap_or(rest);
            after.is_some()
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

    const FIELDS: [Field<i64>; 3] = [
        ("thread_num", b'n', |subject| Value::Number(*subject)),
        ("ancestor_tnum", b'a', |_| Value::Number(-1)),
        ("host", b'H', |_| Value::Text(b"node7".to_vec())),
    ];

    fn expanded(format: &str) -> String {
        String::from_utf8(expand(format.as_bytes(), &FIELDS, &13)).unwrap()
    }

    #[test]
    fn short_and_long_names() {
        for (long, short, _) in FIELDS {
            assert_eq!(expanded(&format!("%{}", short as char)), expanded(&format!("%{{{long}}}")), "{long}");
        }
        assert_eq!(expanded("%n %a %H"), "13 -1 node7");
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
            ("[%.8{host}]", "[   node7]"),
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
