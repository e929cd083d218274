"""`ompd locks`: what threads wait for, with the holders and the waiting threads."""

import gdb

from .. import model, process
from ..errors import one_line
from ..waits import MUTEXES, Waits, kind_and_name
from .base import arguments, say, table


class Locks(gdb.Command):
    """List the locks, critical constructs, ordered and atomic regions that threads wait for, with who holds them.

usage: ompd locks

A lock that nobody waits for is not in the list: OpenMP keeps no list of locks."""

    def __init__(self):
        super().__init__("ompd locks", gdb.COMMAND_STATUS)

    @one_line
    def invoke(self, argument, from_tty):
        arguments(self, argument)
        view = process.current().view()
        waits = Waits(view)
        waiting = {}
        for thread in view.threads:
            if thread.state in MUTEXES and thread.wait_id:
                waiting.setdefault((thread.wait_id, MUTEXES[thread.state]), []).append(thread)
        rows = []
        for (wait_id, kind), threads in waiting.items():
            owner = view.owner(wait_id)
            if owner is None or owner is model.UNKNOWN:
                holder, at = owner or "nobody", ""
            else:
                holder, at = waits.name(owner), waits.doing(owner).where or ""
            rows.append([kind_and_name(kind, wait_id), holder, at, ", ".join(waits.name(thread) for thread in threads)])
        table(rows, ["what", "held by", "which is at", "waited for by"])
        if not rows:
            say("no thread waits for a lock")
        for line in waits.explain():
            say(line)
