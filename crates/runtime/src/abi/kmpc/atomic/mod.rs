//! Atomic operations that the compiler does not write out itself: `__kmpc_atomic_<type>_<operator>…`
//! (OpenMP 5.1 §2.19.7). icc and ifort call them; clang writes out most.
//!
//! `table.rs` lists types and operators; every name is made from it by the macros of `shapes.rs`, which
//! know how arguments and results of each type are passed. The suffixes are:
//!
//! | suffix | operation | result |
//! | --- | --- | --- |
//! | none | `x = x op v` | |
//! | `_rev` | `x = v op x` | |
//! | `_cpt`, `_cpt_rev` | the same | the new value where the flag is not 0, else the old one |
//! | `_rd` | | `x` |
//! | `_wr` | `x = v` | |
//! | `_swp` | `x = v` | the old value |
//! | `_float8`, `_cmplx8`, `_fp` | computed in `double`, `double _Complex`, `_Float128`: the type of `v` | |
//!
//! Types: `fixed<bytes>` (`u` where unsigned), `float<bytes>`, `cmplx<bytes of a part>`; `10` stands
//! for the x87 format in 16 bytes.

mod exchange;
mod generic;
mod shapes;
mod table;
