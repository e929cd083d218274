//! Which parts of a file the shipped library does not have: tests, and the view that loom has of the crate.

use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Token};

/// Whether one of `attributes` is a `cfg` that never holds in the shipped library.
pub fn left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<Meta>().is_ok_and(|condition| holds(&condition) == Some(false))
    })
}

/// Whether `condition` holds in the shipped library; `None` where the answer depends on the build.
fn holds(condition: &Meta) -> Option<bool> {
    match condition {
        Meta::Path(path) if path.is_ident("test") || path.is_ident("loom") => Some(false),
        Meta::List(list) => {
            let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
            let parts: Vec<Option<bool>> = parts.iter().map(holds).collect();
            if list.path.is_ident("not") {
                parts.first().copied().flatten().map(|part| !part)
            } else if list.path.is_ident("all") {
                if parts.contains(&Some(false)) { Some(false) } else { all_known(&parts, true) }
            } else if parts.contains(&Some(true)) {
                Some(true)
            } else {
                all_known(&parts, false)
            }
        }
        _ => None,
    }
}

/// `value`, if every part is known to be `value`.
fn all_known(parts: &[Option<bool>], value: bool) -> Option<bool> {
    parts.iter().all(|part| *part == Some(value)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn only_what_never_ships_is_left_out() {
        let cases: [(Attribute, bool); 8] = [
            (parse_quote!(#[cfg(test)]), true),
            (parse_quote!(#[cfg(loom)]), true),
            (parse_quote!(#[cfg(all(test, unix))]), true),
            (parse_quote!(#[cfg(any(test, loom))]), true),
            (parse_quote!(#[cfg(any(test, unix))]), false),
            (parse_quote!(#[cfg(not(loom))]), false),
            (parse_quote!(#[cfg(target_os = "linux")]), false),
            (parse_quote!(#[inline]), false),
        ];
        for (attribute, expected) in cases {
            assert_eq!(left_out(std::slice::from_ref(&attribute)), expected, "{:?}", attribute.meta.path().get_ident());
        }
    }
}
