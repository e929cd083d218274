//! Prints `include/omp-tools.h`: OMPT and OMPD in C, for tools written in C and C++ (OpenMP 5.1, chapters 4 and 5).
//! `cargo xtask generate` puts the output in its place.

mod c;
mod ompd_part;
mod ompt_part;

fn main() {
    print!("{OPENING}{}{}{CLOSING}", ompt_part::text(), ompd_part::text());
}

const OPENING: &str = "\
/*
 * omp-tools.h: OMPT and OMPD of OpenMP 5.1 (chapters 4 and 5) for tools and debuggers written in C or C++, with the values and
 * entry points of OpenMP 5.2 and 6.0, each marked as such.
 *
 * A tool of OMPT defines ompt_start_tool() and is found in the program's address space or through OMP_TOOL_LIBRARIES. Everything
 * else is reached by the lookup function that its initialiser is given. A debugger loads the library that ompd_dll_locations of the
 * program names, and calls what stands under OMPD. Section numbers are those of the specification.
 *
 * Written by `cargo xtask generate` from the crates ferromp-ompt and ferromp-ompd; changes belong there.
 */
#if !defined(FERROMP_OMP_TOOLS_H) && !defined(__OMPT__)
#define FERROMP_OMP_TOOLS_H
/* The mark of other implementations' header of this name: a second one must not define all of it again. */
#define __OMPT__

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern \"C\" {
#endif
";

const CLOSING: &str = "
#ifdef __cplusplus
}
#endif

#endif
";
