//! From the runtime's C call to the tool's method: one function an event, made from the table of
//! events, and their registration.

use crate::args::{DataOp, FromAbi, Instance, Loaded, Mappings, array};
use crate::device::Device;
use crate::hosted::{AbortOnUnwind, Hosted};
use ompt::*;

/// Calls the tool's method of an event. Most arguments have a safe form of their own; the first arms serve arguments
/// that belong together.
macro_rules! call {
    ($tool:ident ControlTool control_tool($command:ident, $modifier:ident, $arg:ident, $codeptr_ra:ident)) => {
        $tool.control_tool(FromAbi::from_abi($command), $modifier, $arg, FromAbi::from_abi($codeptr_ra)).0
    };
    ($tool:ident Dependences dependences($task_data:ident, $deps:ident, $ndeps:ident)) => {
        $tool.dependences(FromAbi::from_abi($task_data), array($deps, usize::try_from($ndeps).unwrap_or(0)))
    };
    // The message ends with a zero byte; its length need not be passed on.
    ($tool:ident Error error($severity:ident, $message:ident, $length:ident, $codeptr_ra:ident)) => {{
        let _ = $length;
        $tool.error($severity, FromAbi::from_abi($message), FromAbi::from_abi($codeptr_ra))
    }};
    ($tool:ident Dispatch dispatch($parallel_data:ident, $task_data:ident, $kind:ident, $instance:ident)) => {
        $tool.dispatch(
            FromAbi::from_abi($parallel_data),
            FromAbi::from_abi($task_data),
            $kind,
            Instance::new($kind, $instance),
        )
    };
    ($tool:ident TargetDataOp target_data_op($target_id:ident, $host_op_id:ident, $( $rest:ident ),*)) => {
        call!(@op $tool target_data_op($target_id, $host_op_id), $( $rest ),*)
    };
    ($tool:ident TargetDataOpEmi target_data_op_emi(
        $endpoint:ident, $task_data:ident, $target_data:ident, $host_op_id:ident, $( $rest:ident ),*
    )) => {
        call!(@op $tool target_data_op_emi($endpoint, $task_data, $target_data, $host_op_id), $( $rest ),*)
    };
    (@op $tool:ident $method:ident($( $before:ident ),*), $optype:ident, $src_addr:ident, $src_device_num:ident,
     $dest_addr:ident, $dest_device_num:ident, $bytes:ident, $codeptr_ra:ident) => {{
        let op = DataOp {
            optype: $optype,
            src_addr: $src_addr.addr(),
            src_device_num: $src_device_num,
            dest_addr: $dest_addr.addr(),
            dest_device_num: $dest_device_num,
            bytes: $bytes,
        };
        $tool.$method($( FromAbi::from_abi($before), )* op, FromAbi::from_abi($codeptr_ra))
    }};
    ($tool:ident TargetMap target_map($target_id:ident, $( $rest:ident ),*)) => {
        call!(@map $tool target_map($target_id), $( $rest ),*)
    };
    ($tool:ident TargetMapEmi target_map_emi($target_data:ident, $( $rest:ident ),*)) => {
        call!(@map $tool target_map_emi($target_data), $( $rest ),*)
    };
    (@map $tool:ident $method:ident($target:ident), $nitems:ident, $host:ident, $device:ident, $bytes:ident,
        $flags:ident,
     $codeptr_ra:ident) => {{
        let mappings = Mappings::new($nitems, $host, $device, $bytes, $flags);
        $tool.$method(FromAbi::from_abi($target), mappings, FromAbi::from_abi($codeptr_ra))
    }};
    ($tool:ident DeviceInitialize device_initialize(
        $device_num:ident, $device_type:ident, $device:ident, $lookup:ident, $documentation:ident
    )) => {{
        let device = Device::new($device, $lookup);
        $tool.device_initialize($device_num, FromAbi::from_abi($device_type), device, FromAbi::from_abi($documentation))
    }};
    ($tool:ident DeviceLoad device_load(
        $device_num:ident, $filename:ident, $offset_in_file:ident, $vma_in_file:ident, $bytes:ident, $host_addr:ident,
        $device_addr:ident, $module_id:ident
    )) => {{
        let loaded = Loaded {
            filename: FromAbi::from_abi($filename),
            offset_in_file: $offset_in_file,
            vma_in_file: $vma_in_file.addr(),
            bytes: $bytes,
            host_addr: $host_addr.addr(),
            device_addr: $device_addr.addr(),
            module_id: $module_id,
        };
        $tool.device_load($device_num, loaded)
    }};
    ($tool:ident $camel:ident $method:ident($( $arg:ident ),*)) => {
        $tool.$method($( FromAbi::from_abi($arg) ),*)
    };
}

macro_rules! entries {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
          ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
        $(
            unsafe extern "C" fn $snake<T: Hosted>( $( $arg: $ty ),* ) $( -> $ret )? {
                let guard = AbortOnUnwind;
                // SAFETY: registered after the tool was put in place; the arguments are the runtime's,
                // and what they point to lives as long as the callback runs.
                let result = unsafe {
                    let tool = T::instance().get();
                    call!(tool $camel $snake($( $arg ),*))
                };
                std::mem::forget(guard);
                result
            }
        )*

        /// The C function of each event for tool `T`, in the order of [`Event::ALL`].
        fn table<T: Hosted>() -> [Callback; Event::COUNT] {
            [ $( {
                // The type of the table's signature, so that a function that differs does not compile.
                let typed: ompt::callback::$camel = $snake::<T>;
                // SAFETY: both are pointers to C functions; the runtime calls it by the event's type.
                Some(unsafe { std::mem::transmute::<ompt::callback::$camel, unsafe extern "C" fn()>(typed) })
            } ),* ]
        }
    };
}
ompt::for_each_event! { entries }

/// The C function of an event, if the tool has a method for it.
pub(crate) fn callback<T: Hosted>(event: Event) -> Callback {
    if !T::IMPLEMENTED.events().contains(event) {
        return None;
    }
    // The set contains only events of the table, whose numbers begin with 1.
    table::<T>()[event.0 as usize - 1]
}

/// Registers the wanted events and tells the tool the answers.
///
/// # Safety
/// The tool is in place, and `set_callback` is the runtime's entry point.
pub(crate) unsafe fn register<T: Hosted>(set_callback: SetCallback) {
    // SAFETY: by the caller's contract the tool is in place.
    let tool = unsafe { T::instance().get() };
    for event in tool.events().iter() {
        if let Some(callback) = callback::<T>(event) {
            // SAFETY: the function has the type that the table gives this event.
            let answer = unsafe { set_callback(event, Some(callback)) };
            tool.registered(event, answer);
        }
    }
}
