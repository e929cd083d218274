//! Constructs that map variables without a region on the device (`__tgt_target_data_*`; OpenMP 5.1 §2.14.2–4, §2.14.6). One pair of
//! entry points serves `target data` regions and the stand-alone `target enter data` and `target exit data` constructs.

use super::super::kmpc::Ident;
use super::super::kmpc::task::KmpDependence;
use super::{await_dependences, clauses, lists};
use crate::abi::wide_door;
use crate::device::construct::{self, Data};
use crate::thread;
use std::ffi::{c_char, c_void};

wide_door! {
    /// `__tgt_target_data_begin`: begins a `target data` region, or `target enter data`, from older compilers.
    pub fn __tgt_target_data_begin(
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
    ), |call| {
        let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
        construct::data(thread::current(), clauses(std::ptr::null(), device, false), Data::Begin, &lists, call);
    }

    /// `__tgt_target_data_begin_nowait`: the same, after tasks that it depends on.
    pub fn __tgt_target_data_begin_nowait(
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
        depend_count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |call| {
        let thread = thread::current();
        await_dependences(thread, [(depend_count, list), (count_noalias, list_noalias)], call);
        let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
        construct::data(thread, clauses(std::ptr::null(), device, true), Data::Begin, &lists, call);
    }

    /// `__tgt_target_data_begin_mapper`: begins a `target data` region, or `target enter data`.
    pub fn __tgt_target_data_begin_mapper(
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
        construct::data(thread::current(), clauses(loc, device, false), Data::Begin, &lists, call);
    }

    /// `__tgt_target_data_begin_nowait_mapper`: the same with `nowait`, after tasks that it depends on.
    pub fn __tgt_target_data_begin_nowait_mapper(
        loc: *const Ident,
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
        names: *const *const c_char,
        mappers: *const *const c_void,
        depend_count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |call| {
        let thread = thread::current();
        await_dependences(thread, [(depend_count, list), (count_noalias, list_noalias)], call);
        let lists = lists(count, bases, begins, sizes, types, names, mappers);
        construct::data(thread, clauses(loc, device, true), Data::Begin, &lists, call);
    }

    /// `__tgt_target_data_end`: ends a `target data` region, or `target exit data`, from older compilers.
    pub fn __tgt_target_data_end(
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
    ), |call| {
        let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
        construct::data(thread::current(), clauses(std::ptr::null(), device, false), Data::End, &lists, call);
    }

    /// `__tgt_target_data_end_nowait`: the same, after tasks that it depends on.
    pub fn __tgt_target_data_end_nowait(
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
        depend_count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |call| {
        let thread = thread::current();
        await_dependences(thread, [(depend_count, list), (count_noalias, list_noalias)], call);
        let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
        construct::data(thread, clauses(std::ptr::null(), device, true), Data::End, &lists, call);
    }

    /// `__tgt_target_data_end_mapper`: ends a `target data` region, or `target exit data`.
    pub fn __tgt_target_data_end_mapper(
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
        construct::data(thread::current(), clauses(loc, device, false), Data::End, &lists, call);
    }

    /// `__tgt_target_data_end_nowait_mapper`: the same with `nowait`, after tasks that it depends on.
    pub fn __tgt_target_data_end_nowait_mapper(
        loc: *const Ident,
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
        names: *const *const c_char,
        mappers: *const *const c_void,
        depend_count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |call| {
        let thread = thread::current();
        await_dependences(thread, [(depend_count, list), (count_noalias, list_noalias)], call);
        let lists = lists(count, bases, begins, sizes, types, names, mappers);
        construct::data(thread, clauses(loc, device, true), Data::End, &lists, call);
    }

    /// `__tgt_target_data_update`: `target update`, from older compilers.
    pub fn __tgt_target_data_update(
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
    ), |call| {
        let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
        construct::data(thread::current(), clauses(std::ptr::null(), device, false), Data::Update, &lists, call);
    }

    /// `__tgt_target_data_update_nowait`: the same, after tasks that it depends on.
    pub fn __tgt_target_data_update_nowait(
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
        depend_count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |call| {
        let thread = thread::current();
        await_dependences(thread, [(depend_count, list), (count_noalias, list_noalias)], call);
        let lists = lists(count, bases, begins, sizes, types, std::ptr::null(), std::ptr::null());
        construct::data(thread, clauses(std::ptr::null(), device, true), Data::Update, &lists, call);
    }

    /// `__tgt_target_data_update_mapper`: `target update`.
    pub fn __tgt_target_data_update_mapper(
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
        construct::data(thread::current(), clauses(loc, device, false), Data::Update, &lists, call);
    }

    /// `__tgt_target_data_update_nowait_mapper`: the same with `nowait`, after tasks that it depends on.
    pub fn __tgt_target_data_update_nowait_mapper(
        loc: *const Ident,
        device: i64,
        count: i32,
        bases: *mut usize,
        begins: *const usize,
        sizes: *const i64,
        types: *const u64,
        names: *const *const c_char,
        mappers: *const *const c_void,
        depend_count: i32,
        list: *const KmpDependence,
        count_noalias: i32,
        list_noalias: *const KmpDependence,
    ), |call| {
        let thread = thread::current();
        await_dependences(thread, [(depend_count, list), (count_noalias, list_noalias)], call);
        let lists = lists(count, bases, begins, sizes, types, names, mappers);
        construct::data(thread, clauses(loc, device, true), Data::Update, &lists, call);
    }
}
