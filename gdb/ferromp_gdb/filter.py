"""Stacks as the program's author knows them: gdb's frame filter that hides the runtime and joins stacks.

A region's code runs on many threads, each of which has a stack of its own; behind the last frame of a worker's come those of the
thread that encountered the region.
"""

import os

import gdb
from gdb.FrameDecorator import FrameDecorator

from . import joins, places, process, stacks
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
        return self._frames(frames)

    def _frames(self, frames):
        for item, _ in stacks.visible(frames, lambda item: item.inferior_frame()):
            yield item
        if self.joins:
            yield from _joined()


def _joined():
    """The frames of other threads that belong behind the selected one's."""
    try:
        view = process.current().view()
    except OmpdError:
        return
    thread = view.selected()
    if thread is None:
        return
    outermost = list(stacks.walk(gdb.newest_frame()))[-1]
    for other, frames in joins.behind(view, thread):
        for frame in frames:
            yield Elsewhere(outermost, other, frame)


class Elsewhere(FrameDecorator):
    """A frame of another thread, as it was read there. For gdb it stands for the outermost frame of the selected thread."""

    def __init__(self, outermost, thread, frame):
        super().__init__(outermost)
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
