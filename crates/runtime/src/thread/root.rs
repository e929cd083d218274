//! Root threads: those that the runtime did not create and that entered a door. Each has an initial
//! task in a team of one (OpenMP 5.1 §1.3).
