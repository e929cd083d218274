//! Two real programs, traced.
use crate::sh::Result;
pub fn demo() -> Result {
    Err("demo: not built yet".into())
}
