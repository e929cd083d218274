"""What gdb provides to libompd.so: the program's memory, symbols and threads (OpenMP 5.1, section 5.4).

An address space's context is the inferior's number, a thread's context is gdb's number of the thread. No exception
leaves a callback.
"""

import contextlib
import ctypes
import sys
from ctypes import c_uint32, c_uint64, memmove

import gdb

from . import abi
from .symbols import address_of, in_c

_libc = ctypes.CDLL(None)
_libc.malloc.argtypes, _libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
_libc.free.argtypes, _libc.free.restype = [ctypes.c_void_p], None

_STRING_STEP = 256
"""Bytes of a string that are read at once."""


_hushed = False


@contextlib.contextmanager
def hush():
    """Silences the library for a `with` block. A failure of the block has a line of its own."""
    global _hushed
    _hushed = True
    try:
        yield
    finally:
        _hushed = False


def free(pointer):
    """Gives back what the library allocated for us."""
    _libc.free(pointer)


def _answer(failure):
    """Makes a callback of a function that returns nothing on success. Any exception becomes `failure`."""

    def decorate(function):
        def callback(*arguments):
            try:
                code = function(*arguments)
                return abi.OK if code is None else code
            except (gdb.error, ValueError, KeyError, OverflowError, UnicodeError, TypeError):
                return failure

        return callback

    return decorate


def _inferior(context):
    """The inferior of a context. It must be the current one, because gdb reads no other one's memory and symbols."""
    inferior = gdb.selected_inferior()
    if inferior.num != context:
        raise ValueError("another inferior")
    return inferior


@_answer(abi.NOMEM)
def _alloc_memory(nbytes, pointer):
    pointer[0] = _libc.malloc(nbytes)
    return None if pointer[0] else abi.NOMEM


@_answer(abi.ERROR)
def _free_memory(pointer):
    free(pointer)


@_answer(abi.ERROR)
def _print_string(text, _category):
    if not _hushed:
        gdb.write("ompd: %s\n" % (text or b"").decode(errors="replace").strip())


@_answer(abi.ERROR)
def _sizeof_type(context, sizes):
    _inferior(context)
    with in_c():
        for name in ("char", "short", "int", "long"):
            setattr(sizes[0], "sizeof_" + name, gdb.lookup_type(name).sizeof)
        sizes[0].sizeof_long_long = gdb.lookup_type("long long").sizeof
        sizes[0].sizeof_pointer = gdb.lookup_type("char").pointer().sizeof


@_answer(abi.ERROR)
def _symbol_addr(context, _thread, name, address, _file):
    _inferior(context)
    found = address_of(name.decode())
    if found is None:
        return abi.UNAVAILABLE
    address[0].segment, address[0].address = 0, found
    return None


@_answer(abi.ERROR)
def _read_memory(context, _thread, address, nbytes, buffer):
    memmove(buffer, _inferior(context).read_memory(address[0].address, nbytes).tobytes(), nbytes)


@_answer(abi.ERROR)
def _write_memory(context, _thread, address, nbytes, buffer):
    _inferior(context).write_memory(address[0].address, ctypes.string_at(buffer, nbytes))


def string_at(inferior, start, most):
    """The bytes of a string in the program, without its end; `most` at most."""
    text = b""
    while len(text) < most and b"\0" not in text:
        # At most up to a multiple of the step: memory behind the string may not be readable.
        step = min(_STRING_STEP - (start + len(text)) % _STRING_STEP, most - len(text))
        text += inferior.read_memory(start + len(text), step).tobytes()
    return text.split(b"\0")[0]


@_answer(abi.ERROR)
def _read_string(context, _thread, address, nbytes, buffer):
    text = string_at(_inferior(context), address[0].address, nbytes) + b"\0"
    memmove(buffer, text, min(len(text), nbytes))


@_answer(abi.ERROR)
def _convert(_context, source, unit, count, target):
    data = ctypes.string_at(source, unit * count)
    if unit > 1 and ("little" if "little" in gdb.execute("show endian", to_string=True) else "big") != sys.byteorder:
        data = b"".join(data[at : at + unit][::-1] for at in range(0, len(data), unit))
    memmove(target, data, len(data))


@_answer(abi.ERROR)
def _thread_context(context, kind, size, native, found):
    wanted = {4: c_uint32, 8: c_uint64}[size].from_address(native).value
    for thread in _inferior(context).threads():
        if kind == abi.THREAD_ID_LWP:
            mine = thread.ptid[1]
        elif kind == abi.THREAD_ID_PTHREAD:
            mine = int.from_bytes(thread.handle(), sys.byteorder)
        else:
            return abi.UNSUPPORTED
        if mine == wanted:
            found[0] = thread.num
            return None
    return abi.UNAVAILABLE


TABLE = abi.Callbacks(
    abi.AllocMemory(_alloc_memory),
    abi.FreeMemory(_free_memory),
    abi.PrintString(_print_string),
    abi.SizeofType(_sizeof_type),
    abi.SymbolAddr(_symbol_addr),
    abi.Memory(_read_memory),
    abi.Memory(_write_memory),
    abi.Memory(_read_string),
    abi.Convert(_convert),
    abi.Convert(_convert),
    abi.ThreadContext(_thread_context),
)
"""All of them, as `ompd_initialize` takes them; lives as long as the plug-in."""
