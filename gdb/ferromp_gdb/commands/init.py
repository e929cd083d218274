"""`ompd init`: opens libompd.so for an existing program, or starts a program first."""

import os

import gdb

from .. import process
from ..errors import OmpdError, one_line
from .base import arguments, say


class Init(gdb.Command):
    """Look into the program's OpenMP runtime; start the program if none is there.

usage: ompd init [FILE]

FILE is the libompd.so to use; without it that of the plug-in's own installation, whatever the program names.
A program that is started gets OMP_DEBUG=enabled, unless `set environment` says otherwise, and stops in main;
where that has no symbol, when its runtime is there."""

    def __init__(self):
        super().__init__("ompd init", gdb.COMMAND_DATA, gdb.COMPLETE_FILENAME)

    @one_line
    def invoke(self, argument, from_tty):
        self.dont_repeat()
        file = next(iter(arguments(self, argument, 1)), None)
        if gdb.selected_thread() is None:
            _start()
        one = process.attach(os.path.expanduser(file) if file else None)
        say("%s: %s" % (one.library.version(), one.library.path))


def _start():
    """Starts the program, and lets it run until its runtime is ready."""
    said = gdb.execute("show environment OMP_DEBUG", to_string=True)
    if not said.startswith("OMP_DEBUG = "):
        gdb.execute("set environment OMP_DEBUG enabled")
    if not gdb.current_progspace().filename:
        raise OmpdError("there is no program to start; `file` names it, `attach` and `core-file` take what is there")
    if _has_main():
        gdb.execute("start")
        if gdb.selected_thread() is None or process.has_runtime() or process.other_runtime():
            return
        # The program loads its runtime later, or has none.
        _until_runtime("continue")
    else:
        _until_runtime("run")
    if gdb.selected_thread() is None:
        raise OmpdError("the program has come to its end: %s" % (process.other_runtime() or "it has loaded no OpenMP runtime"))


def _has_main():
    """Whether `start` would stop: it lets a program without that symbol run to its end."""
    for name in ("main", "MAIN__"):
        try:
            gdb.execute("info address %s" % name, to_string=True)
            return True
        except gdb.error:
            pass
    return False


def _until_runtime(command):
    """Runs the program by this command until a runtime signals debuggers that it is ready."""
    gdb.execute("with breakpoint pending on -- tbreak -qualified ompd_dll_locations_valid", to_string=True)
    breakpoint = gdb.breakpoints()[-1]
    try:
        gdb.execute(command)
    finally:
        if breakpoint.is_valid():
            breakpoint.delete()
