//! Which construct of the program a record is about. The address of the call alone does not say: gcc lets constructs
//! share lines, and a function of the program may call the runtime for several constructs.

use crate::store::Record;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// A construct, or a call of a routine, in the code of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site {
    /// Return address of the construct's call into the runtime; 0 if the runtime gave none.
    pub codeptr: u64,
    /// Address of the function that the compiler has made of the construct; 0 if it is not known. Of a target
    /// construct, it may be the address that identifies the region's code.
    pub function: u64,
}

/// A construct without a function of its own, such as a critical construct.
impl From<u64> for Site {
    fn from(codeptr: u64) -> Site {
        Site { codeptr, function: 0 }
    }
}

/// The functions of the constructs that one thread encounters, as far as its records have been read.
#[derive(Clone, Default)]
pub(crate) struct Functions {
    /// The last function that was recorded for each return address.
    last: FxHashMap<u64, u64>,
}

impl Functions {
    /// Takes the thread's next record. Returns the site of the construct that begins with the record; for other
    /// records, a site without addresses.
    #[inline]
    pub fn site(&mut self, record: &Record) -> Site {
        let is_about_one = matches!(
            record,
            Record::Function { .. }
                | Record::ParallelBegin { .. }
                | Record::TaskCreate { .. }
                | Record::TargetBegin { .. }
        );
        if is_about_one { self.site_of(record) } else { Site::default() }
    }

    fn site_of(&mut self, record: &Record) -> Site {
        match *record {
            Record::Function { codeptr, function } => {
                self.last.insert(codeptr, function);
                Site::default()
            }
            Record::ParallelBegin { codeptr, .. }
            | Record::TaskCreate { codeptr, .. }
            | Record::TargetBegin { codeptr, .. } => {
                Site { codeptr, function: self.last.get(&codeptr).copied().unwrap_or(0) }
            }
            _ => Site::default(),
        }
    }
}
