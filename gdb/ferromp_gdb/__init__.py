"""OpenMP in gdb: the commands `ompd …`, over libompd.so of ferromp (OpenMP 5.1, chapter 5).

From the bottom up: `abi` and `library` are libompd.so as ctypes sees it, `callbacks` is what gdb provides to the library.
`process` is one program, and `model` is what is known of it at one stop. `places`, `stacks` and `waits` put that into
words. Each file of `commands` is one command.
"""


def load():
    """Defines the commands and the frame filter."""
    from . import commands, filter

    commands.define()
    filter.install()
