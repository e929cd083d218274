//! Traces in other programs' formats, one module a format.

pub mod html;
pub mod perfetto;
mod shown;
mod slices;
