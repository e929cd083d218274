"""Addresses of the program's symbols. They are looked up once and forgotten whenever a library comes or goes."""

import gdb

_known = {}


def address_of(name):
    """Where the symbol lies in the current inferior, also in a stripped library; None if there is none."""
    key = (gdb.selected_inferior().num, name)
    if key not in _known:
        try:
            with gdb.with_parameter("language", "c"):
                _known[key] = int(gdb.parse_and_eval("(long)&%s" % name)) & (2**64 - 1)
        except gdb.error:
            return None
    return _known[key]


def forget(_event=None):
    """Drops what was looked up."""
    _known.clear()


gdb.events.new_objfile.connect(forget)
gdb.events.clear_objfiles.connect(forget)
gdb.events.exited.connect(forget)
