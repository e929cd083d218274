//! The paths in the tokens of a macro, which have no syntax yet.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A path, and the line where it begins.
pub struct Found {
    pub path: Vec<String>,
    pub line: usize,
}

/// Every path in `tokens`, single names included; `a::{b, c}` counts as two. Fields, methods and paths of other crates
/// (`::a`) are left out, but for the standard library's.
pub fn paths(tokens: TokenStream) -> Vec<Found> {
    let mut found = Vec::new();
    scan(tokens, &[], &mut found);
    found
}

fn scan(tokens: TokenStream, above: &[String], found: &mut Vec<Found>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            TokenTree::Group(group) => {
                scan(group.stream(), &[], found);
                at += 1;
            }
            TokenTree::Ident(first) => {
                let line = first.span().start().line;
                let field = at > 0 && is(&tokens[at - 1], '.') && !(at > 1 && is(&tokens[at - 2], '.'));
                let foreign = at > 1 && is(&tokens[at - 1], ':') && is(&tokens[at - 2], ':');
                let dollar = at > 0 && is(&tokens[at - 1], '$');
                let mut path = above.to_vec();
                path.push(if dollar { format!("${first}") } else { first.to_string() });
                at += 1;
                let mut group = None;
                while at + 2 < tokens.len() && is(&tokens[at], ':') && is(&tokens[at + 1], ':') {
                    match &tokens[at + 2] {
                        TokenTree::Ident(next) => path.push(next.to_string()),
                        TokenTree::Group(inner) if inner.delimiter() == Delimiter::Brace => {
                            group = Some(inner.stream());
                        }
                        _ => break,
                    }
                    at += 3;
                }
                match group {
                    _ if field || foreign && first != "std" && first != "core" => {}
                    Some(inner) => scan(inner, &path, found),
                    None => found.push(Found { path, line }),
                }
            }
            _ => at += 1,
        }
    }
}

fn is(token: &TokenTree, character: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == character)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_found_in_tokens() {
        let tokens: TokenStream =
            "f(crate::a::B::<u8>, self.field, ::std::x) { use super::c::{d, e::f}; $crate::g!(h) }".parse().unwrap();
        let found: Vec<String> = paths(tokens).iter().map(|found| found.path.join("::")).collect();
        assert_eq!(
            found,
            ["f", "crate::a::B", "u8", "self", "std::x", "use", "super::c::d", "super::c::e::f", "$crate::g", "h"]
        );
    }
}
