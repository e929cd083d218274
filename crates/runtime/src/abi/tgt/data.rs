//! Constructs that map variables without a region on the device (`__tgt_target_data_*`; OpenMP 5.1 §2.14.2–4, §2.14.6).
//! One pair of entry points serves `target data` regions and the stand-alone `target enter data` and `target exit data`
//! constructs.

use super::super::kmpc::Ident;
use super::{clauses, lists};
use crate::abi::wide_door;
use crate::device::construct::{self, Data};
use crate::objects::current;
use std::ffi::{c_char, c_void};

/// The four doors of a construct: with source and mappers or, from older compilers, without; and each with `nowait`.
/// libomptarget's forms with `nowait` have dependences as well. clang up to 16 leaves these arguments out, so that
/// whatever stands there must not be read; newer ones pass none, as their target tasks have the dependences.
macro_rules! data_doors {
    ($what:literal, $data:expr; $old:ident $old_nowait:ident $door:ident $door_nowait:ident) => {
        wide_door! {
            #[doc = concat!("`", stringify!($old), "`: ", $what, ", from older compilers.")]
            pub fn $old(
                device: i64,
                count: i32,
                bases: *mut usize,
                begins: *const usize,
                sizes: *const i64,
                types: *const u64,
            ), |call| {
                let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
                construct::data(current::current(), clauses(std::ptr::null(), device, false), $data, &lists, call);
            }

            #[doc = concat!("`", stringify!($old_nowait), "`: the same with `nowait`, after tasks that it depends on.")]
            pub fn $old_nowait(
                device: i64,
                count: i32,
                bases: *mut usize,
                begins: *const usize,
                sizes: *const i64,
                types: *const u64,
            ), |call| {
                let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
                construct::data(current::current(), clauses(std::ptr::null(), device, true), $data, &lists, call);
            }

            #[doc = concat!("`", stringify!($door), "`: ", $what, ".")]
            pub fn $door(
                loc: *const Ident,
                device: i64,
                count: i32,
                bases: *mut usize,
                begins: *const usize,
                sizes: *const i64,
                types: *const u64,
                names: *const *const c_char,
                mappers: *const *const c_void,
            ), |call| {
                let lists = lists(count, bases, begins, sizes, types, names, mappers);
                construct::data(current::current(), clauses(loc, device, false), $data, &lists, call);
            }

            #[doc = concat!("`", stringify!($door_nowait), "`: the same with `nowait`, after tasks that it depends on.")]
            pub fn $door_nowait(
                loc: *const Ident,
                device: i64,
                count: i32,
                bases: *mut usize,
                begins: *const usize,
                sizes: *const i64,
                types: *const u64,
                names: *const *const c_char,
                mappers: *const *const c_void,
            ), |call| {
                let lists = lists(count, bases, begins, sizes, types, names, mappers);
                construct::data(current::current(), clauses(loc, device, true), $data, &lists, call);
            }
        }
    };
}

data_doors! {
    "begins a `target data` region, or `target enter data`", Data::Begin;
    __tgt_target_data_begin __tgt_target_data_begin_nowait __tgt_target_data_begin_mapper __tgt_target_data_begin_nowait_mapper
}
data_doors! {
    "ends a `target data` region, or `target exit data`", Data::End;
    __tgt_target_data_end __tgt_target_data_end_nowait __tgt_target_data_end_mapper __tgt_target_data_end_nowait_mapper
}
data_doors! {
    "`target update`", Data::Update;
    __tgt_target_data_update __tgt_target_data_update_nowait __tgt_target_data_update_mapper __tgt_target_data_update_nowait_mapper
}
