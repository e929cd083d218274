//! How tools read the frames of tasks (`ompt_frame_flag_t`).

use ompt::{Frame, FrameFlag};

/// The frames of a task that has not begun.
pub(crate) const OUTSIDE: Frame = Frame { exit_frame_flags: RUNTIME, enter_frame_flags: ENTRY_POINT, ..Frame::NONE };

/// The flags of exit frames: the frame pointer of a trampoline of the runtime.
pub(crate) const RUNTIME: i32 = FrameFlag::RUNTIME.0 | FrameFlag::FRAMEPOINTER.0;

/// The flags of enter frames: the canonical frame address of an entry point of the runtime.
pub const ENTRY_POINT: i32 = FrameFlag::RUNTIME.0 | FrameFlag::CFA.0;

/// The flags of a task's frames if the program itself calls the task's code, from the function that called the entry
/// point: the lowest address of that function's frame, which belongs to the encountering task.
pub const PROGRAM: i32 = FrameFlag::APPLICATION.0 | FrameFlag::STACKADDRESS.0;
