"""`ompd step`: one step in the program's code, over the runtime and into what it calls."""

import gdb

from .. import process, stacks
from ..errors import OmpdError, one_line

STARTS = ("ompd_bp_parallel_begin", "ompd_bp_task_begin")
"""Where the runtime stops for debuggers before it calls the program's code, with OMP_DEBUG=enabled."""

_MOST = 100
"""How often a step may come through the runtime before it ends."""


class Step(gdb.Command):
    """Step in the program's code: into parallel regions and tasks, and never into the runtime.

usage: ompd step

From a parallel construct it goes to the first line of the region, from the end of a region or task to where the program
goes on. Needs a program that was started with OMP_DEBUG=enabled to step into regions and tasks; others it steps over."""

    def __init__(self):
        super().__init__("ompd step", gdb.COMMAND_RUNNING)

    @one_line
    def invoke(self, argument, from_tty):
        process.current()
        inferior = gdb.selected_inferior()
        if not inferior.was_attached and not _runs():
            raise OmpdError("a core file cannot be stepped")
        with _Breakpoints(gdb.selected_thread().global_num) as breakpoints:
            gdb.execute("step", to_string=True)
            for _ in range(_MOST):
                if not _in_runtime():
                    break
                if not breakpoints.go_on():
                    break
        if gdb.selected_thread() is not None:
            gdb.execute("frame")


def _runs():
    """Whether there is a process, not a core."""
    return "native" in gdb.execute("info inferiors", to_string=True) or gdb.selected_inferior().connection.type != "core"


def _in_runtime():
    """Whether the selected thread stands in the runtime, or in what that calls."""
    if gdb.selected_thread() is None:
        return False
    for frame in stacks.walk(gdb.newest_frame()):
        kind = stacks.owner(frame)
        if kind != stacks.SYSTEM:
            return kind == stacks.RUNTIME
    return True


class _Breakpoints:
    """Breakpoints of one thread while it steps."""

    def __init__(self, thread):
        self._thread = thread
        self._own = []

    def __enter__(self):
        self._starts = [self._at(name) for name in STARTS]
        return self

    def __exit__(self, *_):
        for breakpoint in self._own:
            if breakpoint.is_valid():
                breakpoint.delete()

    def _at(self, where):
        breakpoint = gdb.Breakpoint(where, internal=True)
        breakpoint.thread = self._thread
        breakpoint.silent = True
        self._own.append(breakpoint)
        return breakpoint

    def go_on(self):
        """From inside the runtime to the program's code: what the runtime is about to call, or what called it. Whether it came so
        far."""
        function = _about_to_run()
        frame = next((one for one, _ in stacks.visible(stacks.walk(gdb.newest_frame()))), None)
        if function is not None:
            target = self._at("*%d" % _behind_prologue(function))
        elif frame is not None:
            target = self._at("*%d" % frame.pc())
        else:
            target = None  # A worker between regions: it goes on with whatever it executes next.
        gdb.execute("continue", to_string=True)
        stopped = gdb.selected_thread()
        if stopped is None or stopped.global_num != self._thread:
            return False
        if target is not None and target.hit_count:
            return False
        return any(start.hit_count for start in self._starts)


def _about_to_run():
    """The function that the runtime calls next, at one of the places where it stops for debuggers."""
    name = gdb.newest_frame().name()
    if name not in STARTS:
        return None
    view = process.current().view()
    thread = view.selected()
    if thread is None:
        return None
    if name == STARTS[0]:
        region = view.region_of(thread)
        return region.function if region and region.function else None
    task = view.tasks.get(thread.task)
    return task.function if task and task.function else None


def _behind_prologue(function):
    """The address of the first statement of a function, by its lines; the function itself where it has none."""
    found = gdb.find_pc_line(function)
    if found.symtab is None:
        return function
    block = gdb.block_for_pc(function)
    following = [entry.pc for entry in found.symtab.linetable() if function < entry.pc < (block.end if block else function)]
    return min(following, default=function)
