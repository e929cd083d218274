//! The attribute `#[tool]` of the crate `ferromp-tool`, which re-exports it: reads off an implementation of `Tool`
//! which methods it has. An attribute needs a crate of its own; a macro by example would have to wrap the whole
//! implementation, which `cargo fmt` then leaves alone.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Goes on `impl Tool for …`: registers the events whose methods are implemented there, no others, and exports
/// `ompt_start_tool`, by which OpenMP runtimes find the tool. Once a library.
///
/// What the implementation leaves out is filled in: the types `ThreadData`, `ParallelData` and `TaskData` are `u64`.
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let expanded = if arguments.is_empty() { expand(item) } else { Err("#[tool] takes no arguments") };
    expanded.unwrap_or_else(|why| format!("::core::compile_error!({why:?});").parse().expect("a macro call"))
}

fn expand(item: TokenStream) -> Result<TokenStream, &'static str> {
    const SHAPE: &str = "#[tool] goes on `impl Tool for …`, without type parameters";
    let mut head: Vec<TokenTree> = item.into_iter().collect();
    let Some(TokenTree::Group(body)) = head.pop() else { return Err(SHAPE) };
    let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident.to_string() == word);
    let begin = head.iter().position(|token| is(token, "impl")).ok_or(SHAPE)?;
    let name = head.iter().position(|token| is(token, "for")).ok_or(SHAPE)?;
    let parameters = matches!(head.get(begin + 1), Some(TokenTree::Punct(punct)) if punct.as_char() == '<');
    if body.delimiter() != Delimiter::Brace || parameters {
        return Err(SHAPE);
    }
    let implementor: TokenStream = head[name + 1..].iter().cloned().collect();
    let found = Found::in_body(body.stream());

    let mut added = String::from("#[doc(hidden)] const IMPLEMENTED: ::ferromp_tool::start::Implemented = ");
    added += "::ferromp_tool::start::Implemented::by_methods(&[";
    for (conditions, method) in &found.methods {
        added += &format!("{conditions} \"{method}\",");
    }
    added += "]);";
    for name in ["ThreadData", "ParallelData", "TaskData"] {
        if !found.types.iter().any(|known| known == name) {
            added += &format!("type {name} = u64;");
        }
    }
    let mut inside: TokenStream = added.parse().expect("items as written above");
    inside.extend(body.stream());
    let mut all: TokenStream = head.into_iter().collect();
    all.extend([TokenTree::Group(Group::new(Delimiter::Brace, inside))]);
    all.extend("::ferromp_tool::export!".parse::<TokenStream>().expect("the name of a macro"));
    all.extend([TokenTree::Group(Group::new(Delimiter::Brace, implementor))]);
    Ok(all)
}

/// What an implementation has.
#[derive(Default)]
struct Found {
    /// Methods, each with its `#[cfg(…)]` attributes.
    methods: Vec<(String, String)>,
    /// Associated types.
    types: Vec<String>,
}

impl Found {
    fn in_body(body: TokenStream) -> Found {
        let mut found = Found::default();
        let mut conditions = String::new();
        let mut tokens = body.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    if let Some(TokenTree::Group(attribute)) = tokens.peek()
                        && attribute.stream().to_string().starts_with("cfg")
                    {
                        conditions += &format!("#{attribute}");
                    }
                }
                TokenTree::Ident(word) => {
                    let next = tokens.peek().map(ToString::to_string).unwrap_or_default();
                    match word.to_string().as_str() {
                        "fn" => found.methods.push((std::mem::take(&mut conditions), next)),
                        "type" => found.types.push(next),
                        _ => {}
                    }
                }
                // The end of an item.
                TokenTree::Punct(punct) if punct.as_char() == ';' => conditions.clear(),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => conditions.clear(),
                _ => {}
            }
        }
        found
    }
}
