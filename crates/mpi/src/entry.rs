//! Makes the entry points of a function of MPI: `MPI_Send` for C, and the names that Fortran compilers and the modules
//! of the implementations call.
//!
//! | name | who calls it |
//! | --- | --- |
//! | `mpi_send_`, `mpi_send__`, `mpi_send` | Fortran with `mpif.h` or the module `mpi`, by the compiler's names |
//! | `mpi_send_f08_` | the module `mpi_f08`; of MPICH those without buffers |
//! | `mpi_send_f08ts_` | the module `mpi_f08` of MPICH, whose buffers are descriptors |
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
                C, $number, concat!("PMPI_", $name, "\0"), concat!("MPI_", $name, "\0"), ($($argument),*), $at,
                $traffic, [concat!("MPI_", $name)]
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
                Fortran, $number, concat!("pmpi_", $lower, "_\0"), concat!("mpi_", $lower, "_\0"), ($($fortran),*),
                $at, $traffic, [concat!("mpi_", $lower, "_"), concat!("mpi_", $lower, "__"), concat!("mpi_", $lower)]
            );
        };
        const _: () = {
            entry::function!(
                Fortran, $number, concat!("pmpi_", $lower, "_f08_\0"), concat!("mpi_", $lower, "_f08_\0"),
                ($($fortran),*), $at, $traffic, [concat!("mpi_", $lower, "_f08_")]
            );
        };
        const _: () = {
            entry::function!(
                Descriptors, $number, concat!("pmpi_", $lower, "_f08ts_\0"), concat!("mpi_", $lower, "_f08ts_\0"),
                ($($fortran),*), $at, $traffic, [concat!("mpi_", $lower, "_f08ts_")]
            );
        };
    };
}
pub(crate) use fortran;

/// One function and its entry points.
macro_rules! function {
    ($language:ident, $number:literal, $profiled:expr, $plain:expr, ($($argument:ident),*), $at:ident, $traffic:expr,
        [$($export:expr),*]) => {
        unsafe extern "C" fn around($($argument: usize),*) -> usize {
            static REAL: Symbol = Symbol::profiled(entry::text($profiled), entry::text($plain));
            // SAFETY: MPI's function, with as many arguments of one word each.
            let real: unsafe extern "C" fn($(entry::word!($argument)),*) -> usize =
                unsafe { std::mem::transmute(REAL.get()) };
            let $at = At(Language::$language);
            let call = Call::begin($number, || $traffic);
            // SAFETY: the program's arguments.
            let result = unsafe { real($($argument),*) };
            call.end();
            result
        }
        $( const _: () = {
            // SAFETY: the body is assembly that keeps to the ABI. The name is MPI's, and this library stands for MPI.
            #[unsafe(naked)]
            #[unsafe(export_name = $export)]
            unsafe extern "C" fn entry_point() {
                arch::entry_point!(around)
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
