"""OMPD's types as ctypes sees them (OpenMP 5.1, sections 5.3 and 5.4), and the records of ferromp's own functions.

`include/omp-tools.h` has the same in C.
"""

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint64, c_void_p

API_VERSION = 202011
"""The version of OMPD that the plug-in speaks, a value of `_OPENMP`."""

RC_NAMES = (
    "ok",
    "unavailable",
    "stale_handle",
    "bad_input",
    "error",
    "unsupported",
    "needs_state_tracking",
    "incompatible",
    "device_read_error",
    "device_write_error",
    "nomem",
    "incomplete",
    "callback_error",
)
OK, UNAVAILABLE, STALE_HANDLE, BAD_INPUT, ERROR, UNSUPPORTED, NEEDS_STATE_TRACKING, INCOMPATIBLE = range(8)
NOMEM, CALLBACK_ERROR = 10, 12

THREAD_ID_PTHREAD, THREAD_ID_LWP = 0, 1
DEVICE_KIND_HOST = 1
SCOPE_ADDRESS_SPACE, SCOPE_THREAD, SCOPE_PARALLEL, SCOPE_IMPLICIT_TASK, SCOPE_TASK = 2, 3, 4, 5, 6
SCOPE_NAMES = {1: "global", 2: "address_space", 3: "thread", 4: "parallel", 5: "implicit_task", 6: "task"}

NOT_TRACKED = -1
"""A thread's state if the runtime keeps no states."""


class Address(Structure):
    """`ompd_address_t`."""

    _fields_ = [("segment", c_uint64), ("address", c_uint64)]


class FrameInfo(Structure):
    """`ompd_frame_info_t`."""

    _fields_ = [("frame_address", Address), ("frame_flag", c_int64)]


class TypeSizes(Structure):
    """`ompd_device_type_sizes_t`."""

    _fields_ = [
        (name, c_uint8)
        for name in ("sizeof_char", "sizeof_short", "sizeof_int", "sizeof_long", "sizeof_long_long", "sizeof_pointer")
    ]


class ThreadRecord(Structure):
    """`ferromp_ompd_thread_t`: a thread that the runtime knows."""

    _fields_ = [(name, c_uint64) for name in ("lwp", "pthread", "task", "member", "team", "wait_id")] + [
        (name, c_int32) for name in ("gtid", "tid", "kind", "state", "device", "level")
    ]


class TaskRecord(Structure):
    """`ferromp_ompd_task_t`: a task, wherever it is."""

    _fields_ = [(name, c_uint64) for name in ("task", "parent", "team", "function", "creation")] + [
        (name, c_int32) for name in ("flags", "state", "executor", "priority", "depth", "reserved")
    ]


class ParallelRecord(Structure):
    """`ferromp_ompd_parallel_t`: a region's team."""

    _fields_ = [(name, c_uint64) for name in ("team", "parent", "encountering", "function", "codeptr")] + [
        (name, c_int32) for name in ("threads", "level", "active_level", "flags", "device", "reserved")
    ]


class ArrivalRecord(Structure):
    """`ferromp_ompd_arrival_t`: the barriers that a member of a team has arrived at and passed."""

    _fields_ = [("tid", c_int32), ("gtid", c_int32), ("passed", c_uint64), ("arrived", c_uint64)]


AllocMemory = CFUNCTYPE(c_int, c_uint64, POINTER(c_void_p))
FreeMemory = CFUNCTYPE(c_int, c_void_p)
PrintString = CFUNCTYPE(c_int, c_char_p, c_int)
SizeofType = CFUNCTYPE(c_int, c_void_p, POINTER(TypeSizes))
SymbolAddr = CFUNCTYPE(c_int, c_void_p, c_void_p, c_char_p, POINTER(Address), c_char_p)
Memory = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(Address), c_uint64, c_void_p)
Convert = CFUNCTYPE(c_int, c_void_p, c_void_p, c_uint64, c_uint64, c_void_p)
ThreadContext = CFUNCTYPE(c_int, c_void_p, c_uint64, c_uint64, c_void_p, POINTER(c_void_p))


class Callbacks(Structure):
    """`ompd_callbacks_t`."""

    _fields_ = [
        ("alloc_memory", AllocMemory),
        ("free_memory", FreeMemory),
        ("print_string", PrintString),
        ("sizeof_type", SizeofType),
        ("symbol_addr_lookup", SymbolAddr),
        ("read_memory", Memory),
        ("write_memory", Memory),
        ("read_string", Memory),
        ("device_to_host", Convert),
        ("host_to_device", Convert),
        ("get_thread_context_for_thread_id", ThreadContext),
    ]


_HANDLE, _OUT = c_void_p, POINTER(c_void_p)
_WORD, _SIZE, _STRING = POINTER(c_int64), POINTER(c_uint64), POINTER(c_char_p)

FUNCTIONS = {
    "ompd_initialize": [c_int64, POINTER(Callbacks)],
    "ompd_finalize": [],
    "ompd_get_version_string": [_STRING],
    "ompd_process_initialize": [c_void_p, _OUT],
    "ompd_device_initialize": [_HANDLE, c_void_p, c_uint64, c_uint64, c_void_p, _OUT],
    "ompd_rel_address_space_handle": [_HANDLE],
    "ompd_get_thread_in_parallel": [_HANDLE, c_int, _OUT],
    "ompd_get_thread_id": [_HANDLE, c_uint64, c_uint64, c_void_p],
    "ompd_rel_thread_handle": [_HANDLE],
    "ompd_get_curr_parallel_handle": [_HANDLE, _OUT],
    "ompd_rel_parallel_handle": [_HANDLE],
    "ompd_get_curr_task_handle": [_HANDLE, _OUT],
    "ompd_get_task_in_parallel": [_HANDLE, c_int, _OUT],
    "ompd_get_task_frame": [_HANDLE, POINTER(FrameInfo), POINTER(FrameInfo)],
    "ompd_rel_task_handle": [_HANDLE],
    "ompd_enumerate_states": [_HANDLE, c_int64, _WORD, _STRING, _WORD],
    "ompd_enumerate_icvs": [_HANDLE, c_uint64, _SIZE, _STRING, POINTER(c_int), POINTER(c_int)],
    "ompd_get_icv_from_scope": [_HANDLE, c_int, c_uint64, _WORD],
    "ompd_get_icv_string_from_scope": [_HANDLE, c_int, c_uint64, _STRING],
    "ferromp_ompd_get_threads": [_HANDLE, POINTER(POINTER(ThreadRecord)), _SIZE],
    "ferromp_ompd_get_tasks": [_HANDLE, POINTER(POINTER(TaskRecord)), _SIZE],
    "ferromp_ompd_get_parallels": [_HANDLE, POINTER(POINTER(ParallelRecord)), _SIZE],
    "ferromp_ompd_get_arrivals": [_HANDLE, POINTER(POINTER(ArrivalRecord)), _SIZE],
    "ferromp_ompd_get_lock_owner": [_HANDLE, c_uint64, POINTER(c_int32)],
    "ferromp_ompd_thread_handle": [_HANDLE, c_uint64, _OUT],
    "ferromp_ompd_task_handle": [_HANDLE, c_uint64, _OUT],
    "ferromp_ompd_parallel_handle": [_HANDLE, c_uint64, _OUT],
    "ferromp_ompd_free": [c_void_p],
}
"""The functions of the library that the plug-in calls, with their arguments. All return `ompd_rc_t` but the last."""


def pointer_to(kind):
    """A null pointer to `kind`, to be filled through `byref`."""
    return ctypes.POINTER(kind)()
