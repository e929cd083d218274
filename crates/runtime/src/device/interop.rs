//! Interoperability objects (OpenMP 5.1 §2.15, §3.12): the handles of a device that a program passes to foreign code,
//! and the stream that orders the foreign code and target tasks.

use super::devices::{Device, Lent};
use super::driver::Foreign;
use std::ffi::{CStr, c_void};

/// An object that `interop` constructs create and destroy. Programs have the object's address.
pub struct Object {
    device: &'static Device,
    /// The stream of an object for synchronisation.
    stream: Option<Lent>,
}

/// A property of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The property does not exist for this kind of device.
    None,
    Integer(isize),
    Pointer(*const c_void),
    Text(&'static CStr),
}

/// The properties that every implementation has, in the order of their numbers (§3.12, Table 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Property {
    ForeignRuntime,
    ForeignRuntimeName,
    Vendor,
    VendorName,
    DeviceNumber,
    Platform,
    Device,
    DeviceContext,
    TargetSync,
}

impl Object {
    /// An object of a device; with `synchronises`, one for synchronisation as well.
    pub fn new(device: &'static Device, synchronises: bool) -> Box<Object> {
        Box::new(Object { device, stream: synchronises.then(|| device.stream(true)) })
    }

    /// Waits for all that has been queued on the object's stream.
    pub fn wait(&self) -> Result<(), String> {
        self.stream.as_ref().map_or(Ok(()), |stream| stream.wait())
    }

    /// A property. A host device has no foreign runtime, and so no handles of one.
    pub fn property(&self, property: Property) -> Value {
        let foreign = self.device.driver.foreign();
        let of_foreign = |value: fn(Foreign) -> Value| foreign.map_or(Value::None, value);
        match property {
            Property::ForeignRuntime => of_foreign(|foreign| Value::Integer(foreign.runtime)),
            Property::ForeignRuntimeName => of_foreign(|foreign| Value::Text(foreign.name)),
            Property::VendorName => Value::Text(foreign.map_or(c"ferromp", |foreign| foreign.vendor)),
            Property::Device => of_foreign(|foreign| Value::Pointer(foreign.device as *const c_void)),
            Property::DeviceContext => of_foreign(|foreign| Value::Pointer(foreign.context as *const c_void)),
            Property::DeviceNumber => Value::Integer(self.device.number as isize),
            Property::TargetSync => self.stream.as_ref().map_or(Value::None, |stream| {
                let own = std::ptr::from_ref(&**stream).cast();
                Value::Pointer(stream.foreign().map_or(own, |foreign| foreign as *const c_void))
            }),
            Property::Vendor | Property::Platform => Value::None,
        }
    }
}
