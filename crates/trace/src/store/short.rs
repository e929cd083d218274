//! Short forms of records: a task that is created like the task before, its start where it was created, and its end.
//! What a short form leaves out is what an earlier record of the same chunk says. A reader gets the same [`Record`]s.

use super::codec::{Coded, Decoder, Encoder, Tasks};
use super::record::Record;
use super::task_status::{COMPLETE, SWITCH};

/// As the last [`Record::TaskCreate`], with the next id. The tag is followed by the time.
const CREATED_AGAIN: u8 = 63;
/// The task that was created last starts where it was created, at the time of the last record. The tag is all.
const STARTED: u8 = 64;
/// The task that the last [`Record::TaskSchedule`] has started is complete, and the task before goes on. The tag is
/// followed by the time.
const ENDED: u8 = 65;
/// A [`Record::TaskCreate`] with the flags of the last one, and no dependences. The tag is followed by the time and the
/// other fields.
const CREATED_ALIKE: u8 = 66;

// A record with such a tag would be taken for a short form.
const _: () = {
    let mut index = 0;
    while index < Record::TAGS.len() {
        assert!(Record::TAGS[index] < CREATED_AGAIN || Record::TAGS[index] > CREATED_ALIKE);
        index += 1;
    }
};

/// Notes what short forms of later records leave out. Encoder and decoder do so after each record, also after a short
/// form.
#[inline(always)]
fn note(tasks: &mut Tasks, record: &Record) {
    match *record {
        Record::TaskCreate { parent, task, flags, dependences: 0, codeptr } => {
            (tasks.parent, tasks.task, tasks.flags, tasks.codeptr) = (parent, task, flags, codeptr);
        }
        Record::TaskSchedule { prior, next, .. } => (tasks.prior, tasks.next) = (prior, next),
        _ => {}
    }
}

impl Coded for Record {
    #[inline(always)]
    fn encode(&self, time: u64, to: &mut Encoder<'_>) {
        if !encode(self, time, to) {
            self.encode_in_full(time, to);
            note(&mut to.last().tasks, self);
        }
    }

    // In line, because a record that is handed over in memory is copied in larger pieces than it was written in, and
    // the CPU waits for that.
    #[inline(always)]
    fn decode(from: &mut Decoder<'_>) -> Option<(u64, Record)> {
        let tag = from.tag()?;
        match tag {
            CREATED_AGAIN..=CREATED_ALIKE => decode(tag, from),
            _ => Record::decode_in_full(tag, from, note),
        }
    }
}

/// Writes the short form of a record at `time`, in ticks. False if the record has none, and must be written in full.
#[inline(always)]
fn encode(record: &Record, time: u64, to: &mut Encoder<'_>) -> bool {
    let last = *to.last();
    let tasks = last.tasks;
    match *record {
        Record::TaskCreate { parent, task, flags, dependences, codeptr } => {
            if (flags ^ tasks.flags) | dependences != 0 {
                return false;
            }
            if (parent ^ tasks.parent) | (task ^ tasks.task.wrapping_add(1)) | (codeptr ^ tasks.codeptr) == 0 {
                to.tag(CREATED_AGAIN);
                to.time(time);
                to.last().tasks.task = task;
            } else {
                to.tag(CREATED_ALIKE);
                to.time(time);
                to.id(parent);
                to.id(task);
                to.address(codeptr);
                note(&mut to.last().tasks, record);
            }
        }
        Record::TaskSchedule { prior, status: SWITCH, next }
            if time == last.time && (prior ^ tasks.parent) | (next ^ tasks.task) == 0 =>
        {
            to.tag(STARTED);
            note(&mut to.last().tasks, record);
        }
        Record::TaskSchedule { prior, status: COMPLETE, next } if (prior ^ tasks.next) | (next ^ tasks.prior) == 0 => {
            to.tag(ENDED);
            to.time(time);
            note(&mut to.last().tasks, record);
        }
        _ => return false,
    }
    true
}

/// Reads a record with the tag of a short form, and its time in ticks. `None` for any other tag.
#[inline(always)]
fn decode(tag: u8, from: &mut Decoder<'_>) -> Option<(u64, Record)> {
    let Tasks { parent, task, flags, codeptr, prior, next } = from.last().tasks;
    let decoded = match tag {
        CREATED_AGAIN => {
            let task = task.wrapping_add(1);
            (from.time()?, Record::TaskCreate { parent, task, flags, dependences: 0, codeptr })
        }
        CREATED_ALIKE => {
            let (time, parent, task, codeptr) = (from.time()?, from.id()?, from.id()?, from.address()?);
            (time, Record::TaskCreate { parent, task, flags, dependences: 0, codeptr })
        }
        STARTED => (from.last().time, Record::TaskSchedule { prior: parent, status: SWITCH, next: task }),
        ENDED => (from.time()?, Record::TaskSchedule { prior: next, status: COMPLETE, next: prior }),
        _ => return None,
    };
    note(from.tasks(), &decoded.1);
    Some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::codec::{Last, RECORD_RESERVE};
    use proptest::prelude::*;

    /// The bytes of these records.
    fn encoded(records: &[(u64, Record)]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut last = Last::default();
        for (time, record) in records {
            let mut buffer = [0u8; RECORD_RESERVE];
            // SAFETY: the buffer has the reserve, and one record is written.
            let mut encoder = unsafe { Encoder::new(buffer.as_mut_ptr(), &mut last) };
            record.encode(*time, &mut encoder);
            let used = encoder.end() as usize - buffer.as_ptr() as usize;
            bytes.extend_from_slice(&buffer[..used]);
        }
        bytes
    }

    fn decoded(bytes: &[u8]) -> Vec<(u64, Record)> {
        let mut decoder = Decoder::new(bytes, 0);
        std::iter::from_fn(|| Record::decode(&mut decoder)).collect()
    }

    fn create(parent: u64, task: u64) -> Record {
        Record::TaskCreate { parent, task, flags: 0x0800_0004, dependences: 0, codeptr: 0x5555_1000 }
    }

    fn switch(prior: u64, status: u64, next: u64) -> Record {
        Record::TaskSchedule { prior, status, next }
    }

    #[test]
    fn a_task_in_place_takes_five_bytes() {
        let tasks = |count: u64| -> Vec<(u64, Record)> {
            let task = |n: u64| {
                let (time, task) = (200 * n, 100 + n);
                [(time, create(7, task)), (time, switch(7, SWITCH, task)), (time + 100, switch(task, COMPLETE, 7))]
            };
            (1..=count).flat_map(task).collect()
        };
        assert_eq!(encoded(&tasks(11)).len() - encoded(&tasks(1)).len(), 10 * 5);
        assert_eq!(decoded(&encoded(&tasks(11))), tasks(11));
    }

    /// Records that are often, but not always, as a short form has them.
    fn records() -> impl Strategy<Value = Vec<(u64, Record)>> {
        let record = (0u64..6, 0u64..3, 0u64..3, prop::sample::select(vec![0, COMPLETE, SWITCH]));
        prop::collection::vec((0u64..2, record), 0..60).prop_map(|choices| {
            let (mut time, mut task) = (0, 0);
            let record = |(step, (kind, a, b, status)): (u64, (u64, u64, u64, u64))| {
                time += step * 300;
                let record = match kind {
                    0 | 1 => {
                        task += 1 + a / 2;
                        let (flags, dependences) = (4 + status % 2, u64::from(status == SWITCH));
                        Record::TaskCreate { parent: b / 2, task, flags, dependences, codeptr: 64 * (a / 2) }
                    }
                    2 | 3 => switch(b / 2, status, task),
                    4 => switch(task - a.min(task), status, b / 2),
                    _ => Record::ImplicitTaskEnd { task: a, index: b },
                };
                (time, record)
            };
            choices.into_iter().map(record).collect()
        })
    }

    proptest! {
        #[test]
        fn records_come_back(records in records()) {
            prop_assert_eq!(decoded(&encoded(&records)), records);
        }
    }
}
