//! The command's tests. One program, so that what they share is compiled once.

mod check;
mod chunks;
mod common;
mod counters;
mod debug;
mod diff;
mod doctor;
mod errors;
mod exports;
mod formats;
mod guide;
mod help;
mod live;
mod mpi;
mod part;
mod places;
mod processes;
mod report;
mod samples;
mod scaling;
mod schema;
mod times;
mod trace;
mod what_if;
