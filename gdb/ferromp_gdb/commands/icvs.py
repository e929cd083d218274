"""`ompd icvs`: internal control variables, as the selected thread has them."""

import contextlib

import gdb

from .. import abi, process
from ..errors import OmpdError, one_line
from ..library import Refused
from .base import arguments, say, table


class Icvs(gdb.Command):
    """List the internal control variables and their values, as the selected thread has them.

usage: ompd icvs [WORD]

Each stands with its scope: the whole program, the thread, its parallel region, its task. With WORD, those whose name holds it."""

    def __init__(self):
        super().__init__("ompd icvs", gdb.COMMAND_STATUS)

    @one_line
    def invoke(self, argument, from_tty):
        word = next(iter(arguments(self, argument, 1)), "")
        one = process.current()
        view, library = one.view(), one.library
        thread = view.selected()
        rows = []
        with contextlib.ExitStack() as stack:
            handles = _handles(stack, view, thread)
            for number, name, scope in library.icvs(view.space):
                if word not in name:
                    continue
                handle = handles.get(scope)
                try:
                    value = library.icv_text(handle, scope, number) if handle else "-"
                except Refused as why:
                    value = "- (%s)" % abi.RC_NAMES[why.code]
                rows.append([name, abi.SCOPE_NAMES.get(scope, str(scope)), value])
        if word and not rows:
            raise OmpdError("no ICV has `%s` in its name" % word)
        table(rows, ["ICV", "scope", "value"])
        if thread is None:
            say("the selected thread is none of OpenMP's: what a thread, a region or a task has is not shown")


def _handles(stack, view, thread):
    """A handle for each scope, of the selected thread where it has one."""
    space = view.space if thread is None else view.space_of(thread)
    handles = {abi.SCOPE_ADDRESS_SPACE: space, 1: space}
    if thread is None:
        return handles
    library = view.library

    def add(scope, kind, *call):
        try:
            handles[scope] = stack.enter_context(library.handle(kind, *call))
        except Refused:
            pass  # The thread has none, as one between two regions has no task.

    handles[abi.SCOPE_THREAD] = stack.enter_context(view.thread_handle(thread))
    add(abi.SCOPE_PARALLEL, "parallel", "ompd_get_curr_parallel_handle", handles[abi.SCOPE_THREAD])
    add(abi.SCOPE_TASK, "task", "ompd_get_curr_task_handle", handles[abi.SCOPE_THREAD])
    if abi.SCOPE_PARALLEL in handles:
        add(abi.SCOPE_IMPLICIT_TASK, "task", "ompd_get_task_in_parallel", handles[abi.SCOPE_PARALLEL], thread.tid)
    return handles
