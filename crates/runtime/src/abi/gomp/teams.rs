//! `teams` on the host (`GOMP_teams_reg`), and inside a target region that runs there (`GOMP_teams`,
//! `GOMP_teams4`); OpenMP 5.1 §2.7.

use super::parallel::outlined;
use crate::abi::{entry_point, routines, split_wide_entry_point};
use crate::objects::clauses::Clauses;
use crate::objects::current;
use crate::team::league;
use std::ffi::{c_uint, c_void};

split_wide_entry_point! {
    /// `GOMP_teams_reg`: executes a teams region. A number of 0 means that the clause is not there; gcc passes no lower
    /// bound.
    pub fn GOMP_teams_reg(function: *const c_void, data: *mut c_void, num_teams: c_uint, thread_limit: c_uint,
        flags: c_uint), |thread, call| {
        let clauses = Clauses { at_least: num_teams, at_most: num_teams, thread_limit };
        league::teams(thread, outlined(function, data), clauses, call);
    }
}

entry_point! {
    /// `GOMP_teams4`: in a target region, begins the `first` team or the next. Returns whether there is such a team;
    /// the program then runs the team's code itself.
    pub fn GOMP_teams4(lower: c_uint, upper: c_uint, thread_limit: c_uint, first: bool) -> bool, |thread, call| {
        if first {
            let clauses = Clauses { at_least: lower, at_most: upper.max(lower), thread_limit };
            league::begin_in_turn(thread, clauses, call);
            true
        } else {
            league::next_in_turn(thread, call)
        }
    }
}

routines! {
    /// `GOMP_teams`: sets the thread limit. Programs of gcc up to 11 call this function in a target region, and then
    /// run the code of one team. The league has one team, which conforms where the clause has no lower bound.
    pub fn GOMP_teams(num_teams: c_uint, thread_limit: c_uint) {
        if thread_limit != 0 {
            current::current().icvs_mut().thread_limit = i32::try_from(thread_limit).unwrap_or(i32::MAX);
        }
    }
}
