"""Failures as the user reads them: one line, without a traceback."""

import functools

import gdb


def plain(text):
    """A text as one line without control characters. File names in a core file are of the core's choice."""
    return "".join(letter if letter.isprintable() else "\\x%02x" % ord(letter) for letter in text)


class OmpdError(gdb.GdbError):
    """What went wrong, for people. gdb prints it as one line and ends the command."""

    def __init__(self, text):
        super().__init__("ompd: " + plain(text))


def one_line(invoke):
    """Wraps a command's `invoke`: gdb's own errors become one line as well, and Ctrl-C works as elsewhere."""

    @functools.wraps(invoke)
    def wrapped(self, argument, from_tty):
        try:
            return invoke(self, argument, from_tty)
        except gdb.error as why:
            raise OmpdError(str(why)) from None
        except SystemError as why:
            raise OmpdError("gdb has lost the program (%s)" % why) from None
        except KeyboardInterrupt:
            raise gdb.GdbError("Quit") from None

    return wrapped
