//! Arguments of `ferromp system`.

use clap::ValueEnum;

const SYSTEM_HELP: &str = "\
Examples:
  ferromp system status            which runtimes the programs find
  sudo ferromp system enable       ./app runs on ferromp, without ferromp run
  sudo ferromp system disable      all is as before

enable names the folder PREFIX/lib/system first in the loader's list, in
/etc/ld.so.conf.d/00-ferromp.conf, and renews the loader's cache. That folder
has the runtime as libgomp.so.1, libomp.so.5 and libiomp5.so. No file of another
package is touched, and disable removes the one file. Programs that look
elsewhere (RUNPATH, LD_LIBRARY_PATH, a runtime of their own as in Python wheels)
keep their runtime. `ferromp run` reaches them too, and remains the usual way.

The loader's list counts for setuid programs as well. enable therefore refuses
libraries and folders that others than root can write, and names them.";

/// Arguments of `ferromp system`.
#[derive(clap::Args)]
#[command(after_help = SYSTEM_HELP)]
pub struct SystemArgs {
    /// What to do
    #[arg(value_name = "ACTION")]
    pub action: SystemAction,
}

/// What can be done with the machine's runtime.
#[derive(Clone, Copy, ValueEnum)]
pub enum SystemAction {
    /// Programs find ferromp under the names of the other runtimes; for root
    Enable,
    /// Programs find what they found before; for root
    Disable,
    /// Show what the loader finds under the names of the runtimes
    Status,
}
