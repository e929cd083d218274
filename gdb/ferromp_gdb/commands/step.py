"""`ompd step`: one step in the program's code, over the runtime and into what it calls."""

import gdb

from .. import process, stacks
from ..errors import OmpdError, one_line
from ..symbols import in_c
from .base import arguments

STARTS = ("ompd_bp_parallel_begin", "ompd_bp_task_begin")
"""Where the runtime stops for debuggers before it calls the program's code, with OMP_DEBUG=enabled."""

RUNTIME_FILES = tuple(
    "crates/%s/src/%s*.rs" % (crate, "*/" * depth) for crate in ("ground", "settings", "runtime") for depth in range(5)
)
"""Source files of the runtime, as its line numbers name them."""

_MOST = 100
"""How often one step may pass through the runtime before it ends."""


class Step(gdb.Command):
    """Step in the program's code: into parallel regions and tasks, and never into the runtime.

usage: ompd step

From a parallel construct it goes to the first line of the region, from the end of a region or task to where the program
goes on. Needs a program that was started with OMP_DEBUG=enabled to step into regions and tasks; others it steps over."""

    def __init__(self):
        super().__init__("ompd step", gdb.COMMAND_RUNNING)

    @one_line
    def invoke(self, argument, from_tty):
        arguments(self, argument)
        process.current()
        if process.is_core():
            raise OmpdError("a core file cannot be stepped")
        gdb.newest_frame().select()
        thread = gdb.selected_thread().global_num
        with _Skips():
            for _ in range(_MOST):
                inside = _in_runtime()
                with _Breakpoints(thread, inside) as breakpoints:
                    if not inside:
                        gdb.execute("step")
                        if not _in_runtime():
                            return
                    # Back in the middle of a line, the step goes on to its end.
                    if not breakpoints.leave_runtime() or _at_line():
                        break
        if gdb.selected_thread() is not None:
            gdb.execute("frame")


def _at_line():
    """Whether the selected thread stands at the first instruction of a line."""
    frame = gdb.newest_frame()
    return frame.find_sal().pc == frame.pc()


def _in_runtime():
    """Whether the selected thread is in the runtime, or in a function that the runtime called."""
    if gdb.selected_thread() is None:
        return False
    for frame in stacks.walk(gdb.newest_frame()):
        kind = stacks.owner(frame)
        if kind != stacks.SYSTEM:
            return kind == stacks.RUNTIME
    return True


class _Skips:
    """While this lasts, gdb's own `step` steps over functions in the runtime's files."""

    def __enter__(self):
        before = self._numbers()
        for files in RUNTIME_FILES:
            gdb.execute("skip -gfile %s" % files, to_string=True)
        self._own = self._numbers() - before

    def __exit__(self, *_):
        gdb.execute("skip delete %s" % " ".join(sorted(self._own)), to_string=True)

    @staticmethod
    def _numbers():
        lines = gdb.execute("info skip", to_string=True).splitlines()
        return {line.split()[0] for line in lines if line.split()[:1] and line.split()[0].isdigit()}


class _Breakpoints:
    """Breakpoints of one thread while it steps. gdb stops at them silently."""

    def __init__(self, thread, inside):
        self._thread, self._inside = thread, inside
        self._own = []

    def __enter__(self):
        self._starts = [self._at(name) for name in STARTS]
        self._return = None
        # A thread that waits in the runtime passes the same place there again and again.
        for frame in stacks.walk(gdb.newest_frame()) if not self._inside else ():
            if stacks.owner(frame) == stacks.RUNTIME:
                self._return = self._at("*%#x" % frame.pc())
                break
        return self

    def __exit__(self, *_):
        for breakpoint in self._own:
            if breakpoint.is_valid():
                breakpoint.delete()

    def _at(self, where):
        with in_c():
            breakpoint = gdb.Breakpoint(where, internal=True)
        breakpoint.thread = self._thread
        breakpoint.silent = True
        self._own.append(breakpoint)
        return breakpoint

    def leave_runtime(self):
        """From inside the runtime to the program's code: to the function that the runtime is about to call, or back to the
        caller. Returns whether it came back to the caller."""
        # One stack may have the same place of the runtime several times.
        if self._return is not None:
            self._return.delete()
        for _ in range(_MOST):
            function = _about_to_run()
            frame = next((one for one, _ in stacks.visible(stacks.walk(gdb.newest_frame()))), None)
            target = None
            if function is not None:
                target = self._at("*%#x" % _behind_prologue(function))
            elif frame is not None:
                target = self._at("*%#x" % frame.pc())
            # Otherwise the thread is a worker between regions, which continues with whatever it executes next.
            before = [start.hit_count for start in self._starts]
            gdb.execute("continue", to_string=True)
            stopped = gdb.selected_thread()
            if stopped is None or stopped.global_num != self._thread:
                return False
            if target is not None and target.hit_count:
                return function is None
            if before == [start.hit_count for start in self._starts]:
                return False
        return False


def _about_to_run():
    """The program's function that the runtime calls next, at one of its places for debuggers. A target construct's task
    has a function of the runtime, which leads to such a place again."""
    function = _announced()
    if function is None or gdb.current_progspace().solib_name(function) == process.runtime_file():
        return None
    return function


def _announced():
    """The function at such a place."""
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
    block, lines = gdb.block_for_pc(function), list(found.symtab.linetable())
    if len({entry.line for entry in lines if entry.pc == function}) > 1:
        return function  # The compiler has optimised the prologue away.
    following = [entry.pc for entry in lines if function < entry.pc < (block.end if block else function)]
    return min(following, default=function)
