//! The command's tests. One program, so that what they share is compiled once.

mod check;
mod common;
mod debug;
mod doctor;
mod errors;
mod help;
mod live;
mod places;
mod processes;
mod report;
mod samples;
mod schema;
mod times;
mod trace;
