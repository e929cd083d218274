"""Loads the OpenMP commands into gdb: `source PREFIX/share/gdb/ferromp.py`.

The modules lie beside this file, in `ferromp_gdb`; nothing is installed anywhere else.
"""

import os
import sys


def _load(folder):
    """Imports the plug-in from this folder, without leaving compiled files in the prefix."""
    if "ferromp_gdb" in sys.modules:
        return
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    sys.path.insert(0, folder)
    try:
        import ferromp_gdb

        ferromp_gdb.load()
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = keep


_load(os.path.dirname(os.path.realpath(__file__)))
