//! A small debugger for the tests of OMPD: it stops programs and their threads, sets breakpoints, reads core files, and
//! provides `libompd.so` with callbacks (OpenMP 5.1, chapter 5). The debugger knows nothing of the runtime; all its
//! knowledge of OpenMP comes from `libompd.so`.
//!
//! [`live::Live`] controls a process, [`corefile::CoreFile`] is one that is no more; both show the same
//! [`target::Target`]. [`ompd::Ompd`] is the library, and [`handles`] are its handles, released when they are dropped.

pub mod callbacks;
pub mod corefile;
pub mod handles;
pub mod live;
pub mod make_core;
pub mod modules;
pub mod ompd;
pub mod target;
