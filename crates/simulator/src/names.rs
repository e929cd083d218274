//! Names for lines: which field of which object a hot line belongs to.

/// A piece of an object.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: String,
    pub address: usize,
    pub bytes: usize,
}

impl Part {
    /// All of `object`.
    pub fn of<T: ?Sized>(name: impl Into<String>, object: &T) -> Self {
        Part { name: name.into(), address: std::ptr::from_ref(object).addr(), bytes: size_of_val(object) }
    }

    /// The same piece, named as a part of `whole`.
    pub fn within(self, whole: &str) -> Self {
        Part { name: format!("{whole}.{}", self.name), ..self }
    }
}

/// The names of the pieces that lie on the line at `address`. A piece that has another one inside gives no name.
pub fn of_line(parts: &[Part], address: usize, bytes: usize) -> String {
    let overlap = |part: &Part, begin: usize, end: usize| part.address < end && begin < part.address + part.bytes;
    let mut found: Vec<&Part> = parts.iter().filter(|part| overlap(part, address, address + bytes)).collect();
    found.sort_by_key(|part| (part.bytes, part.address));
    let mut kept: Vec<&Part> = Vec::new();
    for part in found {
        if !kept.iter().any(|inner| overlap(part, inner.address, inner.address + inner.bytes)) {
            kept.push(part);
        }
    }
    kept.sort_by_key(|part| part.address);
    let mut names: Vec<&str> = kept.iter().map(|part| part.name.as_str()).collect();
    names.dedup();
    if names.is_empty() { "a line without a name".into() } else { names.join(", ") }
}
