//! What names of functions say: which function of the source it is, and what the compiler has made of it.

use std::borrow::Cow;

/// What gcc puts between the name of a function and the number of a function that it has made of a construct in it.
const GCC_OUTLINED: &str = "._omp_fn.";

/// The endings of functions that compilers make of another function or of a construct in it: outlined code, and copies
/// for constant arguments, parts and rare paths.
const ENDINGS: [&str; 9] = [
    GCC_OUTLINED,
    ".omp_outlined",
    ".omp_task_entry",
    ".constprop.",
    ".isra.",
    ".part.",
    ".cold",
    ".lto_priv.",
    "_debug__",
];

/// What clang's names of target regions begin with: a device and a file number follow, the function and the line.
const KERNEL: &str = "__omp_offloading_";

/// Whether gcc has made the function of a construct.
pub fn is_outlined_by_gcc(symbol: &str) -> bool {
    symbol
        .find(GCC_OUTLINED)
        .is_some_and(|at| symbol[at + GCC_OUTLINED.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// The function of the source that a symbol stands for, demangled. A symbol that is nothing but the compiler's stays.
pub fn readable(symbol: &str) -> String {
    let symbol = without_ending(symbol);
    demangled(kernel_parts(symbol).map_or(symbol, |(function, _)| without_ending(function)))
}

/// A symbol without what compilers add to the name of a function of the source.
fn without_ending(symbol: &str) -> &str {
    let end = ENDINGS.iter().filter_map(|ending| symbol.find(ending)).filter(|end| *end > 0).min();
    &symbol[..end.unwrap_or(symbol.len())]
}

/// A symbol's name, demangled.
pub fn demangled(symbol: &str) -> String {
    addr2line::demangle_auto(symbol.into(), None).into_owned()
}

/// Whether a name is the compiler's own, without a function of the source in it.
pub fn is_of_compiler(name: &str) -> bool {
    name.starts_with('.')
}

/// Whether a symbol identifies a target region.
pub fn is_kernel(symbol: &str) -> bool {
    symbol.strip_prefix('.').unwrap_or(symbol).starts_with(KERNEL)
}

/// The function and the line of a target region, by its name: `__omp_offloading_fd00_1a2b_solve_l13`.
pub fn kernel(symbol: &str) -> Option<(String, u32)> {
    kernel_parts(symbol).map(|(function, line)| (demangled(without_ending(function)), line))
}

fn kernel_parts(symbol: &str) -> Option<(&str, u32)> {
    let symbol = symbol.strip_prefix('.').unwrap_or(symbol);
    let name = symbol.strip_suffix(".region_id").unwrap_or(symbol).strip_prefix(KERNEL)?;
    let (_, name) = name.split_once('_')?;
    let (_, name) = name.split_once('_')?;
    let (function, line) = name.rsplit_once("_l")?;
    // A further number tells regions on one line apart.
    let line = line.split('_').next()?.parse().ok()?;
    (!function.is_empty()).then_some((function, line))
}

/// A name of at most `most` characters, with its middle left out.
pub fn shortened(name: &str, most: usize) -> Cow<'_, str> {
    let length = name.chars().count();
    if length <= most {
        return Cow::Borrowed(name);
    }
    let kept = most.saturating_sub(1);
    let (front, back) = (kept.div_ceil(2), kept / 2);
    let skipped = name.chars().skip(length - back);
    Cow::Owned(name.chars().take(front).chain(['…']).chain(skipped).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_those_of_the_source() {
        for (symbol, function) in [
            ("main", "main"),
            ("main._omp_fn.12", "main"),
            ("solve.constprop.0._omp_fn.1", "solve"),
            ("main.omp_outlined", "main"),
            ("main.omp_outlined_debug__.omp_outlined.3", "main"),
            ("__omp_offloading_fe00_98e0a1_main_l46_debug__.omp_outlined", "main"),
            (".omp_task_entry..5", ".omp_task_entry..5"),
            ("_ZN1SIiE3runEi._omp_fn.0", "S<int>::run(int)"),
        ] {
            assert_eq!(readable(symbol), function);
        }
        assert!(is_outlined_by_gcc("_ZN1SIiE3runEi._omp_fn.0") && is_outlined_by_gcc("f._omp_fn.1.cold"));
        assert!(!is_outlined_by_gcc("main.omp_outlined") && !is_outlined_by_gcc("main._omp_fn."));
    }

    #[test]
    fn target_regions_have_their_line_in_their_name() {
        assert_eq!(kernel("__omp_offloading_fd00_98e16f_main_l13"), Some(("main".into(), 13)));
        assert_eq!(kernel(".__omp_offloading_10_2_a_long_name_l7_1.region_id"), Some(("a_long_name".into(), 7)));
        assert_eq!(kernel("__omp_offloading_10_2__Z3foov_l300"), Some(("foo()".into(), 300)));
        for other in ["__omp_offloading_", "__omp_offloading_10_2_main", "__omp_offloading_1_2_l5", "main_l13", ""] {
            assert_eq!(kernel(other), None, "{other}");
        }
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("std::vector<double>::push_back", 11), "std::…_back");
        assert_eq!(shortened("abc", 1), "…");
        assert_eq!(shortened("Grüße, Welt", 6), "Grü…lt");
    }
}
