"""`ompd init`: finds libompd.so, in a program that is there or in one that it starts."""

import gdb

from .. import process
from ..errors import one_line
from .base import arguments, say


class Init(gdb.Command):
    """Look into the program's OpenMP runtime; start the program if none is there.

usage: ompd init [FILE]

FILE is the libompd.so to use; without it the one that the runtime names, the one beside the runtime's file,
or that of the plug-in's own installation. A program that is started gets OMP_DEBUG=enabled, unless `set environment`
says otherwise, and stops in main."""

    def __init__(self):
        super().__init__("ompd init", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    @one_line
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        file = next(iter(arguments(self, argument, 1)), None)
        if gdb.selected_thread() is None:
            _start()
        one = process.attach(file)
        say("%s: %s" % (one.library.version(), one.library.path))


def _start():
    """Starts the program, and lets it run until its runtime is there."""
    said = gdb.execute("show environment OMP_DEBUG", to_string=True)
    if not said.startswith("OMP_DEBUG = "):
        gdb.execute("set environment OMP_DEBUG enabled")
    gdb.execute("start")
    if gdb.selected_thread() is not None and not process.has_runtime() and not process.other_runtime():
        # A program that loads its runtime later, or none.
        gdb.Breakpoint("ompd_dll_locations_valid", temporary=True, internal=True)
        gdb.execute("continue")
