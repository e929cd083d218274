"""What the commands share: the prefix `ompd`, their arguments, and tables."""

import re

import gdb

from ..errors import OmpdError


class Ompd(gdb.Command):
    """OpenMP: threads, regions, tasks and settings of a program that runs on ferromp.

`ompd init` starts the program, or looks into the one that is there; the others do that by themselves.
They work in a program that gdb has started, in one that it is attached to, and in a core file. Exact states,
frames and the places where tasks were created are kept where the program was started with OMP_DEBUG=enabled,
as `ompd init` and `ferromp debug` start it."""

    def __init__(self):
        super().__init__("ompd", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE, True)

    def invoke(self, argument, from_tty):
        if argument:
            raise gdb.GdbError('Undefined ompd command: "%s".  Try "help ompd".' % argument)
        gdb.execute("help ompd")


def arguments(command, argument, most=0):
    """The words of a command's argument. More than `most` are refused, by the first of those."""
    found = gdb.string_to_argv(argument)
    if len(found) > most:
        raise refusal(command, found[most], "one word too many")
    return found


def refusal(command, word, what):
    """The failure of a command that does nothing with this word of its argument: what the word is, and the usage as `help` has it."""
    usage = re.search(r"^usage: (.*(?:\n +ompd .*)*)", command.__doc__, re.MULTILINE).group(1)
    return OmpdError("`%s` is %s; usage: %s" % (word, what, re.sub(r"\n +", " or ", usage)))


def table(rows, head=None, indent=0):
    """Prints rows of texts in columns; numbers stand to the right. Without rows nothing is printed."""
    if not rows:
        return
    rows = [[str(cell) for cell in row] for row in rows]
    lines = [list(head)] + rows if head else rows
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    right = [all(row[column].isdigit() or row[column] in ("", "-") for row in rows) for column in range(len(widths))]
    text = []
    for line in lines:
        cells = [cell.rjust(width) if to_the_right else cell.ljust(width) for cell, width, to_the_right in zip(line, widths, right)]
        text.append(" " * indent + "  ".join(cells).rstrip())
    gdb.write("\n".join(text) + "\n")


def say(text=""):
    """Prints a line."""
    gdb.write(text + "\n")
