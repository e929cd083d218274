"""Addresses of the program's symbols, and expressions for gdb.

Symbols are looked up once, and forgotten whenever a library is loaded or unloaded. Expressions mean the same whatever
language and radix the user has set.
"""

import gdb

_known = {}


def address_of(name):
    """Where the symbol lies in the current inferior, also in a stripped library; None if there is none."""
    key = (gdb.selected_inferior().num, name)
    if key not in _known:
        try:
            with in_c():
                _known[key] = int(gdb.parse_and_eval("(long)&%s" % name)) & (2**64 - 1)
        except gdb.error:
            return None
    return _known[key]


def in_c():
    """A `with` block in which gdb reads expressions as C. Write numbers in hexadecimal, which no radix changes."""
    return gdb.with_parameter("language", "c")


def described(address):
    """gdb's description of the symbol at an address: name, offset, section, file."""
    with in_c():
        return gdb.execute("info symbol %#x" % address, to_string=True)


def forget(_event=None):
    """Forgets all symbols that were looked up."""
    _known.clear()


gdb.events.new_objfile.connect(forget)
gdb.events.clear_objfiles.connect(forget)
gdb.events.free_objfile.connect(forget)
gdb.events.exited.connect(forget)
