//! What a followed recording leaves in its folder.

use super::{Keep, Stream};
use crate::reader::Trace;
use crate::store::lock::{self, State};
use crate::store::trimmed::{Kept, Trimmed};
use crate::store::{Folder, folder, trimmed};
use crate::symbols::Symbolizer;
use crate::{Error, cached};

impl Stream {
    /// Takes what is still there, and stores the summary of the whole run if the trace lacks events. Of a profile, the
    /// files of the threads are removed. Returns whether the process still runs, and so goes on recording.
    ///
    /// # Errors
    /// If the summary cannot be stored.
    pub fn store(&mut self) -> Result<bool, Error> {
        let runs = lock::state(self.dir()) == State::Runs;
        self.complete();
        let dir = self.dir().to_path_buf();
        let folder = Folder::open(&dir).map_err(Error::io(&dir))?;
        if !runs {
            folder.remove(lock::FOLLOWER).map_err(folder.error(lock::FOLLOWER))?;
        }
        let kept = match self.keep() {
            Keep::Nothing => Kept::None,
            _ if self.has_freed() => Kept::Newest,
            _ => return Ok(runs),
        };
        let mut symbols = Symbolizer::new(&Trace::open(&dir)?.modules);
        let summary = self.view(&mut |site| symbols.place(site)).summary;
        cached::write_whole(&folder, summary, &symbols)?;
        let (waited_ns, late) = (self.waited_ns(), self.late());
        Trimmed { kept, waited_ns, late, damage: self.damage().to_vec() }.write(&folder)?;
        if kept == Kept::None && !runs {
            for path in folder::files_of_threads(&dir)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                folder.remove(&name).map_err(Error::io(&path))?;
            }
            // A report of the program's first moments may have left its own.
            folder.remove(folder::SUMMARY).map_err(folder.error(folder::SUMMARY))?;
        }
        debug_assert!(dir.join(trimmed::SUMMARY).exists());
        Ok(runs)
    }
}
