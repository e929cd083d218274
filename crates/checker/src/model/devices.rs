//! Devices, device constructs, the operations of devices, and the traces that devices record of them. OpenMP 5.1,
//! sections 4.5.2.19 to 4.5.2.28 and 4.6.2.

use super::Model;
use super::state::devices::{Construct, Device, Devices, Operation};
use super::state::{OPERATION, TARGET};
use crate::happening::object;
use crate::rules::Rule;
use ferromp_tool::ompt::{DeviceTime, ID_NONE, TIME_NONE};
use ferromp_tool::{
    CodePtr, DataOp, Event, Id, Record, RecordOmpt, Records, ScopeEndpoint, Slot, Target, TargetDataOp, TaskFlag,
};

/// What an event of a construct says.
pub struct TargetSays<'a> {
    pub kind: Target,
    pub endpoint: ScopeEndpoint,
    pub device: i32,
    pub task: Option<Slot<'a>>,
    pub target_task: Option<Slot<'a>>,
    pub target: Option<Slot<'a>>,
    pub code: CodePtr,
}

impl Model {
    pub fn device_initialize(&mut self, thread: usize, number: i32, traced: bool) {
        if number < 0 {
            self.violation(Rule::DeviceNumber, thread, format!("the device is {number}"));
        }
        let again = self.devices.known.get(&number).is_some_and(|device| !device.finalized);
        if again {
            self.violation(Rule::DeviceLife, thread, format!("device {number} is initialised a second time"));
        }
        self.devices.known.insert(number, Device { traced, ..Device::default() });
    }

    pub fn device_finalize(&mut self, thread: usize, number: i32) {
        self.known_device(thread, number, "its finalisation");
        if let Some(device) = self.devices.known.get_mut(&number) {
            device.finalized = true;
        }
    }

    pub fn device_module(&mut self, thread: usize, number: i32, module: u64, loaded: bool) {
        self.known_device(thread, number, "its code");
        let Some(device) = self.devices.known.get_mut(&number) else { return };
        let fits = if loaded { device.modules.insert(module) } else { device.modules.remove(&module) };
        if !fits {
            let what = if loaded { "is loaded a second time" } else { "is unloaded and was not loaded" };
            self.violation(Rule::DeviceModule, thread, format!("module {module} of device {number} {what}"));
        }
    }

    /// Checks that a device is there. The host counts as one that always is.
    fn known_device(&mut self, thread: usize, number: i32, what: &str) {
        match self.devices.known.get(&number) {
            _ if number < 0 => self.violation(Rule::DeviceNumber, thread, format!("{what}: the device is {number}")),
            Some(device) if !device.finalized => {}
            Some(_) => self.violation(Rule::DeviceLife, thread, format!("{what}: device {number} has been finalised")),
            None if self.host_device.is_some_and(|host| host != number) => {
                self.violation(Rule::DeviceLife, thread, format!("{what}: device {number} has not been initialised"));
            }
            None => {}
        }
    }

    /// An event of the plain form, which excludes the form with data words. `id` is a number that no other construct or
    /// operation has.
    pub fn plain_form(&mut self, thread: usize, fresh: Option<Id>) {
        self.devices.plain = true;
        self.forms(thread);
        if let Some(id) = fresh
            && (id == 0 || !self.devices.numbers.insert(id))
        {
            self.violation(Rule::TargetIdentifier, thread, format!("the identifier {id} is not unique"));
        }
    }

    fn form_with_data(&mut self, thread: usize) {
        self.devices.with_data = true;
        self.forms(thread);
    }

    fn forms(&mut self, thread: usize) {
        if self.devices.plain && self.devices.with_data {
            self.violation(Rule::TargetForms, thread, "events come with data words and without");
        }
    }

    pub fn target(&mut self, thread: usize, says: &TargetSays<'_>) {
        self.form_with_data(thread);
        self.known_device(thread, says.device, "a construct");
        if self.is_unknown(says.kind.name()) {
            self.violation(Rule::TargetKind, thread, format!("the kind is {}", says.kind.0));
        }
        self.target_task(thread, says);
        if says.endpoint == ScopeEndpoint::BEGIN {
            if let Some((value, _)) = self.mark(TARGET, thread, says.target) {
                let construct = self.construct(thread, says);
                self.passed_constructs(thread);
                self.devices.targets.insert(value, construct);
            }
            return;
        }
        if says.endpoint != ScopeEndpoint::END {
            self.violation(Rule::Endpoint, thread, format!("the endpoint is {:?}", says.endpoint));
            return;
        }
        let value = says.target.map_or(0, Slot::get);
        match self.devices.targets.remove(&value) {
            None => self.violation(Rule::TargetPair, thread, format!("{} ends and has not begun", object(value))),
            Some(begun) if (begun.kind, begun.device) != (says.kind, says.device) => {
                let text = format!(
                    "begun as {:?} on device {}, ended as {:?} on {}",
                    begun.kind, begun.device, says.kind, says.device
                );
                self.violation(Rule::TargetPair, thread, text);
            }
            Some(begun) if begun.thread != thread && says.kind.0 < Target::TARGET_NOWAIT.0 => {
                self.violation(Rule::TargetPair, thread, format!("{} ends on another thread", object(value)));
            }
            Some(_) => {}
        }
        let open =
            self.devices.operations.values().any(|operation| operation.target == Some(value) && !operation.ended);
        if value != 0 && open {
            self.violation(Rule::OperationPair, thread, format!("{} ends before an operation of it", object(value)));
        }
    }

    fn construct(&self, thread: usize, says: &TargetSays<'_>) -> Construct {
        let &TargetSays { kind, device, code, .. } = says;
        let task = self.threads[thread].current;
        let found = task.and_then(|task| self.tasks.get(&task));
        let initial = found.is_none_or(|task| task.flags.contains(TaskFlag::INITIAL) && task.region.is_none());
        Construct { kind, device, thread, code: code.0, task, initial, passed: false }
    }

    /// The thread's task encounters a construct that may not stand inside of a device construct. Open device constructs
    /// of the task should have ended.
    pub(super) fn passed_constructs(&mut self, thread: usize) {
        let current = self.threads[thread].current;
        for construct in self.devices.targets.values_mut() {
            construct.passed |= construct.thread == thread && construct.task == current;
        }
    }

    /// Whether a construct should have ended by now: its task went on, or has ended.
    fn is_overdue(&self, construct: &Construct) -> bool {
        construct.passed || !construct.initial && construct.task.is_some_and(|task| !self.tasks.contains_key(&task))
    }

    /// Whether the thread is inside of a device construct, as far as the events show.
    pub(super) fn is_inside_construct(&self, thread: usize) -> bool {
        self.devices.targets.values().any(|construct| construct.thread == thread && !self.is_overdue(construct))
    }

    /// Checks the target task that executes a construct; the encountering task has generated the target task. A `target
    /// data` construct, whose events are `enter_data` and `exit_data`, has no target task.
    fn target_task(&mut self, thread: usize, says: &TargetSays<'_>) {
        let value = says.target_task.map_or(0, Slot::get);
        let Some(task) = self.tasks.get(&value).filter(|task| task.flags.contains(TaskFlag::TARGET)) else {
            let may_lack =
                matches!(says.kind, Target::ENTER_DATA | Target::EXIT_DATA) || self.later && says.kind.name().is_none();
            if !may_lack {
                self.violation(
                    Rule::TargetTask,
                    thread,
                    format!("{:?} names {} as its target task", says.kind, object(value)),
                );
            }
            return;
        };
        let (parent, named) = (task.parent.unwrap_or(0), says.task.map_or(0, Slot::get));
        if self.threads[thread].current != Some(value) {
            let current = object(self.threads[thread].current.unwrap_or(0));
            self.violation(
                Rule::TargetTask,
                thread,
                format!("{:?} in {}, but the thread runs {current}", says.kind, object(value)),
            );
        } else if parent != named {
            let text = format!(
                "{:?} names {}, and {} has generated its target task",
                says.kind,
                object(named),
                object(parent)
            );
            self.violation(Rule::TargetTask, thread, text);
        }
    }

    /// A mapping event lies inside of its construct.
    pub fn target_map(&mut self, thread: usize, target: Option<Slot<'_>>) {
        self.form_with_data(thread);
        self.open_target(thread, target);
    }

    /// The construct that an event belongs to, which must be open; routines have none.
    fn open_target(&mut self, thread: usize, target: Option<Slot<'_>>) -> Option<u64> {
        let value = target.map(Slot::get).filter(|value| *value != 0)?;
        if !self.devices.targets.contains_key(&value) {
            self.violation(Rule::TargetPair, thread, format!("an operation of {}, which is not open", object(value)));
            return None;
        }
        Some(value)
    }

    /// An operation on data, or for `None` the launch of a kernel.
    pub fn operation(
        &mut self,
        thread: usize,
        endpoint: ScopeEndpoint,
        target: Option<Slot<'_>>,
        op: Option<Slot<'_>>,
        what: Option<DataOp>,
    ) {
        self.form_with_data(thread);
        let target = self.open_target(thread, target);
        let of_construct = target.and_then(|value| self.devices.targets.get(&value)).map(|construct| construct.device);
        let device = what.map_or(of_construct.unwrap_or(-1), |what| self.device_of(thread, &what, of_construct));
        if endpoint == ScopeEndpoint::BEGIN {
            let Some(slot) = op else {
                self.violation(Rule::NullData, thread, "no identifier of the operation");
                return;
            };
            // The runtime may have put its own identifier there; the tool's takes its place.
            self.last_value += 1;
            let value = OPERATION | self.last_value;
            slot.set(value);
            let operation = Operation { what, device, target, ended: false, recorded: false, thread };
            self.devices.operations.insert(value, operation);
        } else if endpoint == ScopeEndpoint::END {
            let value = op.map_or(0, Slot::get);
            let known = self.devices.operations.get_mut(&value).filter(|operation| !operation.ended);
            let Some(operation) = known else {
                self.violation(Rule::OperationPair, thread, format!("{} ends and has not begun", object(value)));
                return;
            };
            operation.ended = true;
            // Where memory lies is known only once it is there.
            let same = |a: &DataOp, b: &DataOp| (a.optype, a.bytes) == (b.optype, b.bytes);
            let differs = match (&operation.what, &what) {
                (Some(begun), Some(ended)) => !same(begun, ended),
                (None, None) => false,
                _ => true,
            };
            if differs {
                self.violation(
                    Rule::OperationPair,
                    thread,
                    format!("{} ends as another than it has begun", object(value)),
                );
            }
        } else {
            self.violation(Rule::Endpoint, thread, format!("the endpoint is {endpoint:?}"));
        }
    }

    /// The device that an operation is for, which must be that of the construct.
    fn device_of(&mut self, thread: usize, op: &DataOp, of_construct: Option<i32>) -> i32 {
        use TargetDataOp as Kind;
        if self.is_unknown(op.optype.name()) {
            self.violation(Rule::OperationKind, thread, format!("the kind of operation is {}", op.optype.0));
        }
        let from = [Kind::TRANSFER_FROM_DEVICE, Kind::TRANSFER_FROM_DEVICE_ASYNC, Kind::DELETE, Kind::DELETE_ASYNC];
        // Kinds of OpenMP 6.0 that name no direction.
        let either = [Kind::TRANSFER, Kind::TRANSFER_RECT, Kind::TRANSFER_ASYNC, Kind::TRANSFER_RECT_ASYNC];
        let to_host = either.contains(&op.optype) && self.host_device == Some(op.dest_device_num);
        let device = if to_host || from.contains(&op.optype) { op.src_device_num } else { op.dest_device_num };
        self.known_device(thread, device, "an operation");
        if let Some(expected) = of_construct
            && device != expected
        {
            let text = format!("{:?} is for device {device}, and the construct's is {expected}", op.optype);
            self.violation(Rule::OperationDevice, thread, text);
        }
        device
    }

    /// Compares a device's records with the host's events, and with each other.
    pub fn records(&mut self, number: i32, records: Records<'_>) {
        for record in records {
            match record {
                Record::Ompt(record) => self.record(number, record),
                Record::Native(_) => {}
                Record::Invalid => self.about_device(Rule::RecordInvalid, number, "a record that cannot be read"),
            }
        }
    }

    fn about_device(&mut self, rule: Rule, number: i32, text: &str) {
        self.finding(rule, None, format!("device {number}: {text}"), &[], false);
    }

    fn record(&mut self, number: i32, record: &RecordOmpt) {
        let name = record.type_.name().unwrap_or("an event without a name");
        if record.time == TIME_NONE {
            self.about_device(Rule::RecordTime, number, &format!("a record of {name} has no time"));
        }
        match record.type_ {
            Event::TargetSubmit | Event::TargetSubmitEmi => {
                // SAFETY: the member that goes with the type.
                let kernel = unsafe { record.record.target_kernel };
                if kernel.granted_num_teams == 0 {
                    self.about_device(Rule::RecordOperation, number, "a kernel was granted no team");
                }
                self.recorded(number, kernel.host_op_id, None, record.time, kernel.end_time);
            }
            Event::TargetDataOp | Event::TargetDataOpEmi => {
                // SAFETY: as above.
                let op = unsafe { record.record.target_data_op };
                self.recorded(number, op.host_op_id, Some((op.optype, op.bytes)), record.time, op.end_time);
            }
            // The host's threads report these, and their order is checked there.
            Event::Target | Event::TargetEmi | Event::TargetMap | Event::TargetMapEmi => {}
            _ => self.inside(number, record),
        }
    }

    /// A device has recorded an operation.
    fn recorded(
        &mut self,
        number: i32,
        op: Id,
        what: Option<(TargetDataOp, usize)>,
        begin: DeviceTime,
        end: DeviceTime,
    ) {
        if end != TIME_NONE && end < begin {
            self.about_device(Rule::RecordTime, number, &format!("{} ends before it begins", object(op)));
        }
        let Some(operation) = self.devices.operations.get_mut(&op) else {
            self.about_device(
                Rule::RecordOperation,
                number,
                &format!("a record of {}, which the host knows nothing of", object(op)),
            );
            return;
        };
        let requested = operation.what.map(|what| (what.optype, what.bytes));
        let (twice, differs) = (std::mem::replace(&mut operation.recorded, true), requested != what);
        // Either device of a copy between two devices may record the copy.
        let between =
            operation.what.is_some_and(|what| what.src_device_num == number || what.dest_device_num == number);
        let elsewhere = operation.device != number && operation.device >= 0 && !between;
        if twice {
            self.about_device(Rule::RecordOperation, number, &format!("{} has two records", object(op)));
        } else if differs || elsewhere {
            self.about_device(
                Rule::RecordOperation,
                number,
                &format!("the record of {} is another operation's", object(op)),
            );
        }
    }

    /// A record of an event of the device's threads: in order of time, and scopes within scopes.
    fn inside(&mut self, number: i32, record: &RecordOmpt) {
        if record.thread_id == ID_NONE {
            // The record is of a thread of the host, which the record does not name.
            return;
        }
        let Some(device) = self.devices.known.get_mut(&number) else { return };
        let thread = device.threads.entry(record.thread_id).or_default();
        let late = record.time < thread.last;
        thread.last = thread.last.max(record.time);
        let body = &record.record;
        // SAFETY: each arm reads the member of the union that belongs to the record's type.
        let scope = unsafe {
            match record.type_ {
                Event::ParallelBegin => Some((Event::ParallelBegin, 0, ScopeEndpoint::BEGIN)),
                Event::ParallelEnd => Some((Event::ParallelBegin, 0, ScopeEndpoint::END)),
                Event::ImplicitTask => Some((record.type_, 0, body.implicit_task.endpoint)),
                Event::SyncRegion => Some((record.type_, body.sync_region.kind.0, body.sync_region.endpoint)),
                Event::Work => Some((record.type_, body.work.work_type.0, body.work.endpoint)),
                Event::Masked => Some((record.type_, 0, body.masked.endpoint)),
                _ => None,
            }
        };
        let mut wrong = false;
        if let Some((event, kind, endpoint)) = scope {
            match endpoint {
                ScopeEndpoint::BEGIN => thread.open.push((event, kind)),
                ScopeEndpoint::END => match thread.open.iter().rposition(|open| *open == (event, kind)) {
                    // A cancelled or exited region leaves scopes open inside.
                    Some(index) => thread.open.truncate(index),
                    None => wrong = true,
                },
                _ => {}
            }
        }
        let name = record.type_.name().unwrap_or("an event without a name");
        if late {
            self.about_device(
                Rule::RecordTime,
                number,
                &format!("a record of {name} is older than the one before of its thread"),
            );
        }
        if wrong {
            self.about_device(Rule::RecordScope, number, &format!("a record of {name} ends what has not begun"));
        }
    }

    /// At the end, every construct and every operation has ended. Where a device traces itself, each operation has a
    /// record.
    pub fn finalize_devices(&mut self, finalizing: Option<usize>) {
        self.failed_construct(finalizing);
        if self.exits_inside(finalizing) {
            return;
        }
        let open: Vec<(u64, usize)> =
            self.devices.targets.iter().map(|(value, construct)| (*value, construct.thread)).collect();
        for (value, thread) in open {
            self.violation(Rule::TargetOpen, thread, format!("{} has not ended", object(value)));
        }
        let is_traced = |number: i32| self.devices.known.get(&number).is_some_and(|device| device.traced);
        let mut missing: Vec<(u64, usize, bool)> = Vec::new();
        for (value, operation) in &self.devices.operations {
            let tells = operation.what.is_none_or(|what| TRACED.contains(&what.optype));
            if !operation.ended || tells && is_traced(operation.device) && !operation.recorded {
                missing.push((*value, operation.thread, operation.ended));
            }
        }
        missing.sort_unstable();
        for (value, thread, ended) in missing {
            if ended {
                self.violation(Rule::RecordMissing, thread, format!("the device has not recorded {}", object(value)));
            } else {
                self.violation(Rule::OperationPair, thread, format!("{} has not ended", object(value)));
            }
        }
    }

    /// Whether the thread that ends the program is inside of a construct whose kernel has not begun. No code of the
    /// program can have ended the program then: the runtime could not go on.
    fn failed_construct(&mut self, finalizing: Option<usize>) {
        let Some(thread) = finalizing else { return };
        // On the host, target regions have tasks of their own.
        let current = self.threads[thread].current;
        let there =
            |construct: &Construct| construct.thread == thread && (current.is_none() || current == construct.task);
        let begun = |value: u64| {
            let mut operations = self.devices.operations.values();
            operations.any(|operation| operation.target == Some(value) && operation.what.is_none() && !operation.ended)
        };
        let mut open = self.devices.targets.iter().filter(|(_, construct)| there(construct));
        let failed = open.find(|(value, construct)| !self.is_overdue(construct) && !begun(**value));
        let Some((_, &Construct { device, code, .. })) = failed else { return };
        let text = format!(
            "the program ended inside of a device construct, on device {device}, that could not be executed: \
             a line of the OpenMP runtime says why"
        );
        self.finding(Rule::TargetFailed, thread, text, &[("the construct".to_owned(), code)], false);
    }

    /// In the child of a fork no thread waits for the parent's devices.
    pub(super) fn fork_devices(&mut self) {
        self.devices = Devices::default();
    }
}

/// Operations that devices do, rather than the host's tables.
const TRACED: [TargetDataOp; 4] = [
    TargetDataOp::TRANSFER_TO_DEVICE,
    TargetDataOp::TRANSFER_FROM_DEVICE,
    TargetDataOp::TRANSFER_TO_DEVICE_ASYNC,
    TargetDataOp::TRANSFER_FROM_DEVICE_ASYNC,
];
