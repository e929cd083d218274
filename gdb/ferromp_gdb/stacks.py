"""Stacks of threads: which frames are the program's, which the runtime's, and where the runtime called the program."""

import contextlib
import os
import re

import gdb

from . import process
from .symbols import described

PROGRAM, RUNTIME, SYSTEM = "program", "runtime", "system"
"""The owner of a frame: program or runtime."""

_SYSTEM = ("libc.", "libpthread", "ld-linux", "ld-2", "libgcc_s", "libm.", "libdl.", "librt.", "linux-vdso")
"""Libraries that stand between program and runtime, by the beginning of their files' names."""

_DEEPEST = 10000
"""Frames after which a search gives up: a stack may be broken, or have no end."""


def owner(frame):
    """The owner of the frame."""
    library = gdb.current_progspace().solib_name(frame.pc())
    if library is None:
        return PROGRAM
    if library == process.runtime_file():
        return RUNTIME
    return SYSTEM if os.path.basename(library).startswith(_SYSTEM) else PROGRAM


def walk(frame):
    """The frame and those that called it."""
    for _ in range(_DEEPEST):
        if frame is None:
            return
        yield frame
        frame = frame.older()


def visible(frames, frame_of=lambda item: item):
    """The items with the program's frames, without the runtime, what it calls, and what starts its threads.

    Each item comes with whether the runtime has called it.
    """
    held, pending, below = [], None, None
    for item in frames:
        kind = owner(frame_of(item))
        if kind == SYSTEM:
            held.append(item)
            continue
        if kind == RUNTIME:
            # The runtime called the held frames, and the pending ones as well.
            if pending is not None:
                yield pending, True
            pending = None
        else:
            for system in held:
                if pending is not None:
                    yield pending, False
                pending = system
            if pending is not None:
                yield pending, False
            pending = item
        held, below = [], kind
    if pending is not None:
        yield pending, False
    if below != RUNTIME:
        for item in held:
            yield item, False


def segments(frame):
    """The program's frames in groups: each begins where the runtime was entered and ends with what the runtime called."""
    group, groups = [], []
    for item, called_by_runtime in visible(walk(frame)):
        group.append(item)
        if called_by_runtime:
            groups.append(group)
            group = []
    return groups + [group] if group else groups


def place(frame):
    """The place of a stack: its innermost frame with a line, or else its innermost frame of the program; and the
    runtime's function that it called, if it stands in the runtime. Both are None for idle threads of the runtime."""
    first, entry = None, None
    for one in walk(frame):
        kind = owner(one)
        if kind == RUNTIME and first is None:
            entry = _entry_point(one)
        elif kind == PROGRAM:
            first = first or one
            if one.find_sal().symtab is not None:
                return one, entry
        elif first is None and entry is not None:
            return None, None  # What starts the runtime's threads.
    return first, entry if first else None


def _entry_point(frame):
    """The runtime's function of a frame. Entry points jump to an inner function, whose symbol contains their name."""
    name = frame.name()
    if name != "implementation":
        return name
    found = re.search(r"(\w+)::(?:for_tools::)?implementation", described(frame.pc()))
    return found.group(1) if found else name


@contextlib.contextmanager
def on(thread):
    """Selects gdb's thread for a `with` block."""
    before = gdb.selected_thread()
    if thread.num == before.num:
        yield
        return
    frame = gdb.selected_frame() if before.is_stopped() else None
    thread.switch()
    try:
        yield
    finally:
        before.switch()
        if frame is not None:
            frame.select()
