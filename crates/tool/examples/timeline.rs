//! What devices do and when: kernels and copies in the order of their begins, each with its time, its bandwidth or its
//! teams, and a bar on the device's time line. The devices trace themselves; nothing is measured on the host. Load it
//! as the printer is loaded.

use ferromp_tool::*;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_int};
use std::sync::Mutex as Lock;

/// How wide the time line is, in characters.
const WIDTH: f64 = 40.0;
/// Bytes of the buffers that a device gets for its records.
const BUFFER: usize = 64 << 10;

/// One thing that a device has done, in seconds.
struct Row {
    device: c_int,
    begin: f64,
    end: f64,
    what: String,
}

#[derive(Default)]
struct Timeline {
    devices: Lock<BTreeMap<c_int, Device>>,
    rows: Lock<Vec<Row>>,
}

#[tool]
impl Tool for Timeline {
    const NAME: &'static str = "timeline";

    fn initialize(_init: &Init<Self>) -> Result<Self, String> {
        Ok(Timeline::default())
    }

    fn device_initialize(&self, number: c_int, kind: Option<&CStr>, device: Device, _documentation: Option<&CStr>) {
        self.devices.lock().unwrap().insert(number, device);
        for event in [Event::TargetSubmit, Event::TargetDataOp] {
            device.set_trace(Some(event), true);
        }
        if !device.start_trace::<Self>(number, BUFFER) {
            eprintln!("timeline: device {number} ({kind:?}) cannot trace itself");
        }
    }

    fn device_records(&self, number: c_int, records: Records<'_>) {
        let Some(device) = self.devices.lock().unwrap().get(&number).copied() else { return };
        let seconds = |time| device.translate_time(time).unwrap_or(0.0);
        for operation in records.filter_map(Record::operation) {
            let (begin, end) = (seconds(operation.begin), seconds(operation.end));
            let what = match operation.what {
                Performed::Kernel(kernel) => format!("kernel, {} teams", kernel.granted_num_teams),
                Performed::Data(data) => match direction(data) {
                    Some(way) => {
                        format!("{way} {} bytes, {:.1} GB/s", data.bytes, data.bytes as f64 / (end - begin) / 1e9)
                    }
                    None => continue,
                },
            };
            self.rows.lock().unwrap().push(Row { device: number, begin, end, what });
        }
    }

    fn finalize(&self) {
        let mut rows = self.rows.lock().unwrap();
        rows.sort_by(|a, b| a.begin.total_cmp(&b.begin));
        let first = rows.first().map_or(0.0, |row| row.begin);
        let last = rows.iter().map(|row| row.end).fold(first, f64::max);
        let column = |time: f64| ((time - first) / (last - first) * WIDTH) as usize;
        for Row { device, begin, end, what } in rows.iter() {
            let bar = "#".repeat((column(*end) - column(*begin)).max(1));
            let (at, long) = ((begin - first) * 1e6, (end - begin) * 1e6);
            eprintln!(
                "{device:>3} {at:>12.1} us {long:>10.1} us  |{:column$}{bar:<rest$}| {what}",
                "",
                column = column(*begin),
                rest = (WIDTH as usize + 1).saturating_sub(column(*begin))
            );
        }
    }
}

/// The arrow of a copy, between host and device; none for what copies nothing.
fn direction(data: &RecordTargetDataOp) -> Option<&'static str> {
    match data.optype {
        TargetDataOp::TRANSFER_TO_DEVICE | TargetDataOp::TRANSFER_TO_DEVICE_ASYNC => Some("to"),
        TargetDataOp::TRANSFER_FROM_DEVICE | TargetDataOp::TRANSFER_FROM_DEVICE_ASYNC => Some("from"),
        _ => None,
    }
}
