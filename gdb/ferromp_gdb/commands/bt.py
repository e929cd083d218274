"""`ompd bt`: stacks without the runtime, and joined across threads."""

import gdb

from .. import process
from ..errors import one_line
from ..filter import FILTER
from .base import refusal, say


class Backtrace(gdb.Command):
    """Show the stack as the program has it: without the runtime's frames, and joined across threads.

usage: ompd bt [ARGUMENTS OF bt]
       ompd bt on|on continued|off

Behind the last frame of a worker's stack come those of the thread that encountered the region, marked by gdb's number of
that thread. `on` makes `bt` itself hide the runtime's frames, `on continued` makes it join stacks as well, `off` ends that."""

    def __init__(self):
        super().__init__("ompd bt", gdb.COMMAND_STACK)

    def complete(self, text, word):
        return [choice for choice in ("on", "on continued", "off") if choice.startswith(text)]

    @one_line
    def invoke(self, argument, from_tty):
        words = gdb.string_to_argv(argument)
        if words == ["on"]:
            FILTER.hides, FILTER.joins = True, False
            say("bt hides the runtime's frames")
        elif words == ["on", "continued"]:
            FILTER.hides, FILTER.joins = True, True
            say("bt hides the runtime's frames and goes on in the thread that encountered the region")
        elif words == ["off"]:
            FILTER.hides, FILTER.joins = False, False
            say("bt shows every frame")
        elif words and words[0] in ("on", "off"):
            raise refusal(self, words[2 if words[:2] == ["on", "continued"] else 1], "one word too many")
        else:
            _once(argument)


def _once(argument):
    """One `bt` with all of it."""
    process.current()
    before = FILTER.hides, FILTER.joins
    FILTER.hides, FILTER.joins = True, True
    try:
        gdb.execute("backtrace " + argument)
    finally:
        FILTER.hides, FILTER.joins = before
