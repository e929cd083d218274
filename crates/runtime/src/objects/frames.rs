//! How the frames of tasks are to be read (`ompt_frame_flag_t`).

use ompt::Frame;

/// The frames of a task that has not begun.
pub(crate) fn outside() -> Frame {
    Frame { exit_frame_flags: frame_flags(), enter_frame_flags: entry_point_flags(), ..Frame::NONE }
}

/// How exit frames are to be read: the frame pointer of a trampoline of the runtime.
pub(crate) fn frame_flags() -> i32 {
    ompt::FrameFlag::RUNTIME.0 | ompt::FrameFlag::FRAMEPOINTER.0
}

/// How enter frames are to be read: the canonical frame address of an entry point of the runtime.
pub fn entry_point_flags() -> i32 {
    ompt::FrameFlag::RUNTIME.0 | ompt::FrameFlag::CFA.0
}

/// How the frames of tasks are to be read whose code the program itself calls from the function that called an entry
/// point: the lowest address of that function's frame, which belongs to the task outside.
pub fn program_flags() -> i32 {
    ompt::FrameFlag::APPLICATION.0 | ompt::FrameFlag::STACKADDRESS.0
}
