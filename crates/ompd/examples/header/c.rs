//! Declarations in C, from types and functions described as data.

use std::fmt::Write;

use ompt::describe::{Alias, Enumeration, Field, Function, Structure};

/// Width of the header's lines, where a line can be broken.
const WIDTH: usize = 110;

/// Text in C that grows.
pub struct C {
    pub out: String,
    /// What C calls a type, a constant, or what else a comment links to.
    pub c_name: fn(&str) -> String,
}

impl C {
    pub fn new(c_name: fn(&str) -> String) -> C {
        C { out: String::new(), c_name }
    }

    pub fn section(&mut self, title: &str) {
        write!(self.out, "\n/* ---- {title} ---- */\n").expect("a string grows");
    }

    pub fn comment(&mut self, doc: &[&str], indent: &str) {
        let text = self.plain(&doc.join(" "));
        if text.is_empty() {
            return;
        }
        let mut line = format!("{indent}/*");
        for word in text.split(' ') {
            if line.len() + 1 + word.len() > WIDTH {
                writeln!(self.out, "{line}").expect("a string grows");
                line = format!("{indent} *");
            }
            write!(line, " {word}").expect("a string grows");
        }
        writeln!(self.out, "{line} */").expect("a string grows");
    }

    /// A comment of Rust without marks: links become what they link to, as C calls it.
    fn plain(&self, doc: &str) -> String {
        let mut text = String::new();
        let mut rest = doc.trim();
        while let Some((before, after)) = rest.split_once("[`") {
            let (name, after) = after.split_once("`]").expect("a link that is closed");
            // The target of a link, where it is given.
            let after = match after.strip_prefix('(') {
                Some(target) => target.split_once(')').expect("a target that is closed").1,
                None => after,
            };
            text += before;
            text += &(self.c_name)(name);
            rest = after;
        }
        text += rest;
        text.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "")
    }

    /// A type in C, with the blank or star after which a name can stand.
    pub fn c_type(&self, rust: &str) -> String {
        let rust = rust.replace(' ', "");
        if let Some(target) = rust.strip_prefix("*mut") {
            return format!("{}*", self.c_type(target));
        }
        if let Some(target) = rust.strip_prefix("*const") {
            if target.starts_with('*') {
                return format!("{}const *", self.c_type(target));
            }
            return format!("const {}*", self.c_type(target));
        }
        let inner = rust.strip_suffix('>').and_then(|rust| rust.rsplit_once("Option<")).map(|(_, inner)| inner);
        let name = inner.unwrap_or(&rust).rsplit("::").next().expect("a name");
        let c = match name {
            "c_void" | "" => "void",
            "c_char" => "char",
            "c_int" => "int",
            "c_uint" => "unsigned int",
            "u64" => "uint64_t",
            "i64" => "int64_t",
            "usize" => "size_t",
            "f64" => "double",
            name => return (self.c_name)(name) + " ",
        };
        format!("{c} ")
    }

    pub fn typedef_alias(&mut self, alias: &Alias) {
        self.out.push('\n');
        self.comment(alias.doc, "");
        writeln!(self.out, "typedef {}{};", self.c_type(alias.ty), (self.c_name)(alias.rust)).expect("a string grows");
        if !alias.none.is_empty() {
            writeln!(self.out, "#define {} 0", alias.none).expect("a string grows");
        }
    }

    pub fn typedef_enum(&mut self, enumeration: &Enumeration) {
        let name = (self.c_name)(enumeration.rust);
        self.out.push('\n');
        self.comment(enumeration.doc, "");
        writeln!(self.out, "typedef enum {name} {{").expect("a string grows");
        for (index, value) in enumeration.values.iter().enumerate() {
            let comma = if index + 1 < enumeration.values.len() { "," } else { "" };
            let remark = match value.doc {
                [] => String::new(),
                doc => format!(" /* {} */", self.plain(&doc.join(" "))),
            };
            writeln!(self.out, "  {} = {}{comma}{remark}", value.c_name, c_number(value.number))
                .expect("a string grows");
        }
        writeln!(self.out, "}} {name};").expect("a string grows");
    }

    pub fn structure(&mut self, description: &Structure, kind: &str) {
        let name = (self.c_name)(description.rust);
        self.out.push('\n');
        self.comment(description.doc, "");
        writeln!(self.out, "typedef {kind} {name} {{").expect("a string grows");
        self.fields(description.fields, "  ");
        writeln!(self.out, "}} {name};").expect("a string grows");
    }

    fn fields(&mut self, fields: &[Field], indent: &str) {
        for field in fields {
            self.comment(field.doc, indent);
            writeln!(self.out, "{indent}{}{};", self.c_type(field.ty), c_identifier(field.name))
                .expect("a string grows");
        }
    }

    pub fn typedef_function(&mut self, function: &Function) {
        self.out.push('\n');
        self.comment(function.doc, "");
        let head = format!("typedef {}(*{}_t)(", self.c_type(function.ret), function.name);
        self.signature(&head, function);
    }

    /// `head`, the arguments, and the end; on one line if it fits.
    pub fn signature(&mut self, head: &str, function: &Function) {
        let args: Vec<String> =
            function.args.iter().map(|(name, ty)| format!("{}{}", self.c_type(ty), c_identifier(name))).collect();
        let line = match args.as_slice() {
            [] => format!("{head}void);"),
            args => format!("{head}{});", args.join(", ")),
        };
        if line.len() <= WIDTH {
            writeln!(self.out, "{line}").expect("a string grows");
        } else {
            writeln!(self.out, "{head}\n    {});", args.join(",\n    ")).expect("a string grows");
        }
    }
}

/// A name that Rust writes otherwise: a keyword, or what the crate found clearer.
pub fn c_identifier(rust: &str) -> &str {
    match rust {
        "type_" => "type",
        "mutex_impl" => "impl",
        name => name,
    }
}

pub fn snake(camel: &str) -> String {
    let mut text = String::new();
    for (index, c) in camel.char_indices() {
        if c.is_ascii_uppercase() && index > 0 {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// A literal of Rust in C. What does not fit into an `int` is converted to one, as enumerators must be.
pub fn c_number(literal: &str) -> String {
    let digits = literal.replace('_', "");
    match digits.strip_suffix("u32") {
        Some(digits) => format!("(int){digits}"),
        None => digits,
    }
}
