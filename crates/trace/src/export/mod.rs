//! Traces in other programs' formats, one module a format.

pub mod perfetto;
