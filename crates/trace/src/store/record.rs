//! The records of a thread: one a event, with the OMPT argument values that reports need.
//! One table here defines tags and fields; encoder and decoder are generated from it (OpenMP 5.1, section 4.5.2). Some
//! records have a short form as well: see [`short`](super::short).

use super::codec::{Decoder, Encoder, Tasks};

/// Declares [`Record`] and its encoding. A field is `id` (delta against the thread's last id), `address` (delta against
/// its last code address), `wait` (delta against its last wait id) or `number` (as it is).
macro_rules! records {
    ($( $(#[$doc:meta])* $tag:literal $name:ident { $( $(#[$field_doc:meta])* $field:ident: $coding:ident ),*
        $(,)? } )*) => {
        /// One event, without its time. Ids are the recorder's own, unique in a process and never 0; an id of 0 means
        /// that the runtime gave none. Kinds, flags and statuses have OMPT's values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Record {
            $( $(#[$doc])* $name { $( $(#[$field_doc])* $field: u64 ),* } ),*
        }

        impl Record {
            /// The tags of the records in full.
            pub(super) const TAGS: &[u8] = &[$($tag),*];

            /// Appends tag, time and fields.
            #[inline(always)]
            pub(super) fn encode_in_full(&self, time: u64, to: &mut Encoder<'_>) {
                match *self {
                    $( Record::$name { $($field),* } => {
                        to.tag($tag);
                        to.time(time);
                        $( to.$coding($field); )*
                    } ),*
                }
            }

            /// Reads what follows the tag: the record and its time in ticks. `note` notes the record for later ones.
            #[inline(always)]
            pub(super) fn decode_in_full(
                tag: u8,
                from: &mut Decoder<'_>,
                note: impl Fn(&mut Tasks, &Record),
            ) -> Option<(u64, Record)> {
                match tag {
                    $( $tag => {
                        let time = from.time()?;
                        let record = Record::$name { $( $field: from.$coding()? ),* };
                        note(from.tasks(), &record);
                        Some((time, record))
                    } ),*
                    _ => None,
                }
            }
        }
    };
}

records! {
    /// The thread became an OpenMP thread.
    1 ThreadBegin {
        /// `ompt_thread_t`.
        kind: number
    }
    /// The thread ends.
    2 ThreadEnd {}
    /// A task encountered a parallel construct.
    3 ParallelBegin {
        /// The new region.
        parallel: id,
        /// The encountering task.
        task: id,
        /// Requested threads.
        requested: number,
        /// `ompt_parallel_flag_t`.
        flags: number,
        /// The construct.
        codeptr: address,
    }
    /// The region is over for the thread that encountered it.
    4 ParallelEnd {
        /// The region.
        parallel: id,
        /// The construct.
        codeptr: address,
    }
    /// The thread starts its implicit (or initial) task.
    5 ImplicitTaskBegin {
        /// The region; 0 if none was given.
        parallel: id,
        /// The task.
        task: id,
        /// Threads of the team.
        team: number,
        /// The thread's number in the team.
        index: number,
        /// `ompt_task_flag_t`.
        flags: number,
    }
    /// The implicit (or initial) task is over.
    6 ImplicitTaskEnd {
        /// The task.
        task: id,
        /// The thread's number in the team.
        index: number,
    }
    /// A task was created.
    7 TaskCreate {
        /// The task that created it.
        parent: id,
        /// The new task.
        task: id,
        /// `ompt_task_flag_t`.
        flags: number,
        /// 1 if it has dependences.
        dependences: number,
        /// The construct.
        codeptr: address,
    }
    /// The thread switches from one task to another.
    8 TaskSchedule {
        /// The task that it ran before.
        prior: id,
        /// `ompt_task_status_t` of that one.
        status: number,
        /// The task it runs now; 0 if none.
        next: id,
    }
    /// A synchronising construct was entered.
    9 SyncBegin {
        /// `ompt_sync_region_t`.
        kind: number,
        /// The construct.
        codeptr: address,
    }
    /// A synchronisation region was left.
    10 SyncEnd {
        /// `ompt_sync_region_t`.
        kind: number
    }
    /// Waiting in a synchronising construct begins.
    11 WaitBegin {
        /// `ompt_sync_region_t`.
        kind: number,
        /// The construct.
        codeptr: address,
    }
    /// Waiting ends.
    12 WaitEnd {
        /// `ompt_sync_region_t`.
        kind: number
    }
    /// A worksharing region was entered.
    13 WorkBegin {
        /// `ompt_work_t`.
        kind: number,
        /// Iterations, sections or tasks; its meaning depends on the kind.
        count: number,
        /// The construct.
        codeptr: address,
    }
    /// A work region was left.
    14 WorkEnd {
        /// `ompt_work_t`.
        kind: number
    }
    /// A masked region was entered.
    15 MaskedBegin {
        /// The construct.
        codeptr: address
    }
    /// A masked region was left.
    16 MaskedEnd {}
    /// A thread asks for a lock, critical, ordered or atomic region.
    17 MutexAcquire {
        /// `ompt_mutex_t`.
        kind: number,
        /// Which one.
        wait: wait,
        /// The construct or call.
        codeptr: address,
    }
    /// The thread has acquired it.
    18 MutexAcquired {
        /// `ompt_mutex_t`.
        kind: number,
        /// Which one.
        wait: wait,
    }
    /// The thread has released it.
    19 MutexReleased {
        /// `ompt_mutex_t`.
        kind: number,
        /// Which one.
        wait: wait,
    }
    /// A lock was initialised.
    20 LockInit {
        /// `ompt_mutex_t`.
        kind: number,
        /// Which one.
        wait: wait,
        /// The call.
        codeptr: address,
    }
    /// A lock was destroyed.
    21 LockDestroy {
        /// `ompt_mutex_t`.
        kind: number,
        /// Which one.
        wait: wait,
    }
    /// The owner of a nest lock acquired it again (endpoint 1), or released it and still holds it (2).
    22 NestLock {
        /// `ompt_scope_endpoint_t`.
        endpoint: number,
        /// Which one.
        wait: wait,
    }
    /// A region or taskgroup was cancelled.
    23 Cancel {
        /// `ompt_cancel_flag_t`.
        flags: number,
        /// The construct.
        codeptr: address,
    }
    /// The program called `omp_control_tool`.
    24 ControlTool {
        /// The first argument.
        command: number,
        /// The second argument.
        modifier: number,
        /// The call.
        codeptr: address,
    }
    /// A reduction by this thread begins (endpoint 1) or ends (2).
    25 Reduction {
        /// `ompt_scope_endpoint_t`.
        endpoint: number,
        /// The construct.
        codeptr: address,
    }
    /// A dependence between two tasks that delays the second.
    26 TaskDependence {
        /// The task waited for.
        source: id,
        /// The task that waits.
        sink: id,
    }
    /// A device construct was entered.
    27 TargetBegin {
        /// The region.
        target: id,
        /// `ompt_target_t`.
        kind: number,
        /// The construct's device.
        device: number,
        /// The construct.
        codeptr: address,
    }
    /// The construct was left.
    28 TargetEnd {
        /// The region.
        target: id,
    }
    /// The host begins an operation on a device's data.
    29 DataOpBegin {
        /// The operation.
        op: number,
        /// `ompt_target_data_op_t`.
        kind: number,
        /// The device.
        device: number,
        /// How much.
        bytes: number,
        /// The construct or call.
        codeptr: address,
    }
    /// The host has begun the operation, or waited for it.
    30 DataOpEnd {
        /// The operation.
        op: number,
    }
    /// The host begins to launch a kernel.
    31 SubmitBegin {
        /// The operation.
        op: number,
        /// Requested teams; 0 for any number.
        teams: number,
    }
    /// The host has launched the kernel.
    32 SubmitEnd {
        /// The operation.
        op: number,
    }
    /// What follows in this file happened on a device: the first record of such a file.
    33 OnDevice {
        /// The device.
        device: number,
        /// 0 for the device's operations, otherwise the device's own number of one of its threads.
        thread: number,
    }
    /// The device has carried out an operation, `late` nanoseconds before the time of this record.
    34 Operation {
        /// The host's number of the operation; 0 if the host gave none.
        op: number,
        /// `ompt_target_data_op_t`; 0 for a kernel.
        kind: number,
        /// Bytes of data, teams of a kernel.
        amount: number,
        /// Nanoseconds between its end and the time of this record.
        late: number,
        /// The operation's duration in nanoseconds.
        length: number,
    }
    /// No event: from here on, the constructs that this thread encounters at `codeptr` have this function. Of regions,
    /// tasks and target constructs alone, and only where the runtime knows their functions.
    35 Function {
        /// The construct, as its own record names it.
        codeptr: address,
        /// The address of its function; 0 if it is not known.
        function: address,
    }
    /// No event: who called the code that encountered the construct of the last [`Record::Function`], when a thread
    /// came there for the first time. One record a caller, the innermost first.
    60 Caller {
        /// The return address in the caller.
        address: address
    }
    /// A thread calls a function of MPI.
    61 MpiBegin {
        /// Which one; see [`mpi::name`](super::mpi::name).
        call: number,
        /// Bytes that the process hands over, or for which it has room in a call that only receives.
        bytes: number,
        /// The rank of the other process or of the root in the call's communicator, plus one; 0 for none or any.
        partner: number,
        /// The call.
        codeptr: address,
    }
    /// The function of MPI has returned.
    62 MpiEnd {
        /// Which one.
        call: number
    }
    /// No event: what the thread has used since its last such record, or, in the first one, zeros and the CPU.
    36 Usage {
        /// Nanoseconds on a CPU.
        cpu_ns: number,
        /// Switches to other threads because this one waited or slept.
        voluntary: number,
        /// Switches to other threads because the system took the CPU away.
        involuntary: number,
        /// Page faults that needed no device.
        minor_faults: number,
        /// Page faults that waited for a device.
        major_faults: number,
        /// The CPU at the time of the record.
        cpu: number,
    }
    /// No event: the chunks of the worksharing region that the thread is about to leave. A chunk lasts until the
    /// thread is given the next chunk, or leaves the region.
    37 Chunks {
        /// How many.
        chunks: number,
        /// Iterations of all chunks.
        iterations: number,
        /// Iterations of the largest chunk.
        largest: number,
        /// Time of all chunks in nanoseconds.
        total_ns: number,
        /// The shortest.
        min_ns: number,
        /// The longest.
        max_ns: number,
    }
    /// No event: how many chunks of the record [`Record::Chunks`] that follows were about so long. A region with at
    /// most two chunks has no such record: the shortest and the longest are all.
    38 ChunkLengths {
        /// The length in nanoseconds is at least 2 to this power, and less than twice that; 0 also stands for 0 ns.
        octave: number,
        /// How many.
        chunks: number,
    }
    /// No event: the thread has executed sections of the sections region that it is in.
    39 Section {
        /// The number of the first of them in its construct, from 1; 0 if the runtime does not tell, or for the sum of
        /// sections that are too many to be recorded one by one.
        section: number,
        /// How many: more than 1 for such a sum, and if the compiler gives a thread several sections at once.
        count: number,
        /// Nanoseconds.
        ns: number,
    }
    /// No event: the thread is given a chunk of the worksharing region that it is in. Only if each chunk is recorded.
    40 Chunk {
        /// The first iteration, counted from 0.
        first: number,
        /// How many.
        iterations: number,
    }
    /// No event: what a counter of the thread has counted since its last such record.
    41 Counter {
        /// The place of the counter's name in `meta.json`.
        counter: number,
        /// The count; an estimate if the share is less than 100.
        value: number,
        /// In how many percent of the time the counter was on the CPU; 0 if it never was, and nothing is known.
        share: number,
    }
}
