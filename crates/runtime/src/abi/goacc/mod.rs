//! OpenACC as gcc and gfortran compile it: `GOACC_*`, and the `acc_*` routines of its `openacc.h` and `openacc` module.
//! The signatures are those of libgomp's `libgomp_g.h`, `openacc.h`, `acc_prof.h` and `openacc.f90`.

mod constructs;
mod data;
mod devices;
mod fortran;
mod profile;
mod queues;
