//! Constructs that map variables without a region on the device (`__tgt_target_data_*`; OpenMP 5.1 §2.14.2–4, §2.14.6).
//! `target data` regions and the stand-alone `target enter data` and `target exit data` constructs have the same entry
//! points.

use super::clauses;
use crate::device::construct::{self, What};
use crate::objects::current;

/// Defines the entry points of constructs, one row a construct. libomptarget's forms with `nowait` also have arguments
/// for dependences. clang up to 16 does not pass these arguments, so they must not be read. Newer releases pass empty
/// lists, as their target tasks have the dependences.
macro_rules! data_entry_points {
    ($($(#[$meta:meta])* $data:ident => $($names:ident)*;)*) => {$(
        construct_entry_points! {
            $(#[$meta])* (), (), (), |loc, device, nowait, lists, call| {
                construct::execute(current::current(), clauses(loc, device, nowait), What::$data, lists, call);
            };
            $($names)*
        }
    )*};
}

data_entry_points! {
    /// Begins a `target data` region, or `target enter data`.
    Begin =>
        __tgt_target_data_begin __tgt_target_data_begin_nowait
        __tgt_target_data_begin_mapper __tgt_target_data_begin_nowait_mapper;
    /// Ends a `target data` region, or `target exit data`.
    End =>
        __tgt_target_data_end __tgt_target_data_end_nowait
        __tgt_target_data_end_mapper __tgt_target_data_end_nowait_mapper;
    /// `target update`.
    Update =>
        __tgt_target_data_update __tgt_target_data_update_nowait
        __tgt_target_data_update_mapper __tgt_target_data_update_nowait_mapper;
}
