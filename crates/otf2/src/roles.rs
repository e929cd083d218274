//! OTF2's roles of regions, `OTF2_RegionRole`.

use ferromp_trace::export::slices::Open;

const FUNCTION: u8 = 1;
const LOOP: u8 = 3;
const CODE: u8 = 4;
const PARALLEL: u8 = 5;
const SECTIONS: u8 = 6;
const WORKSHARE: u8 = 8;
const SINGLE: u8 = 9;
const MASTER: u8 = 11;
const CRITICAL: u8 = 12;
const CRITICAL_BLOCK: u8 = 13;
const ATOMIC: u8 = 14;
const BARRIER: u8 = 15;
const IMPLICIT_BARRIER: u8 = 16;
const ORDERED: u8 = 18;
const ORDERED_BLOCK: u8 = 19;
const TASK: u8 = 20;
const TASK_WAIT: u8 = 22;
const ONE_TO_ALL: u8 = 23;
const ALL_TO_ONE: u8 = 24;
const ALL_TO_ALL: u8 = 25;
const COLLECTIVE: u8 = 26;
const FILE_IO: u8 = 27;
const POINT_TO_POINT: u8 = 28;
const RMA: u8 = 29;
const DATA_TRANSFER: u8 = 30;
const ALLOCATE: u8 = 35;
const DEALLOCATE: u8 = 36;

/// The role of a slice with this name.
pub fn of_slice(open: Open, name: &str) -> u8 {
    match open {
        Open::Parallel(_) => PARALLEL,
        Open::Implicit(_) | Open::Chunk | Open::Reduction | Open::Target(_) => CODE,
        Open::Task(_) => TASK,
        Open::Work(1 | 6 | 7 | 10..=13) => LOOP,
        Open::Work(2) => SECTIONS,
        Open::Work(3 | 4) => SINGLE,
        Open::Work(_) => WORKSHARE,
        Open::Sync(2 | 8 | 9) | Open::Wait(2 | 8 | 9) => IMPLICIT_BARRIER,
        Open::Sync(5 | 6) | Open::Wait(5 | 6) => TASK_WAIT,
        Open::Sync(7) | Open::Wait(7) => CODE,
        Open::Sync(_) | Open::Wait(_) => BARRIER,
        Open::Masked => MASTER,
        Open::Acquire => match name {
            "wait for critical" => CRITICAL,
            "wait for atomic" => ATOMIC,
            "wait for ordered" => ORDERED,
            _ => CODE,
        },
        Open::Hold(_) => match name {
            "critical" => CRITICAL_BLOCK,
            "ordered" => ORDERED_BLOCK,
            "atomic" => ATOMIC,
            _ => CODE,
        },
        Open::Operation(_) => of_operation(name),
        Open::Mpi(call) => of_mpi(call),
    }
}

/// The role of the function of MPI with this number.
fn of_mpi(call: u64) -> u8 {
    match call {
        10..=39 => POINT_TO_POINT,
        40 | 60 => BARRIER,
        41 | 44 | 45 | 61 | 63 => ONE_TO_ALL,
        42 | 43 | 51 | 62 | 66 => ALL_TO_ONE,
        46..=50 | 52..=54 | 64 | 65 | 67 => ALL_TO_ALL,
        55..=79 => COLLECTIVE,
        100..=139 => RMA,
        140..=179 => FILE_IO,
        _ => FUNCTION,
    }
}

/// The role of an operation with this name.
pub fn of_operation(name: &str) -> u8 {
    match name {
        "kernel" => FUNCTION,
        "allocate" => ALLOCATE,
        "free" => DEALLOCATE,
        name if name.starts_with("copy") => DATA_TRANSFER,
        _ => CODE,
    }
}
