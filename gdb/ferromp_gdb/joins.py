"""The frames that follow the last frame of a worker's stack: those of the thread that encountered its region.

The stacks are joined where that thread entered the runtime for the region. If the runtime keeps frames and places, the
encountering task's frame or the construct's return address gives the place; otherwise the functions of the regions do.
"""

import collections

import gdb

from . import places, stacks

Seen = collections.namedtuple("Seen", "name pc file line")
"""A frame of another thread, as it is shown."""

_FARTHEST = 1000
"""The nesting depth of regions at which a search gives up."""


def behind(view, thread):
    """Pairs of a thread and its frames that come next, from the thread's own stack outwards."""
    region = view.region_of(thread)
    for _ in range(_FARTHEST):
        region = _left_for_another(view, thread, region)
        if region is None:
            # A thread of the host has encountered what a device executes.
            thread = view.on_host(thread)
            if thread is None:
                return
            region = view.region_of(thread)
            continue
        primary = view.member(region, 0)
        if primary is None or primary.native is None or primary.running:
            return
        with stacks.on(primary.native):
            frames = _outside(view, primary, region)
        yield primary, frames
        # Regions further out that the primary thread encountered itself are on its stack already.
        thread, region = primary, region.outer


def _left_for_another(view, thread, region):
    """The innermost region from `region` outwards that another thread than `thread` encountered, or None."""
    for _ in range(_FARTHEST):
        if region is None:
            return None
        primary = view.member(region, 0)
        if primary is not None and primary is not thread:
            return region
        region = region.outer
    return None


def _outside(view, primary, region):
    """The program's frames of the selected stack, from the place where it entered the runtime for the region."""
    groups = stacks.segments(gdb.newest_frame())
    at = _by_address(groups, region)
    if at is None:
        at = _by_function(view, primary, groups, region)
    if at is None:
        return []
    group, skipped = at
    return [_seen(frame) for group in [groups[group][skipped:], *groups[group + 1 :]] for frame in group]


def _by_address(groups, region):
    """The group whose innermost frame encountered the construct; None if the runtime does not keep the place."""
    if region.codeptr:
        for number, group in enumerate(groups):
            for skipped, frame in enumerate(group):
                if frame.pc() == region.codeptr:
                    return number, skipped
    return None


def _by_function(view, primary, groups, region):
    """The group outside the region's code on its primary thread. If that thread has left the code already, the group
    of the task that encountered the region."""
    # The same function may run in regions further in, by recursion.
    same, inner = 0, view.region_of(primary)
    while inner is not None and inner.team != region.team and same < _FARTHEST:
        same += inner.function == region.function
        inner = inner.outer
    starts = [places.start(group[-1].pc()) for group in groups]
    running = [number for number, start in enumerate(starts) if start == region.function]
    if len(running) > same:
        outside = running[same] + 1
        return (outside, 0) if outside < len(groups) else None
    task = view.tasks.get(region.encountering)
    if task is not None and task.function in starts:
        return starts.index(task.function), 0
    return (len(groups) - 1, 0) if groups else None


def _seen(frame):
    found = frame.find_sal()
    return Seen(
        frame.name() or "??", frame.pc(), found.symtab.filename if found.symtab else None, found.line if found.symtab else None
    )
