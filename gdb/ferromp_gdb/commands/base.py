"""What the commands share: the prefix `ompd`, and tables."""

import gdb


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
