"""One program with its runtime: the libompd.so that reads it, and one view of it a stop.

The library is code that runs in gdb, and a core file may come from anybody. The program therefore cannot choose the
library.
"""

import os

import gdb

from . import abi, callbacks, trust
from .errors import OmpdError, plain
from .library import Library, Refused
from .model import View
from .symbols import address_of, described, in_c

_OTHERS = {
    "libgomp": "GNU's libgomp",
    "libomp": "LLVM's libomp",
    "libiomp5": "Intel's libiomp5",
}
"""OpenMP runtimes that are not ours, by the beginning of their files' names."""

_ENTRY_POINTS = ("GOMP_parallel", "__kmpc_fork_call")
"""Symbols of programs that are linked with a runtime statically. (In others the linker's tables have the name.)"""

_LIBRARY = os.path.realpath(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "..", "lib", "libompd.so"))
"""The libompd.so of the installation that this plug-in belongs to."""

_MOST_NAMES, _LONGEST_NAME = 8, 4096
"""How many libraries that a program names are read, and how many bytes of each name."""

_processes = {}
"""By the inferior's number."""


class Process:
    """An inferior whose libompd.so is open."""

    def __init__(self, library):
        self.library = library
        inferior = gdb.selected_inferior()
        self.pid = inferior.pid
        try:
            with callbacks.hush():
                self.space = library.new("ompd_process_initialize", inferior.num)
        except Refused as why:
            if why.code == abi.INCOMPATIBLE:
                raise OmpdError(
                    "%s (%s) is of another version than the runtime of this program, %s; that one's own `ferromp debug` can read it"
                    % (library.path, library.version(), runtime_file() or "whose file is not known")
                ) from None
            raise
        self._view = None
        self._devices = {}

    def device(self, number):
        """The address space of a host device."""
        if number not in self._devices:
            self._devices[number] = self.library.device(self.space, gdb.selected_inferior().num, number)
        return self._devices[number]

    def view(self):
        """What is known of the program at this stop; while some of its threads run, at this moment."""
        if self._view is None or any(thread.is_running() for thread in gdb.selected_inferior().threads()):
            self._view = View(self.library, self.space, self.device)
        return self._view

    def moved(self):
        """The program has run, or its memory has been written: everything read before is out of date."""
        self._view = None

    def end(self):
        """Gives back the handles of a process that has ended."""
        try:
            for space in [*self._devices.values(), self.space]:
                self.library.call("ompd_rel_address_space_handle", space)
        except Refused:
            pass  # It ended together with the library's knowledge of it.


def current():
    """The current inferior's process; looks for its runtime if that has not been done. Fails in one line."""
    _check()
    inferior = gdb.selected_inferior()
    process = _processes.get(inferior.num)
    if process is None or process.pid != inferior.pid:
        process = attach(None)
    return process


def attach(file):
    """Opens libompd.so for the current inferior: the user's `file`, or the one of the plug-in's installation."""
    _check()
    number = gdb.selected_inferior().num
    _drop(number)
    if address_of("ferromp_ompd") is None:
        raise OmpdError(other_runtime() or _no_runtime())
    path = _named(file) if file else _own()
    _processes[number] = Process(Library.open(path))
    if not file:
        _tell_others(path)
    return _processes[number]


def _check():
    """Fails unless there is a program with at least one stopped thread."""
    inferior = gdb.selected_inferior()
    threads = inferior.threads()
    if not inferior.pid or not threads:
        raise OmpdError("the program is not running; `ompd init` starts it, `attach` and `core-file` work as well")
    if all(thread.is_running() for thread in threads):
        raise OmpdError("the program is running; `interrupt` stops it")
    if gdb.selected_thread() is None:
        raise OmpdError("the selected thread has ended; `info threads` lists the others")


def _no_runtime():
    """The failure that there is no runtime, with a possible reason."""
    if not is_core():
        return "there is no OpenMP runtime in this process"
    program = gdb.current_progspace().filename
    if program is None:
        return "gdb finds a core file's libraries by the program that left it: name that by `file`, and load the core file again"
    return "there is no OpenMP runtime in this core file, as far as gdb has found its libraries by %s (info sharedlibrary)" % program


def is_core():
    """Whether the current inferior is a core file."""
    connection = gdb.selected_inferior().connection
    return connection is not None and connection.type == "core"


def has_runtime():
    """Whether the current inferior has loaded a runtime that can be looked into."""
    return address_of("ferromp_ompd") is not None


def runtime_file():
    """The file of the runtime in the current inferior."""
    return gdb.current_progspace().solib_name(address_of("ferromp_ompd") or 0)


def _own():
    """The libompd.so of the plug-in's own installation."""
    if not os.path.isfile(_LIBRARY):
        raise OmpdError("%s is missing: the installation is incomplete; ompd init FILE takes another" % _LIBRARY)
    _refuse(_LIBRARY, ())
    return _LIBRARY


def _tell_others(path):
    """Says for each other existing library that the program names that it is not loaded."""
    for name in _named_by_runtime():
        if os.path.exists(name) and not os.path.samefile(name, path):
            what = "core file" if is_core() else "process"
            gdb.write("ompd: %s, which this %s names, is not loaded, but %s\n" % (plain(name), what, path))


def _named(file):
    """The library that the user has named. It may also belong to the plug-in's owner, whose code runs here anyway."""
    path = os.path.realpath(file)
    if os.path.exists(path):
        _refuse(path, {os.stat(__file__).st_uid})
    return path


def _refuse(path, also):
    """Fails for a library that other users could have written."""
    reason = trust.why_not(path, also)
    if reason:
        raise OmpdError("%s is not loaded: it %s" % (path, reason))


def _named_by_runtime():
    """The names in `ompd_dll_locations`. The program chooses them, so they are only compared and shown."""
    variable = address_of("ompd_dll_locations")
    paths = []
    try:
        with in_c():
            array = gdb.parse_and_eval("*(char ***)%#x" % variable) if variable else 0
            while array and len(paths) < _MOST_NAMES and array[len(paths)]:
                text = callbacks.string_at(gdb.selected_inferior(), int(array[len(paths)]), _LONGEST_NAME)
                paths.append(os.fsdecode(text))
    except gdb.error:
        pass  # A core without that page, or a program that has not come so far: nothing is named.
    return paths


def other_runtime():
    """The line about a runtime that cannot be read; None if there is none."""
    for objfile in gdb.objfiles():
        name = os.path.basename(os.path.realpath(objfile.filename))
        stem = name.split(".so")[0].split("-")[0]
        if stem == "libferromp":
            return "%s has no OMPD: it is older than this plug-in" % objfile.filename
        if ".so" in name and stem in _OTHERS:
            return "this program runs on %s (%s), not on ferromp: start it by `ferromp debug`" % (_OTHERS[stem], objfile.filename)
    for name in _ENTRY_POINTS:
        address = address_of(name)
        if address and "in section .text" in described(address):
            return "this program is statically linked with an OpenMP runtime, which cannot be replaced; link it with the shared one"
    return None


def _drop(number):
    process = _processes.pop(number, None)
    if process is not None:
        process.end()


def _moved(_event):
    for process in _processes.values():
        process.moved()


def _exited(event):
    _drop(event.inferior.num)


def _replaced(event):
    """The process executes another program, or the user has named one: forgets what was found."""
    for inferior in gdb.inferiors():
        if inferior.progspace == event.progspace:
            _drop(inferior.num)


gdb.events.cont.connect(_moved)
gdb.events.stop.connect(_moved)
gdb.events.memory_changed.connect(_moved)
gdb.events.register_changed.connect(_moved)
gdb.events.exited.connect(_exited)
gdb.events.clear_objfiles.connect(_replaced)
