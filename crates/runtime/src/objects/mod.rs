//! The objects: plain data, each field with its writer and its reader. Nothing in here waits, wakes, allocates or emits
//! an event; what is done with the objects stands in the layers above.

pub mod call;
