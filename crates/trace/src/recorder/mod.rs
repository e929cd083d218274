//! The OMPT tool.
