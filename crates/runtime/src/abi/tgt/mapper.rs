//! Entry points that the functions of user-defined mappers call (`__tgt_push_mapper_component`; OpenMP 5.1 §2.21.7.4).

use crate::abi::routines;
use crate::device::map::{Components, MapType, Name, Variable};
use std::ffi::c_char;

routines! {
    /// `__tgt_mapper_num_components`: how many components the mapper has given so far.
    pub fn __tgt_mapper_num_components(mapper: *const Components) -> i64 { (*mapper).0.len() as i64 }

    /// `__tgt_push_mapper_component`: one more component.
    pub fn __tgt_push_mapper_component(
        mapper: *mut Components,
        base: usize,
        begin: usize,
        size: i64,
        kind: u64,
        name: *const c_char,
    ) {
        let (bytes, kind, name) = (size.max(0) as usize, MapType(kind), Name::new(name));
        (*mapper).0.push(Variable { base, begin, bytes, kind, name });
    }
}
