//! How tools read the frames of tasks (`ompt_frame_flag_t`).

use ompt::Frame;

/// The frames of a task that has not begun.
pub(crate) fn outside() -> Frame {
    Frame { exit_frame_flags: frame_flags(), enter_frame_flags: entry_point_flags(), ..Frame::NONE }
}

/// The flags of exit frames: the frame pointer of a trampoline of the runtime.
pub(crate) fn frame_flags() -> i32 {
    ompt::FrameFlag::RUNTIME.0 | ompt::FrameFlag::FRAMEPOINTER.0
}

/// The flags of enter frames: the canonical frame address of an entry point of the runtime.
pub fn entry_point_flags() -> i32 {
    ompt::FrameFlag::RUNTIME.0 | ompt::FrameFlag::CFA.0
}

/// The flags of a task's frames if the program itself calls the task's code, from the function that called the entry
/// point: the lowest address of that function's frame, which belongs to the encountering task.
pub fn program_flags() -> i32 {
    ompt::FrameFlag::APPLICATION.0 | ompt::FrameFlag::STACKADDRESS.0
}
