//! The constructs, by the names that `programs/construct.c` knows.

/// Those of the table in the project's README.
pub const COMMON: [&str; 11] = [
    "parallel",
    "reduction",
    "for-static",
    "for-dynamic",
    "for-guided",
    "barrier",
    "single",
    "critical",
    "lock",
    "task",
    "task-tree",
];

/// All of them.
pub const ALL: [&str; 18] = [
    "parallel",
    "reduction",
    "for-static",
    "for-dynamic",
    "for-guided",
    "barrier",
    "single",
    "sections",
    "critical",
    "lock",
    "nest-lock",
    "ordered",
    "task",
    "undeferred",
    "taskgroup",
    "taskloop",
    "depend",
    "task-tree",
];
