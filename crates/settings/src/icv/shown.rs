//! The settings as debuggers see them: copies in [`PROCESS`].

use super::display::for_debuggers;
use super::in_force::settings;
use super::settings::Settings;
use super::teams::show_teams;
use super::values::{ToolSetting, VerboseInit, WaitPolicy};
use crate::allocators::table;
use crate::model::atomic::{AtomicI32, AtomicU8, Ordering};
use crate::shown::{PROCESS, Process, show_array, show_string};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Shows the settings in force. Strings that were shown before are never freed, as the settings are not.
#[cold]
pub fn show() {
    take(&PROCESS, settings());
    show_teams();
}

fn take(process: &Process, settings: &'static Settings) {
    let number = |to: &AtomicI32, value: i32| to.store(value, Ordering::Relaxed);
    let flag = |to: &AtomicU8, value: bool| to.store(value.into(), Ordering::Relaxed);
    number(&process.max_task_priority, settings.max_task_priority);
    number(&process.target_offload, settings.target_offload as i32);
    flag(&process.wait_policy, settings.wait_policy == Some(WaitPolicy::Active));
    flag(&process.cancellation, settings.cancellation);
    flag(&process.display_affinity, settings.affinity.display);
    flag(&process.tool, settings.tool == ToolSetting::Enabled);
    flag(&process.debug, settings.debug == ToolSetting::Enabled);
    show_string(&process.tool_libraries, &names(&settings.tool_libraries));
    show_string(&process.tool_verbose_init, verbose_init(settings.tool_verbose_init.as_ref()));
    show_string(&process.variables, for_debuggers(settings).as_bytes());
    show_array(&process.num_threads, &process.num_threads_count, &settings.num_threads);
    show_array(&process.bind, &process.bind_count, &settings.affinity.bind);
    let (table, first, count) = table::made();
    process.allocator_first.store(first, Ordering::Relaxed);
    process.allocator_count.store(count, Ordering::Relaxed);
    process.allocators.store(table.as_ptr().cast_mut().cast(), Ordering::Release);
}

fn names(libraries: &[PathBuf]) -> Vec<u8> {
    let names: Vec<&[u8]> = libraries.iter().map(|path| path.as_os_str().as_bytes()).collect();
    names.join(&b':')
}

fn verbose_init(setting: Option<&VerboseInit>) -> &[u8] {
    match setting {
        None => b"disabled",
        Some(VerboseInit::Stdout) => b"stdout",
        Some(VerboseInit::Stderr) => b"stderr",
        Some(VerboseInit::File(path)) => path.as_os_str().as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::icv::testing::settings_of;
    use crate::model::atomic::AtomicPtr;
    use crate::place::Bind;
    use std::ffi::{CStr, c_char};

    #[test]
    fn settings_are_shown() {
        let settings: &'static Settings = Box::leak(Box::new(settings_of(&[
            ("OMP_NUM_THREADS", "4,3,2"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_TOOL_LIBRARIES", "/a/b.so:c d.so"),
            ("OMP_CANCELLATION", "true"),
            ("OMP_DEBUG", "enabled"),
            ("KMP_BLOCKTIME", "infinite"),
        ])));
        let process = Process::empty();
        take(&process, settings);
        // SAFETY: `take` has stored arrays of leaked settings, and strings that are never freed.
        unsafe {
            let list = process.num_threads.load(Ordering::Acquire);
            assert_eq!(
                std::slice::from_raw_parts(list, process.num_threads_count.load(Ordering::Acquire) as usize),
                [4, 3, 2]
            );
            let list = process.bind.load(Ordering::Acquire);
            assert_eq!(process.bind_count.load(Ordering::Acquire), 2);
            assert_eq!(*list, Bind::Spread as u8);
            let text = |pointer: &AtomicPtr<c_char>| {
                CStr::from_ptr(pointer.load(Ordering::Acquire)).to_str().unwrap().to_owned()
            };
            assert_eq!(text(&process.tool_libraries), "/a/b.so:c d.so");
            assert_eq!(text(&process.tool_verbose_init), "disabled");
            let variables = text(&process.variables);
            assert!(variables.contains("\nKMP_BLOCKTIME=INFINITE\n"), "{variables}");
        }
        assert_eq!(process.cancellation.load(Ordering::Relaxed), 1);
        assert_eq!(process.debug.load(Ordering::Relaxed), 1);
    }
}
