//! tidy.
use crate::sh::Result;
pub fn tidy() -> Result {
    Err("tidy: not built yet".into())
}
