//! `ferromp run`: a program on ferromp's runtime, without recording.

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::prefix::Prefix;
use crate::program::{Obstacle, Program, obstacle};
use crate::{env, launch, say};

/// Replaces this command with the program. Returns only on failure.
pub fn perform(args: &RunArgs) -> Result<u8, Failure> {
    let prefix = Prefix::find()?;
    let program = Program::find(&args.program[0])?;
    refuse_unreachable("run", &program)?;
    let mut changes = env::runtime(&prefix)?;
    changes.extend(env::tools(&args.tool)?);
    Err(launch::replace(&program, &args.program, changes))
}

/// Fails if a preloaded runtime cannot reach the program. A static program without OpenMP may start other programs that
/// can be reached. Such a program gets a line and is started.
pub fn refuse_unreachable(verb: &str, program: &Program) -> Result<(), Failure> {
    let shown = program.loaded().display();
    match obstacle(program.loaded()) {
        None => Ok(()),
        Some(obstacle @ Obstacle::Static) => {
            say::note(format_args!("{shown}: {obstacle}; only programs that it starts can be reached"));
            Ok(())
        }
        Some(obstacle) => Err(Failure::new(format!("cannot {verb} {shown}: {obstacle}"))),
    }
}
