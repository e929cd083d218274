//! What a target construct keeps for tools: its identifier, its data word, the operation under way (OpenMP 5.1
//! §4.5.2.25–28).
//!
//! The part lies in the construct's own object: on the stack of a thread that waits for the construct, or in the memory
//! of its target task. A construct with `nowait` therefore has the part on whatever thread it ends.

use super::several;
use crate::model::atomic::{AtomicU64, Ordering};
use crate::objects::structures::{TargetTool, Task};
use ::ompt::{Data, ID_NONE, Id, Target, TargetDataOp};
use std::ffi::{CStr, c_int};

/// A number that no other construct, operation or call of `ompt_get_unique_id` gets (§4.6.1.18).
pub fn unique() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// What the host knows of an operation whose record a device writes. All zeros where no tool is active.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Note {
    /// The construct.
    pub target_id: Id,
    /// The operation.
    pub host_op_id: Id,
    /// Where in the program the construct is, or the call of a routine.
    pub codeptr: usize,
    /// When the host began the operation, by the clock of the device; 0 where the device is not traced.
    pub at: u64,
    /// Of a data operation: its kind (`ompt_target_data_op_t`), and the devices of its two addresses.
    pub operation: c_int,
    pub source_device: c_int,
    pub destination_device: c_int,
}

impl TargetTool {
    /// Whether operations may go on after the thread that began them has left the construct.
    pub(super) fn is_asynchronous(&self) -> bool {
        // The kinds of constructs with `nowait` have this bit besides.
        const NOWAIT: c_int = Target::TARGET_NOWAIT.0 - Target::TARGET.0;
        self.kind.get().0 & NOWAIT != 0
    }

    /// The data word of the target task. If that task was merged, a word of the construct's.
    pub(super) fn task_data(&self) -> *mut Data {
        self.data_of(self.task.get())
    }

    /// The data word of the task that encountered the construct.
    pub(super) fn generating_data(&self) -> *mut Data {
        self.data_of(self.generating.get())
    }

    /// The data word of `task`; a word of the construct's for null.
    fn data_of(&self, task: *const Task) -> *mut Data {
        // SAFETY: null, or the target task, which is not complete before the construct's end, or the task's parent,
        // whose header lasts as long as those of its children.
        unsafe { task.as_ref() }.map_or(self.merged.get(), |task| task.tool.data())
    }

    /// An operation begins, at this time of the device's clock; 0 where the device is not traced.
    pub(super) fn begin_operation(&self, began: u64) {
        self.began.set(began);
        // SAFETY: the construct is the calling thread's.
        unsafe { *self.word.get() = ID_NONE };
        self.operation.set(unique());
    }

    /// The operation is over.
    pub(super) fn end_operation(&self) {
        self.operation.set(ID_NONE);
        // SAFETY: the construct's own word, which no further event names.
        unsafe { several::end(self.word.get().cast()) };
    }

    /// No further event names the construct, or the routine.
    pub(crate) fn end(&self) {
        if self.reported.take() {
            // SAFETY: the construct's own words, which no further event names.
            unsafe {
                several::end(self.data.get());
                several::end(self.merged.get());
            }
        }
    }

    /// The construct's identifier: what `tool` has written to the construct's data word, else the construct's own
    /// number. For `None`, the first tool counts that has written something. Async-signal-safe.
    pub(crate) fn target_id(&self, tool: Option<usize>) -> Id {
        written(self.data.get(), tool).unwrap_or(self.id.get())
    }

    /// The identifier of the operation under way, as [`target_id`](Self::target_id); `ompt_id_none` if there is none.
    pub(crate) fn host_op_id(&self, tool: Option<usize>) -> Id {
        match self.operation.get() {
            ID_NONE => ID_NONE,
            own => written(self.word.get().cast(), tool).unwrap_or(own),
        }
    }

    /// What records need to know of the operation under way.
    pub fn note(&self) -> Note {
        Note {
            target_id: self.target_id(None),
            host_op_id: self.host_op_id(None),
            codeptr: self.codeptr.get() as usize,
            at: self.began.get(),
            ..Note::default()
        }
    }

    /// As [`note`](Self::note), of a data operation.
    pub(super) fn note_of(&self, operation: &DataOp) -> Note {
        Note {
            operation: operation.reported_kind(self.is_asynchronous()).0,
            source_device: operation.source_device,
            destination_device: operation.destination_device,
            ..self.note()
        }
    }
}

/// What `tool`, or for `None` the first tool, has written to one of the construct's words, if it has.
fn written(word: *mut Data, tool: Option<usize>) -> Option<Id> {
    // SAFETY: a construct's word.
    let value = unsafe { tool.map_or_else(|| several::first_value(word), |tool| several::value(word, tool)) };
    (value != ID_NONE).then_some(value)
}

/// A data operation as it is reported: what it is, and from where to where on which devices.
#[derive(Clone, Copy, Debug)]
pub struct DataOp {
    pub kind: TargetDataOp,
    pub source: usize,
    pub source_device: c_int,
    pub destination: usize,
    pub destination_device: c_int,
    pub bytes: usize,
}

impl DataOp {
    /// Memory of a device is allocated, for the variable at `variable` if there is one. The address is known at the
    /// end: [`at`](Self::at).
    pub fn alloc(variable: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::ALLOC, (variable, host), (0, device), bytes)
    }

    /// The operation's result is at `address` on the device.
    #[must_use]
    pub fn at(self, address: usize) -> Self {
        DataOp { destination: address, ..self }
    }

    /// Memory of a device is freed. There is no destination, so the host stands for it.
    pub fn delete(address: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::DELETE, (address, device), (0, host), bytes)
    }

    /// The host's memory is copied to a device.
    pub fn to_device(variable: usize, address: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::TRANSFER_TO_DEVICE, (variable, host), (address, device), bytes)
    }

    /// A device's memory is copied to the host.
    pub fn from_device(address: usize, variable: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::TRANSFER_FROM_DEVICE, (address, device), (variable, host), bytes)
    }

    /// Memory of a device is copied. Within the device, the copy is a transfer to the device. To another device, the
    /// copy is a transfer from the first device, which performs it.
    pub fn between(from: (usize, c_int), to: (usize, c_int), bytes: usize) -> Self {
        let kind = if from.1 == to.1 { TargetDataOp::TRANSFER_TO_DEVICE } else { TargetDataOp::TRANSFER_FROM_DEVICE };
        Self::of(kind, from, to, bytes)
    }

    /// A device's memory stands for a variable from here on.
    pub fn associate(variable: usize, address: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::ASSOCIATE, (variable, host), (address, device), bytes)
    }

    /// A device's memory does not stand for a variable any longer.
    pub fn disassociate(variable: usize, address: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::DISASSOCIATE, (variable, host), (address, device), bytes)
    }

    /// A device's memory is filled with a byte. The host gives the byte's value, and no address.
    pub fn fill(address: usize, bytes: usize, host: c_int, device: c_int) -> Self {
        Self::of(TargetDataOp::MEMSET, (0, host), (address, device), bytes)
    }

    fn of(kind: TargetDataOp, source: (usize, c_int), destination: (usize, c_int), bytes: usize) -> Self {
        let ((source, source_device), (destination, destination_device)) = (source, destination);
        DataOp { kind, source, source_device, destination, destination_device, bytes }
    }

    /// The device that records the operation, if the operation is between the host and one device.
    pub(crate) fn device(&self, host: c_int) -> c_int {
        if self.source_device == host { self.destination_device } else { self.source_device }
    }

    /// Whether the operation is a copy, which the device itself performs.
    pub(super) fn is_transfer(&self) -> bool {
        matches!(self.kind, TargetDataOp::TRANSFER_TO_DEVICE | TargetDataOp::TRANSFER_FROM_DEVICE)
    }

    /// The kind that is reported. `asynchronous` says that the operation may outlast the call that began it.
    pub(super) fn reported_kind(&self, asynchronous: bool) -> TargetDataOp {
        match self.kind {
            TargetDataOp::TRANSFER_TO_DEVICE if asynchronous => TargetDataOp::TRANSFER_TO_DEVICE_ASYNC,
            TargetDataOp::TRANSFER_FROM_DEVICE if asynchronous => TargetDataOp::TRANSFER_FROM_DEVICE_ASYNC,
            TargetDataOp::MEMSET if asynchronous => TargetDataOp::MEMSET_ASYNC,
            kind => kind,
        }
    }
}

/// Mappings of a construct. Each vector has one element for each mapping.
#[derive(Default)]
pub struct Mappings {
    pub host: Vec<usize>,
    pub device: Vec<usize>,
    pub bytes: Vec<usize>,
    /// `ompt_target_map_flag_t`s.
    pub flags: Vec<u32>,
}

impl Mappings {
    /// Adds a mapping.
    pub fn push(&mut self, host: usize, device: usize, bytes: usize, flags: u32) {
        self.host.push(host);
        self.device.push(device);
        self.bytes.push(bytes);
        self.flags.push(flags);
    }
}

/// Code that has been loaded onto a device, as `ompt_callback_device_load` describes it.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The file that has the code, if there is one.
    pub file: Option<&'a CStr>,
    /// The offset in the file.
    pub offset: Option<i64>,
    /// The address according to the file.
    pub vma: Option<usize>,
    pub bytes: usize,
    /// The address of the host's copy.
    pub host: Option<usize>,
    /// The address on the device.
    pub device: Option<usize>,
    /// The code's number in the process.
    pub module: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_unique() {
        let numbers: Vec<_> =
            (0..4).flat_map(|_| std::thread::spawn(|| [unique(), unique()]).join().unwrap()).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), numbers.len());
        assert!(!numbers.contains(&::ompt::ID_NONE));
    }

    #[test]
    fn directions_of_operations() {
        let (host, device) = (1, 0);
        let to = DataOp::to_device(8, 16, 4, host, device);
        assert_eq!((to.source, to.source_device, to.destination, to.destination_device), (8, 1, 16, 0));
        let from = DataOp::from_device(16, 8, 4, host, device);
        assert_eq!((from.source, from.source_device, from.destination, from.destination_device), (16, 0, 8, 1));
        let alloc = DataOp::alloc(8, 4, host, device).at(16);
        assert_eq!((alloc.source, alloc.source_device, alloc.destination, alloc.destination_device), (8, 1, 16, 0));
        let within = DataOp::between((16, 0), (32, 0), 4);
        assert_eq!((within.kind, within.destination_device), (TargetDataOp::TRANSFER_TO_DEVICE, 0));
        let across = DataOp::between((16, 0), (32, 1), 4);
        assert_eq!(
            (across.kind, across.source_device),
            (TargetDataOp::TRANSFER_FROM_DEVICE, 0),
            "of the device that has the record"
        );
        let delete = DataOp::delete(16, 4, host, device);
        assert_eq!((delete.source, delete.source_device, delete.destination, delete.destination_device), (16, 0, 0, 1));
    }

    #[test]
    fn transfers_of_constructs_with_nowait_are_asynchronous() {
        let kind = |op: DataOp, asynchronous| op.reported_kind(asynchronous);
        assert_eq!(kind(DataOp::to_device(1, 1, 1, 1, 0), true), TargetDataOp::TRANSFER_TO_DEVICE_ASYNC);
        assert_eq!(kind(DataOp::from_device(1, 1, 1, 1, 0), true), TargetDataOp::TRANSFER_FROM_DEVICE_ASYNC);
        assert_eq!(kind(DataOp::from_device(1, 1, 1, 1, 0), false), TargetDataOp::TRANSFER_FROM_DEVICE);
        assert_eq!(kind(DataOp::alloc(1, 1, 1, 0), true), TargetDataOp::ALLOC);
        let tool = TargetTool::default();
        for (kind, asynchronous) in [
            (Target::TARGET, false),
            (Target::UPDATE, false),
            (Target::ENTER_DATA_NOWAIT, true),
            (Target::EXIT_DATA_NOWAIT, true),
            (Target::UPDATE_NOWAIT, true),
            (Target::TARGET_NOWAIT, true),
        ] {
            tool.kind.set(kind);
            assert_eq!(tool.is_asynchronous(), asynchronous, "{kind:?}");
        }
    }

    #[test]
    fn identifier_is_what_the_tool_has_written_or_else_a_number_of_its_own() {
        let tool = TargetTool::default();
        tool.id.set(unique());
        assert_eq!(tool.note().host_op_id, ::ompt::ID_NONE);
        tool.begin_operation(0);
        let own = tool.note();
        assert_eq!((own.target_id, own.host_op_id), (tool.id.get(), tool.operation.get()));
        // SAFETY: this test's own words.
        unsafe {
            *tool.data.get() = Data { value: 77 };
            *tool.word.get() = 78;
        }
        assert_eq!((tool.note().target_id, tool.note().host_op_id), (77, 78));
        tool.end_operation();
        assert_eq!(tool.note().host_op_id, ::ompt::ID_NONE);
        tool.begin_operation(0);
        assert_ne!(tool.note().host_op_id, own.host_op_id);
    }
}
