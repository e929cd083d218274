"""`ompd states`: the possible states, and the threads in each."""

import gdb

from .. import abi, process
from ..errors import one_line
from .base import arguments, say, table


class States(gdb.Command):
    """List the states that a thread can be in, and which threads are in each, by gdb's numbers.

usage: ompd states"""

    def __init__(self):
        super().__init__("ompd states", gdb.COMMAND_STATUS)

    @one_line
    def invoke(self, argument, from_tty):
        arguments(self, argument)
        one = process.current()
        view = one.view()
        inside = {}
        for thread in view.threads:
            inside.setdefault(thread.state, []).append(str(thread.num or "LWP %d" % thread.lwp))
        rows = []
        for number, name in one.library.states(view.space):
            rows.append(["%#05x" % number, name, ", ".join(inside.pop(number, []))])
        table(rows, ["state", "name", "threads"])
        if abi.NOT_TRACKED in inside:
            say("not kept without OMP_DEBUG=enabled: threads %s" % ", ".join(inside[abi.NOT_TRACKED]))
