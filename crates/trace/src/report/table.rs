//! Aligned columns.
