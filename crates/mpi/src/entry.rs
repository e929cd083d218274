//! Makes the entry points of a function of MPI: `MPI_Send` for C, and the names that Fortran compilers and the modules
//! of the implementations call.
//!
//! | name | who calls it |
//! | --- | --- |
//! | `mpi_send_`, `mpi_send__` | Fortran with `mpif.h` or the module `mpi`, by the compiler's names |
//! | `mpi_send_f08_` | the module `mpi_f08`; of MPICH those without buffers |
//! | `mpi_send_f08ts_` | the module `mpi_f08` of MPICH, whose buffers are descriptors |
//!
//! Compilers for x86-64 append an underscore to Fortran's names. The names without one belong to programs, such as a
//! helper `mpi_send` in C.
//!
//! Fortran's functions of Open MPI call `PMPI_Send`, those of MPICH call `MPI_Send` or `PMPI_Send`. All names have
//! entry points, so a call is noticed where the program makes it, and once.

/// Makes entry points. A row has the number of the call, its names, its arguments, and what the arguments say. Fortran
/// has one argument more, for the error; a row with other arguments lists them.
macro_rules! calls {
    ($( $(#[$doc:meta])* $number:literal $name:literal $lower:literal ($($argument:ident),*)
        $(fortran ($($fortran:ident),*))? |$at:ident| $traffic:expr; )*) => {
        $( const _: () = {
            entry::function!(
                C, $number, Symbol::profiled(entry::text(concat!("PMPI_", $name, "\0")),
                entry::text(concat!("MPI_", $name, "\0"))), ($($argument),*), $at, $traffic,
                [concat!("MPI_", $name)]
            );
        }; )*
        $( entry::fortran!(
            $number, $lower, ($($argument),*) ($($($fortran),*)?), $at, $traffic
        ); )*

        /// The numbers of the calls with their names.
        #[cfg(test)]
        const NAMES: &[(u64, &str)] = &[$( ($number, concat!("MPI_", $name)) ),*];
    };
}
pub(crate) use calls;

/// The entry points for Fortran, with the arguments of C and the error, or with others if there are any.
macro_rules! fortran {
    ($number:literal, $lower:literal, ($($argument:ident),*) (), $at:ident, $traffic:expr) => {
        entry::fortran!($number, $lower, ($($argument),*) ($($argument,)* ierror), $at, $traffic);
    };
    ($number:literal, $lower:literal, ($($argument:ident),*) ($($fortran:ident),+), $at:ident, $traffic:expr) => {
        const _: () = {
            entry::function!(
                Fortran, $number, Symbol::named(entry::text(concat!("pmpi_", $lower, "_\0"))), ($($fortran),*), $at,
                $traffic, [concat!("mpi_", $lower, "_"), concat!("mpi_", $lower, "__")]
            );
        };
        const _: () = {
            entry::function!(
                Fortran, $number, Symbol::profiled(entry::text(concat!("pmpi_", $lower, "_f08_\0")),
                entry::text(concat!("mpi_", $lower, "_f08_\0"))), ($($fortran),*), $at, $traffic,
                [concat!("mpi_", $lower, "_f08_")]
            );
        };
        const _: () = {
            entry::function!(
                Descriptors, $number, Symbol::profiled(entry::text(concat!("pmpi_", $lower, "_f08ts_\0")),
                entry::text(concat!("mpi_", $lower, "_f08ts_\0"))), ($($fortran),*), $at, $traffic,
                [concat!("mpi_", $lower, "_f08ts_")]
            );
        };
    };
}
pub(crate) use fortran;

/// One function and its entry points.
macro_rules! function {
    ($language:ident, $number:literal, $real:expr, ($($argument:ident),*), $at:ident, $traffic:expr,
        [$($export:expr),*]) => {
        static REAL: Symbol = $real;
        /// # Safety
        /// Called by the entry points alone, with the arguments of MPI's function.
        unsafe extern "C" fn around($($argument: usize),*) -> usize {
            // SAFETY: MPI's function, with as many arguments of one word each.
            let real: unsafe extern "C" fn($(entry::word!($argument)),*) -> usize =
                unsafe { std::mem::transmute(REAL.get()) };
            let $at = At(Language::$language);
            let mut frame = Frame::uninit();
            let call = Call::begin($number, &mut frame, || $traffic);
            // SAFETY: the program's arguments.
            let result = unsafe { real($($argument),*) };
            call.end();
            result
        }
        $( const _: () = {
            static ROUTE: Route = Route::new(around as *const (), &REAL, entry::text(concat!($export, "\0")));
            // SAFETY: the body is assembly that keeps to the ABI. The name is MPI's, and this library stands for MPI.
            #[unsafe(naked)]
            #[unsafe(export_name = $export)]
            unsafe extern "C" fn entry_point() {
                arch::entry_point!(ROUTE)
            }
        }; )*
    };
}
pub(crate) use function;

/// The type of an argument.
macro_rules! word {
    ($argument:ident) => {
        usize
    };
}
pub(crate) use word;

/// A text that ends with a zero.
pub const fn text(bytes: &'static str) -> &'static std::ffi::CStr {
    match std::ffi::CStr::from_bytes_with_nul(bytes.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("the text does not end with a zero"),
    }
}
