//! The process: bringing the runtime up once, `fork`, and the end.
