//! Mutations: faults that a model test switches on in a protocol to see that the model finds them.
//!
//! A model that passes proves little unless the same model fails for a broken protocol. Each mutation is a name that
//! stands in the protocol's code where the fault would be: an ordering that is weaker, a second look that is left out.
//! The name says what is wrong: `"go: published relaxed"`. In the library every function here is a constant that the
//! compiler removes. Under `--cfg loom` the mutation is the one that the environment variable
//! `FERROMP_MODEL_MUTATION` names; without the variable nothing is mutated.
//!
//! A test file runs a mutation beside its models: `assert_caught("go: published relaxed", "two_regions")` runs the
//! test `two_regions` of the same file again, in a process of its own, with that mutation, and fails unless the test
//! fails. A process of its own, because a model that has failed leaves loom's state behind, and because a panic while
//! another unwinds ends the process.

use super::atomic::Ordering;

/// Whether the mutation `name` is switched on. Always false outside of a model.
#[cfg(not(loom))]
#[inline(always)]
pub const fn is(_name: &str) -> bool {
    false
}

/// `ordering`, or `Relaxed` where the mutation `name` is switched on.
#[cfg(not(loom))]
#[inline(always)]
pub const fn or_relaxed(_name: &str, ordering: Ordering) -> Ordering {
    ordering
}

#[cfg(loom)]
mod modelled {
    use super::Ordering;
    use std::process::Command;
    use std::sync::LazyLock;

    const VARIABLE: &str = "FERROMP_MODEL_MUTATION";

    /// Not modelled: set before the first model runs.
    static MUTATION: LazyLock<Option<String>> = LazyLock::new(|| std::env::var(VARIABLE).ok());

    /// Whether the mutation `name` is switched on.
    pub fn is(name: &str) -> bool {
        MUTATION.as_deref() == Some(name)
    }

    /// `ordering`, or `Relaxed` where the mutation `name` is switched on.
    pub fn or_relaxed(name: &str, ordering: Ordering) -> Ordering {
        if is(name) { Ordering::Relaxed } else { ordering }
    }

    /// Runs the test `test` of the calling test program with the mutation `name`. Panics unless that test fails. A
    /// misspelt mutation changes nothing and a misspelt test is not run: both count as not caught.
    pub fn assert_caught(name: &str, test: &str) {
        let program = std::env::current_exe().expect("a test program knows its path");
        let output = Command::new(program)
            .args(["--exact", test, "--test-threads=1"])
            .env(VARIABLE, name)
            .output()
            .expect("a test program can be started again");
        assert!(!output.status.success(), "the model `{test}` does not catch the mutation `{name}`");
    }
}

#[cfg(loom)]
pub use modelled::{assert_caught, is, or_relaxed};
