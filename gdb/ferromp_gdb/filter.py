"""Stacks as the program's author knows them: gdb's frame filter that hides the runtime and joins stacks.

A region's code runs on many threads, each with a stack of its own. The frames of the thread that encountered the region
follow the last frame of a worker's stack.
"""

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import joins, process, stacks
from .errors import OmpdError


class Filter:
    """Off, until `ompd bt on`."""

    name, priority, enabled = "ompd", 90, True

    def __init__(self):
        self.hides = False
        self.joins = False

    def filter(self, frames):
        """What gdb calls for each `bt`."""
        if not self.hides or not process.has_runtime():
            return frames
        # Read before gdb walks the stack. If another thread's stack were read in between, gdb would take the same
        # frame for a new one.
        return self._frames(frames, _joined() if self.joins else [])

    @staticmethod
    def _frames(frames, joined):
        last = gdb.newest_frame()
        for item, _ in stacks.visible(frames, lambda item: item.inferior_frame()):
            last = item.inferior_frame()
            yield item if last.name() else Nameless(item)
        for thread, frame in joined:
            yield Elsewhere(last, thread, frame)


def _joined():
    """The frames of other threads that follow the selected thread's frames, as pairs of thread and frame."""
    try:
        view = process.current().view()
    except OmpdError:
        return []
    thread = view.selected()
    if thread is None:
        return []
    return [(other, frame) for other, frames in joins.behind(view, thread) for frame in frames]


class Nameless(FrameDecorator):
    """A frame whose code has not even a symbol. gdb's own name for the function gets lost in filters."""

    def function(self):
        return "??"


class Elsewhere(FrameDecorator):
    """A frame of another thread. It has no number, because gdb would take it for a frame of the selected thread."""

    def __init__(self, anchor, thread, frame):
        super().__init__(anchor)
        self._thread, self._frame = thread, frame

    def function(self):
        return "[thread %d] %s" % (self._thread.num, self._frame.name)

    def address(self):
        return self._frame.pc

    def filename(self):
        return self._frame.file

    def line(self):
        return self._frame.line

    def frame_args(self):
        return None

    def frame_locals(self):
        return None


FILTER = Filter()


def install():
    """Registers the filter, for all programs."""
    gdb.frame_filters[Filter.name] = FILTER
