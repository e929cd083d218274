"""`ompd threads`: all threads of the runtime."""

import gdb

from .. import model, process
from ..errors import one_line
from ..waits import Waits
from .base import arguments, say, table


class Threads(gdb.Command):
    """List the threads that OpenMP knows: where they work, what they do, what they wait for.

usage: ompd threads

The first column is gdb's number (`thread N` selects it), `number` the thread number in the region, as
omp_get_thread_num() has it. `ompd parallel` numbers the regions."""

    def __init__(self):
        super().__init__("ompd threads", gdb.COMMAND_STATUS)

    @one_line
    def invoke(self, argument, from_tty):
        arguments(self, argument)
        view = process.current().view()
        waits = Waits(view)
        selected = view.selected()
        rows = []
        for thread in view.threads:
            region = view.region_of(thread)
            doing = waits.doing(thread)
            rows.append(
                [
                    "*" if thread is selected else "",
                    thread.num or "-",
                    thread.native.ptid[1] if thread.native else thread.lwp,
                    model.KINDS.get(thread.kind, "unknown") + (" of device %d" % thread.device if thread.device >= 0 else ""),
                    region.number if region and not region.initial else "-",
                    thread.tid if region and not region.initial else "-",
                    doing.text,
                    doing.where or "",
                ]
            )
        table(rows, ["", "gdb", "LWP", "kind", "region", "number", "does", "at"])
        if not rows:
            say(model.NO_THREADS)
        elif any(thread.native is None for thread in view.threads):
            say("gdb does not have those marked -: they have ended, or are left from the process that forked this one")
        for line in waits.explain():
            say(line)
