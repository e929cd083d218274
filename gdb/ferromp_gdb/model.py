"""What is known of a program at one stop: its threads, regions and tasks, read once and linked with each other."""

import functools
import sys

import gdb

from . import abi
from .library import Refused

INITIAL, IMPLICIT, EXPLICIT, TARGET, TASKWAIT = 1, 2, 4, 8, 16
UNDEFERRED, UNTIED, FINAL, MERGEABLE, MERGED = 1 << 27, 1 << 28, 1 << 29, 1 << 30, 1 << 31
"""`ompt_task_flag_t`."""

LEAGUE = 1 << 30
"""`ompt_parallel_league`."""

KINDS = {1: "initial", 2: "worker", 3: "other", 4: "unknown"}
"""`ompt_thread_t`."""

CREATED, QUEUED, RUNNING, SUSPENDED, FINISHED = range(5)
TASK_STATES = {CREATED: "waits for dependences", QUEUED: "queued", RUNNING: "running", SUSPENDED: "suspended", FINISHED: "finishing"}
"""`ferromp_ompd_task_t`'s states."""


NO_THREADS = "no thread has met OpenMP yet"
"""The text of commands that have nothing to show."""

UNKNOWN = "not known"
"""Stands for a holder that is unknown."""


class Thread:
    """A thread that the runtime knows. Thread numbers are those in the region that it works in."""

    def __init__(self, record, native):
        for name, _ in record._fields_:
            setattr(self, name, getattr(record, name))
        self.native = native  # gdb's thread; None if gdb does not have it

    @property
    def num(self):
        """gdb's number of the thread; 0 if gdb does not know the thread."""
        return self.native.num if self.native else 0

    @property
    def called(self):
        """The thread's name in a sentence: gdb's number, or the kernel's if gdb has none."""
        return "gdb's %d" % self.num if self.num else "LWP %d" % self.lwp

    @property
    def running(self):
        """Whether the thread still runs under gdb, so that its stack cannot be read."""
        return self.native is not None and self.native.is_running()


class Region:
    """A team: a parallel region, a league, or what surrounds an initial task."""

    def __init__(self, record):
        for name, _ in record._fields_:
            setattr(self, name, getattr(record, name))
        self.number = 0  # in the order in which regions are shown; 0 for initial ones
        self.outer = None
        self.inner = []

    @property
    def initial(self):
        """Whether this is the implicit region around all parallel regions."""
        return self.level == 0 or self.function == 0 and self.threads == 1 and self.outer is None

    @property
    def name(self):
        """The region's name in a sentence."""
        return "region %d" % self.number if self.number else "the initial region"


class View:
    """One view of the program. Each part is read on its first use."""

    def __init__(self, library, space, device):
        self.library, self.space, self.device = library, space, device

    @functools.cached_property
    def threads(self):
        """All threads of the runtime, in gdb's order."""
        by_pthread, by_lwp = _natives()
        records = self.library.records("ferromp_ompd_get_threads", abi.ThreadRecord, self.space)
        threads = [Thread(record, by_pthread.get(record.pthread) or by_lwp.get(record.lwp)) for record in records]
        return sorted(threads, key=lambda thread: (thread.num == 0, thread.num, thread.gtid))

    @functools.cached_property
    def by_gtid(self):
        """Threads by the runtime's number for them."""
        return {thread.gtid: thread for thread in self.threads}

    @functools.cached_property
    def by_lwp(self):
        """Threads by the kernel's number and the device. A thread of the host in a target region is also a device's."""
        return {(thread.lwp, thread.device): thread for thread in self.threads}

    def on_host(self, thread):
        """The thread of the host that runs as this device's thread, or None."""
        return self.by_lwp.get((thread.lwp, -1)) if thread.device >= 0 else None

    @functools.cached_property
    def regions(self):
        """All teams by address, linked into a tree and numbered from the outside."""
        records = self.library.records("ferromp_ompd_get_parallels", abi.ParallelRecord, self.space)
        regions = {record.team: Region(record) for record in records}
        for region in regions.values():
            region.outer = regions.get(region.parent) if region.parent != region.team else None
            if region.outer:
                region.outer.inner.append(region)
        count = 0
        for region in _in_order(regions, self.threads):
            if not region.initial:
                count += 1
                region.number = count
        return regions

    @functools.cached_property
    def roots(self):
        """The outermost teams."""
        return [region for region in _in_order(self.regions, self.threads) if region.outer is None]

    @functools.cached_property
    def tasks(self):
        """All tasks by address."""
        records = self.library.records("ferromp_ompd_get_tasks", abi.TaskRecord, self.space)
        return {record.task: record for record in records}

    def region_of(self, thread):
        """The region that a thread works in, or None."""
        return self.regions.get(thread.team)

    def selected(self):
        """The thread that is selected in gdb; None if the runtime does not know it."""
        native = gdb.selected_thread()
        mine = [thread for thread in self.threads if native is not None and thread.num == native.num]
        return max(mine, key=lambda thread: thread.device, default=None)

    @functools.cached_property
    def cancels(self):
        """Whether regions can be cancelled, as cancel-var has it."""
        found = [(scope, number) for number, name, scope in self.library.icvs(self.space) if name == "cancel-var"]
        return bool(found) and self.library.icv_text(self.space, *found[0]) == "true"

    @functools.cached_property
    def _arrivals(self):
        return {}

    def arrivals(self, region):
        """The barriers that each member of a region has reached; empty if the region is over."""
        if region.team not in self._arrivals:
            try:
                with self.parallel_handle(region) as handle:
                    found = list(self.library.records("ferromp_ompd_get_arrivals", abi.ArrivalRecord, handle))
            except Refused:
                found = []
            self._arrivals[region.team] = found
        return self._arrivals[region.team]

    @functools.cached_property
    def _members(self):
        return {}

    def member(self, region, tid):
        """The thread with this number in a region, also while it works in an inner region, or None."""
        key = (region.team, tid)
        if key not in self._members:
            self._members[key] = self._find_member(region, tid)
        return self._members[key]

    def _find_member(self, region, tid):
        for thread in self.threads:
            if thread.team == region.team and thread.tid == tid:
                return thread
        try:
            with self.parallel_handle(region) as parallel:
                with self.library.handle("thread", "ompd_get_thread_in_parallel", parallel, tid) as handle:
                    return self.by_lwp.get((self.library.lwp(handle), region.device))
        except Refused:
            return None

    def owner(self, wait_id):
        """The holder of a wait identifier: a thread, `None` for nobody, `UNKNOWN` if the runtime does not keep it."""
        try:
            gtid = self.library.lock_owner(self.space, wait_id)
        except Refused:
            return UNKNOWN
        return None if gtid == -1 else self.by_gtid.get(gtid, UNKNOWN)

    def parallel_handle(self, region):
        """A handle of the region, for a `with` block."""
        return self.library.handle("parallel", "ferromp_ompd_parallel_handle", self.space, region.team)

    def task_handle(self, task):
        """A handle of the task at this address, for a `with` block."""
        return self.library.handle("task", "ferromp_ompd_task_handle", self.space, task)

    def thread_handle(self, thread):
        """A handle of the thread, for a `with` block."""
        return self.library.handle("thread", "ferromp_ompd_thread_handle", self.space_of(thread), thread.lwp)

    def space_of(self, thread):
        """The address space that a thread belongs to: the process, or a device of it."""
        return self.space if thread.device < 0 else self.device(thread.device)

    def frames(self, task):
        """Exit and enter frame of the task at this address: where the runtime entered the task, and where the task
        entered the runtime. Addresses are 0 if there is none. None if no frames are kept."""
        try:
            with self.task_handle(task) as handle:
                leave, enter = self.library.frames(handle)
        except Refused:
            return None
        return leave.frame_address.address, enter.frame_address.address


def _natives():
    """gdb's threads by their `pthread_t`, if gdb knows it, and by the kernel's numbers. The runtime's memory has other
    kernel numbers if the process has its own PID namespace, or is the child of a fork that has not returned yet."""
    by_pthread, by_lwp = {}, {}
    for native in gdb.selected_inferior().threads():
        by_lwp[native.ptid[1]] = native
        try:
            by_pthread[int.from_bytes(native.handle(), sys.byteorder)] = native
        except gdb.error:
            pass
    return by_pthread, by_lwp


def _in_order(regions, threads):
    """The regions from the outside, those of threads that gdb has first before others."""
    order = {}
    for place, thread in enumerate(threads):
        order.setdefault(thread.team, place)

    def place(region):
        places = [order.get(region.team, len(threads))] + [place(inner) for inner in region.inner]
        return min(places)

    def walk(region):
        yield region
        for inner in sorted(region.inner, key=lambda inner: (place(inner), inner.team)):
            yield from walk(inner)

    for root in sorted((region for region in regions.values() if region.outer is None), key=lambda r: (place(r), r.team)):
        yield from walk(root)
