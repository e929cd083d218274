//! A place in the program as JSON.

use ferromp_trace::Site;
use ferromp_trace::symbols::Symbolizer;
use serde_json::{Value, json};

/// A construct or call, and what is known about it.
pub fn place(symbols: &mut Symbolizer, site: Site) -> Value {
    let location = symbols.locate(site);
    json!({
        "name": location.long(),
        "address": format!("{:#x}", site.codeptr),
        "construct_function": (site.function != 0).then(|| format!("{:#x}", site.function)),
        "function": location.function,
        "inlined_into": location.inlined_into,
        "file": location.file,
        "line": location.line,
        "module": location.module,
    })
}
