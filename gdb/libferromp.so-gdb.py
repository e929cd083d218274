"""gdb loads this file by itself together with libferromp.so, if its `auto-load safe-path` has this folder.

The plug-in lies in the same prefix, wherever that was moved to.
"""

import os
import runpy

import gdb


def _load(library):
    """Loads the plug-in of the prefix that this library belongs to."""
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(library)))
    plugin = os.path.join(prefix, "share", "gdb", "ferromp.py")
    if os.path.isfile(plugin):
        runpy.run_path(plugin)
    else:
        gdb.write("ompd: %s is missing: the installation is incomplete\n" % plugin, gdb.STDERR)


_load(gdb.current_objfile().filename)
