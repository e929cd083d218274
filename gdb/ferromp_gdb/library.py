"""libompd.so, loaded by ctypes. Failures of its functions become exceptions; handles are always released."""

import contextlib
import ctypes
from ctypes import byref, c_char_p, c_int, c_int32, c_int64, c_uint64, c_void_p

from . import abi, callbacks
from .errors import OmpdError


class Refused(OmpdError):
    """The library answered something other than `ompd_rc_ok`."""

    def __init__(self, function, code):
        self.code = code
        name = abi.RC_NAMES[code] if 0 <= code < len(abi.RC_NAMES) else str(code)
        answers = "%s answers ompd_rc_%s" % (function, name)
        cannot = "what the runtime has in memory cannot be read (%s)" % answers
        super().__init__(cannot if code in (abi.ERROR, abi.CALLBACK_ERROR) else answers)


class Library:
    """One libompd.so, started."""

    _open = {}

    @classmethod
    def open(cls, path):
        """The library in this file. Each file is loaded and started once."""
        if path not in cls._open:
            cls._open[path] = cls(path)
        return cls._open[path]

    def __init__(self, path):
        self.path = path
        try:
            self._library = ctypes.CDLL(path)
            for name, arguments in abi.FUNCTIONS.items():
                function = getattr(self._library, name)
                function.argtypes, function.restype = arguments, c_int
            self._library.ferromp_ompd_free.restype = None
        except OSError as why:
            raise OmpdError("cannot load %s" % why) from None
        except AttributeError as why:
            raise OmpdError("%s is not ferromp's libompd.so of this version (%s)" % (path, str(why).split(": ")[-1])) from None
        self.call("ompd_initialize", abi.API_VERSION, byref(callbacks.TABLE))

    def call(self, name, *arguments):
        """Calls one function; raises `Refused` unless it answers `ompd_rc_ok`."""
        code = getattr(self._library, name)(*arguments)
        if code != abi.OK:
            raise Refused(name, code)

    def version(self):
        """The library's own name and version."""
        text = c_char_p()
        self.call("ompd_get_version_string", byref(text))
        return (text.value or b"").decode(errors="replace")

    def new(self, name, *arguments):
        """The handle that a function writes to its last argument."""
        handle = c_void_p()
        self.call(name, *arguments, byref(handle))
        return handle

    @contextlib.contextmanager
    def handle(self, kind, name, *arguments):
        """As `new`, for a `with` block; `kind` names the function that releases the handle."""
        handle = self.new(name, *arguments)
        try:
            yield handle
        finally:
            self.call("ompd_rel_%s_handle" % kind, handle)

    def device(self, process, context, number):
        """A handle of a host device of the process."""
        number = c_int32(number)
        return self.new("ompd_device_initialize", process, context, abi.DEVICE_KIND_HOST, ctypes.sizeof(number), byref(number))

    def records(self, name, kind, handle):
        """The array that one of ferromp's functions makes, copied to a ctypes array."""
        records, count = abi.pointer_to(kind), c_uint64()
        self.call(name, handle, byref(records), byref(count))
        mine = (kind * count.value)()
        if count.value:
            ctypes.memmove(mine, records, ctypes.sizeof(mine))
            self._library.ferromp_ompd_free(ctypes.cast(records, c_void_p))
        return mine

    def lock_owner(self, space, wait_id):
        """The gtid of the holder of a wait identifier; -1 for nobody, -2 if the holder is unknown."""
        gtid = c_int32(-2)
        self.call("ferromp_ompd_get_lock_owner", space, wait_id, byref(gtid))
        return gtid.value

    def frames(self, task):
        """Exit and enter frame of a task, as `FrameInfo`s."""
        leave, enter = abi.FrameInfo(), abi.FrameInfo()
        self.call("ompd_get_task_frame", task, byref(leave), byref(enter))
        return leave, enter

    def lwp(self, thread):
        """The kernel's number of a thread."""
        lwp = c_uint64()
        self.call("ompd_get_thread_id", thread, abi.THREAD_ID_LWP, 4, byref(lwp))
        return lwp.value

    def states(self, space):
        """All states: pairs of number and name."""
        found, current = [], 0
        while True:
            number, name, more = c_int64(), c_char_p(), c_int64()
            self.call("ompd_enumerate_states", space, current, byref(number), byref(name), byref(more))
            found.append((number.value, _taken(name)))
            current = number.value
            if not more.value:
                return found

    def icvs(self, space):
        """All ICVs: triples of number, name and scope."""
        found, current = [], 0
        while True:
            number, name, scope, more = c_uint64(), c_char_p(), c_int(), c_int()
            self.call("ompd_enumerate_icvs", space, current, byref(number), byref(name), byref(scope), byref(more))
            found.append((number.value, _taken(name), scope.value))
            current = number.value
            if not more.value:
                return found

    def icv_text(self, handle, scope, icv):
        """The value of an ICV as text."""
        text = c_char_p()
        self.call("ompd_get_icv_string_from_scope", handle, scope, icv, byref(text))
        return _taken(text)


def _taken(text):
    """The text of a string that the library allocated for us, which is given back."""
    value = (text.value or b"").decode(errors="replace")
    callbacks.free(ctypes.cast(text, c_void_p))
    return value
