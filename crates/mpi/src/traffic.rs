//! What the arguments of a call say: bytes and the partner. Only arguments that MPI reads as well are read, because
//! others may be anything: those of a root that is elsewhere, or of a buffer in place.

use crate::library::Symbol;
use std::ffi::c_int;

/// What a call moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes that the process hands over, or, in a call that only receives, for which it has room.
    pub bytes: u64,
    /// The rank of the other process or of the root, in the call's communicator; -1 if there is none, or any.
    pub partner: i64,
}

/// How a function gets its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// As values; handles are the implementation's.
    C,
    /// By reference; handles are integers.
    Fortran,
    /// As `Fortran`, but a buffer is a C descriptor (Fortran 2018, section 18.5.3), which begins with the address.
    Descriptors,
}

/// Reads the arguments of one call.
#[derive(Clone, Copy)]
pub struct At(pub Language);

/// A buffer in the arguments: the address, the count and the type.
type Buffer = [usize; 3];

static TYPE_SIZE: Symbol = Symbol::named(c"PMPI_Type_size");
static TYPE_F2C: Symbol = Symbol::named(c"PMPI_Type_f2c");
static COMM_F2C: Symbol = Symbol::named(c"PMPI_Comm_f2c");
static COMM_SIZE: Symbol = Symbol::named(c"PMPI_Comm_size");
static COMM_RANK: Symbol = Symbol::named(c"PMPI_Comm_rank");
static COMM_REMOTE_SIZE: Symbol = Symbol::named(c"PMPI_Comm_remote_size");
static COMM_TEST_INTER: Symbol = Symbol::named(c"PMPI_Comm_test_inter");
static TOPO_TEST: Symbol = Symbol::named(c"PMPI_Topo_test");
static CARTDIM_GET: Symbol = Symbol::named(c"PMPI_Cartdim_get");
static GRAPH_NEIGHBORS_COUNT: Symbol = Symbol::named(c"PMPI_Graph_neighbors_count");
static DIST_GRAPH_NEIGHBORS_COUNT: Symbol = Symbol::named(c"PMPI_Dist_graph_neighbors_count");
/// Variables that tell the implementations apart, and that stand for values.
pub static OMPI_COMM_WORLD: Symbol = Symbol::named(c"ompi_mpi_comm_world");
static OMPI_DATATYPE_NULL: Symbol = Symbol::named(c"ompi_mpi_datatype_null");
static OMPI_FORTRAN_IN_PLACE: [Symbol; 4] = [
    Symbol::named(c"mpi_fortran_in_place_"),
    Symbol::named(c"mpi_fortran_in_place"),
    Symbol::named(c"mpi_fortran_in_place__"),
    Symbol::named(c"MPI_FORTRAN_IN_PLACE"),
];
static MPICH_FORTRAN_IN_PLACE: Symbol = Symbol::named(c"MPIR_F_MPI_IN_PLACE");
static MPICH_F08_IN_PLACE: Symbol = Symbol::named(c"MPIR_F08_MPI_IN_PLACE");

/// `MPI_DIST_GRAPH`, in Open MPI and in MPICH.
const DIST_GRAPH: c_int = 3;

/// `MPI_DATATYPE_NULL` of MPICH and its kin.
const MPICH_DATATYPE_NULL: u32 = 0x0c00_0000;

/// Calls a function of two arguments that stores an `int`; 0 if MPI has no such function or refuses.
fn ask(function: &Symbol, handle: usize) -> c_int {
    let Some(function) = function.find() else { return 0 };
    let mut answer: c_int = 0;
    // SAFETY: MPI's function of a handle and an address; the handle is one that MPI reads in the program's call.
    let done = unsafe {
        let function: unsafe extern "C" fn(usize, *mut c_int) -> c_int = std::mem::transmute(function);
        function(handle, &raw mut answer)
    };
    if done == 0 { answer } else { 0 }
}

/// The handle of C for one of Fortran's.
fn converted(function: &Symbol, handle: c_int) -> usize {
    // MPICH's handles are the same in both languages, and MPICH has no such function.
    let Some(function) = function.find() else { return handle as u32 as usize };
    // SAFETY: MPI's function of an integer that returns a handle.
    unsafe {
        let function: unsafe extern "C" fn(c_int) -> usize = std::mem::transmute(function);
        function(handle)
    }
}

/// The processes that the calling one sends to in a communicator's topology (MPI 4.0, chapter 8).
fn out_degree(comm: usize) -> u64 {
    let kind = ask(&TOPO_TEST, comm);
    let (cart, graph) = if is_open_mpi() { (1, 2) } else { (2, 1) };
    let degree = if kind == cart {
        // One on each side in each dimension, `MPI_PROC_NULL` at an edge.
        ask(&CARTDIM_GET, comm).saturating_mul(2)
    } else if kind == graph {
        let Some(function) = GRAPH_NEIGHBORS_COUNT.find() else { return 0 };
        let mut count: c_int = 0;
        // SAFETY: MPI's function of a communicator, a rank and an address; the communicator has a graph.
        let done = unsafe {
            let function: unsafe extern "C" fn(usize, c_int, *mut c_int) -> c_int = std::mem::transmute(function);
            function(comm, ask(&COMM_RANK, comm), &raw mut count)
        };
        if done == 0 { count } else { 0 }
    } else if kind == DIST_GRAPH {
        let Some(function) = DIST_GRAPH_NEIGHBORS_COUNT.find() else { return 0 };
        let (mut sources, mut destinations, mut weighted): (c_int, c_int, c_int) = (0, 0, 0);
        // SAFETY: MPI's function of a communicator and three addresses; the communicator has such a graph.
        let done = unsafe {
            let function: unsafe extern "C" fn(usize, *mut c_int, *mut c_int, *mut c_int) -> c_int =
                std::mem::transmute(function);
            function(comm, &raw mut sources, &raw mut destinations, &raw mut weighted)
        };
        if done == 0 { destinations } else { 0 }
    } else {
        0
    };
    degree.max(0) as u64
}

/// Whether the implementation is Open MPI, whose handles are addresses.
pub fn is_open_mpi() -> bool {
    OMPI_COMM_WORLD.find().is_some()
}

impl At {
    /// Nothing is moved.
    pub fn none(self) -> Traffic {
        Traffic { bytes: 0, partner: -1 }
    }

    /// A partner, and nothing is moved.
    pub fn with(self, rank: usize) -> Traffic {
        Traffic { bytes: 0, partner: self.partner(rank) }
    }

    /// So many elements to a partner, or from the root. Nothing for `MPI_PROC_NULL`, nor in a group of an
    /// intercommunicator that has no part: these ranks are negative.
    pub fn to(self, rank: usize, count: usize, datatype: usize) -> Traffic {
        let partner = self.partner(rank);
        let bytes = if partner < 0 { 0 } else { self.amount(count, datatype) };
        Traffic { bytes, partner }
    }

    /// Room for so many elements from a partner, or from any.
    pub fn from(self, rank: usize, count: usize, datatype: usize) -> Traffic {
        let rank = self.int(rank);
        let proc_null = if is_open_mpi() { -2 } else { -1 };
        let bytes = if rank == proc_null { 0 } else { self.amount(count, datatype) };
        Traffic { bytes, partner: i64::from(rank).max(-1) }
    }

    /// So many elements.
    pub fn all(self, count: usize, datatype: usize) -> Traffic {
        Traffic { bytes: self.amount(count, datatype), partner: -1 }
    }

    /// A buffer to or from a root, or the other one if the first is in place.
    pub fn root(self, root: usize, first: Buffer, other: Option<Buffer>) -> Traffic {
        let partner = self.partner(root);
        let bytes = if partner < 0 { 0 } else { self.either(first, other) };
        Traffic { bytes, partner }
    }

    /// A buffer; nothing if the buffer is in place, because the counts of the others do not say which is the process's.
    pub fn in_place_or(self, buffer: Buffer) -> Traffic {
        Traffic { bytes: self.either(buffer, None), partner: -1 }
    }

    /// A buffer to each of `times` processes of the communicator, or the other one if the first is in place.
    pub fn each(self, first: Buffer, other: Buffer, times: usize) -> Traffic {
        Traffic { bytes: self.either(first, Some(other)).saturating_mul(times as u64), partner: -1 }
    }

    /// Counts for each of `size` processes, or the other ones if the first buffer is in place.
    pub fn counts(self, first: Buffer, other: Buffer, size: usize) -> Traffic {
        let [_, counts, datatype] = if self.is_in_place(first[0]) { other } else { first };
        let all: u64 = (0..size).map(|rank| self.int_at(counts, rank).max(0) as u64).sum();
        // Without elements, the type may be anything.
        let bytes = if all == 0 { 0 } else { all.saturating_mul(self.size_of(self.datatype(datatype))) };
        Traffic { bytes, partner: -1 }
    }

    /// As [`counts`](Self::counts), with a type for each process as well.
    pub fn counts_and_types(self, first: Buffer, other: Buffer, size: usize) -> Traffic {
        let [_, counts, types] = if self.is_in_place(first[0]) { other } else { first };
        let of = |rank| {
            let count = self.int_at(counts, rank).max(0) as u64;
            if count == 0 { 0 } else { count.saturating_mul(self.size_of(self.datatype_at(types, rank))) }
        };
        Traffic { bytes: (0..size).map(of).sum(), partner: -1 }
    }

    /// The processes that a communicator reaches: those of the other group if it is an intercommunicator.
    pub fn size(self, comm: usize) -> usize {
        let comm = self.comm(comm);
        let size = if ask(&COMM_TEST_INTER, comm) == 0 { &COMM_SIZE } else { &COMM_REMOTE_SIZE };
        ask(size, comm).max(0) as usize
    }

    /// The processes of the caller's own group. Calls that scatter a reduction have counts for these alone, also on an
    /// intercommunicator.
    pub fn own_size(self, comm: usize) -> usize {
        ask(&COMM_SIZE, self.comm(comm)).max(0) as usize
    }

    /// So many elements to each neighbor that the process sends to in the communicator's topology.
    pub fn neighbors(self, count: usize, datatype: usize, comm: usize) -> Traffic {
        let bytes = self.amount(count, datatype);
        let times = if bytes == 0 { 0 } else { out_degree(self.comm(comm)) };
        Traffic { bytes: bytes.saturating_mul(times), partner: -1 }
    }

    /// The handle of C for a communicator.
    fn comm(self, word: usize) -> usize {
        match self.0 {
            Language::C => word,
            Language::Fortran | Language::Descriptors => converted(&COMM_F2C, self.int(word)),
        }
    }

    fn either(self, first: Buffer, other: Option<Buffer>) -> u64 {
        if !self.is_in_place(first[0]) {
            return self.amount(first[1], first[2]);
        }
        other.map_or(0, |other| self.amount(other[1], other[2]))
    }

    fn partner(self, rank: usize) -> i64 {
        i64::from(self.int(rank)).max(-1)
    }

    /// Bytes of so many elements.
    fn amount(self, count: usize, datatype: usize) -> u64 {
        let count = self.int(count).max(0) as u64;
        if count == 0 { 0 } else { count.saturating_mul(self.size_of(self.datatype(datatype))) }
    }

    /// Bytes of an element. MPI would call the error handler for the null handle.
    fn size_of(self, datatype: usize) -> u64 {
        let null = match OMPI_DATATYPE_NULL.find() {
            Some(null) => null == datatype,
            None => datatype as u32 == MPICH_DATATYPE_NULL,
        };
        if null { 0 } else { ask(&TYPE_SIZE, datatype).max(0) as u64 }
    }

    fn int(self, word: usize) -> c_int {
        match self.0 {
            Language::C => word as c_int,
            // SAFETY: Fortran passes the address of the integer.
            Language::Fortran | Language::Descriptors => unsafe { (word as *const c_int).read() },
        }
    }

    /// An integer of an array, which both languages pass by its address.
    fn int_at(self, array: usize, index: usize) -> c_int {
        // SAFETY: MPI reads as many integers there as the communicator has processes.
        unsafe { (array as *const c_int).add(index).read() }
    }

    fn datatype(self, word: usize) -> usize {
        match self.0 {
            Language::C => word,
            Language::Fortran | Language::Descriptors => converted(&TYPE_F2C, self.int(word)),
        }
    }

    fn datatype_at(self, array: usize, index: usize) -> usize {
        match self.0 {
            // SAFETY: as in `int_at`.
            Language::C if is_open_mpi() => unsafe { (array as *const usize).add(index).read() },
            Language::C => self.int_at(array, index) as u32 as usize,
            Language::Fortran | Language::Descriptors => converted(&TYPE_F2C, self.int_at(array, index)),
        }
    }

    /// Whether a buffer is `MPI_IN_PLACE`.
    fn is_in_place(self, buffer: usize) -> bool {
        match self.0 {
            Language::C => buffer == if is_open_mpi() { 1 } else { usize::MAX },
            Language::Fortran if is_open_mpi() => {
                OMPI_FORTRAN_IN_PLACE.iter().any(|symbol| symbol.find() == Some(buffer))
            }
            Language::Fortran => MPICH_FORTRAN_IN_PLACE.find().is_some_and(|variable| {
                // SAFETY: MPICH's variable holds the address that stands for the value.
                let address = unsafe { *(variable as *const usize) };
                address == buffer
            }),
            // SAFETY: a descriptor begins with the address of its data.
            Language::Descriptors => MPICH_F08_IN_PLACE.find() == Some(unsafe { *(buffer as *const usize) }),
        }
    }
}
