"""What each thread does, what it waits for, and which waits can never end."""

import collections

import gdb

from . import abi, model, places, stacks

WORKING = {0x000: "working, in no parallel region", 0x001: "working", 0x002: "working, in a reduction"}
MUTEXES = {0x040: "mutex", 0x041: "lock", 0x042: "critical", 0x043: "atomic", 0x044: "ordered"}
BARRIERS = {
    0x010: "the barrier",
    0x011: "the barrier at the end of the region",
    0x012: "the barrier at the end of a worksharing construct",
    0x013: "an implicit barrier",
    0x014: "a barrier",
    0x015: "a barrier of the runtime's own",
    0x016: "the barrier at the end of the league",
}
ENDS = (0x011, 0x016)
"""The kinds of barrier at which a thread may wait for a thread that has reached fewer barriers."""

CHILDREN = {0x020: "taskwait", 0x021: "the end of a taskgroup"}
OTHERS = {
    0x080: "waits for a device",
    0x081: "waits for data to be mapped",
    0x082: "waits for a target update",
    0x100: "idle",
    0x101: "in the runtime",
    0x102: "undefined",
}
"""`ompt_state_t`, in words."""


_CRITICAL = ".gomp_critical_user"
"""The prefix that compilers put before a critical construct's name."""


class Doing:
    """What one thread does: in words, where, and for which other threads it waits."""

    def __init__(self, text, where=None, needs=(), why=None):
        self.text, self.where = text, where
        self.needs = [other for other in needs if other is not None]
        self.why = why or text  # in a sentence that goes on with whom it waits for


class Waits:
    """What all threads of a view do."""

    def __init__(self, view):
        self.view = view
        self._found = {}

    def doing(self, thread):
        """What the thread does."""
        if thread not in self._found:
            self._found[thread] = self._look(thread)
        return self._found[thread]

    def _look(self, thread):
        where, entry = None, None
        if thread.running:
            where = "(running)"
        elif thread.native is not None:
            with stacks.on(thread.native):
                frame, entry = stacks.place(gdb.newest_frame())
                if frame is not None:
                    pc = frame.pc()
                    where = places.code(pc if frame == gdb.newest_frame() else pc - 1)
        text, needs, why = self._state(thread, entry)
        return Doing(text, where, needs, why)

    def _state(self, thread, entry):
        """Text, the threads that are waited for, and the text for a sentence that names them."""
        state = thread.state
        if state in MUTEXES:
            return self._mutex(thread, MUTEXES[state])
        at_barrier = state in BARRIERS or state == abi.NOT_TRACKED and self.at_barrier(thread)
        # An explicit task has no barrier. A thread with such a task has found it at the barrier, and executes it.
        if at_barrier and not self.in_explicit_task(thread):
            return self._barrier(thread, BARRIERS.get(state, "the barrier"))
        if state in CHILDREN:
            return self._children(thread, CHILDREN[state])
        if state in WORKING:
            return WORKING[state], (), None
        if state in OTHERS:
            return OTHERS[state] + (", %s" % entry if entry and state == 0x101 else ""), (), None
        if state != abi.NOT_TRACKED and not at_barrier:
            return "state %#x" % state, (), None
        return "in %s" % entry if entry else "working", (), None

    def _mutex(self, thread, kind):
        what = kind_and_name(kind, thread.wait_id)
        owner = self.view.owner(thread.wait_id)
        if owner is None or owner is model.UNKNOWN:
            return "waits for %s" % what, (), None
        if owner is thread:
            return "waits for %s, which it holds itself" % what, (owner,), "waits for %s, held by" % what
        return "waits for %s, held by %s" % (what, self.name(owner)), (owner,), "waits for %s, held by" % what

    def _barrier(self, thread, what):
        region = self.view.region_of(thread)
        missing = [] if region is None else self.missing(region)
        if thread.tid in missing:
            # At the end of the region the primary thread releases this thread, even if others wait for it elsewhere. In
            # the middle of the region, the others have passed this thread's barrier: the thread is only slow.
            missing = [0] if thread.tid and thread.state in ENDS else []
        return "waits at %s" % what, [self.view.member(region, tid) for tid in missing], "waits at %s for" % what

    def _children(self, thread, what):
        running = [
            self.view.by_gtid.get(task.executor)
            for task in self.view.tasks.values()
            if task.parent == thread.task and task.executor >= 0 and task.state in (model.RUNNING, model.SUSPENDED)
        ]
        others = [other for other in running if other is not None and other is not thread]
        return "waits at %s" % what, others, "waits at %s for a task of" % what

    def in_explicit_task(self, thread):
        """Whether the thread executes an explicit task."""
        task = self.view.tasks.get(thread.task)
        return task is not None and bool(task.flags & model.EXPLICIT)

    def at_barrier(self, thread):
        """Whether the thread has arrived at a barrier of its region and not passed it."""
        region = self.view.region_of(thread)
        if region is None:
            return False
        return any(a.arrived > a.passed for a in self.view.arrivals(region) if a.tid == thread.tid)

    def missing(self, region):
        """The numbers of the threads that have not arrived at the barrier where others of their region wait."""
        arrivals = self.view.arrivals(region)
        at_end = {thread.tid for thread in self.view.threads if thread.team == region.team and thread.state in ENDS}
        latest = max((a.arrived for a in arrivals if a.arrived > a.passed or a.tid in at_end), default=0)
        missing = [a.tid for a in arrivals if a.arrived < latest]
        # If the region may have been cancelled, threads at its end may have left out earlier barriers.
        return [tid for tid in missing if not (tid in at_end and self.view.cancels)]

    def fewer(self, region, thread):
        """How many fewer barriers than others a thread has reached that waits at a barrier itself; 0 for other threads."""
        if self.view.region_of(thread) is not region or thread.state not in ENDS:
            return 0
        arrived = {a.tid: a.arrived for a in self.view.arrivals(region)}
        return max(arrived.values()) - arrived[thread.tid] if thread.tid in arrived else 0

    def name(self, thread):
        """A thread in a sentence."""
        region = self.view.region_of(thread)
        if region is None or region.initial:
            return "the thread outside of regions (%s)" % thread.called
        several = sum(not other.initial for other in self.view.regions.values()) > 1
        return "thread %d%s (%s)" % (thread.tid, " of %s" % region.name if several else "", thread.called)

    def deadlocks(self):
        """The circles of threads that wait for each other, each once."""
        circles = {}
        for thread in self.view.threads:
            circle = self._circle(thread)
            if circle:
                circles.setdefault(frozenset(circle), circle)
        return list(circles.values())

    def _circle(self, start):
        """The shortest way from a thread to itself over what each waits for; None if there is none."""
        came_from = {}
        queue = collections.deque([start])
        while queue:
            thread = queue.popleft()
            for other in self.doing(thread).needs:
                if other is start:
                    way = [thread]
                    while way[0] is not start:
                        way.insert(0, came_from[way[0]])
                    return way
                if other not in came_from:
                    came_from[other] = thread
                    queue.append(other)
        return None

    def explain(self):
        """The deadlocks in words, lines without an end of line."""
        for circle in self.deadlocks():
            yield "deadlock: these threads wait for each other"
            for thread, other in zip(circle, circle[1:] + circle[:1]):
                yield "  %s %s %s" % (self.name(thread), self.doing(thread).why, self.name(other))


def kind_and_name(kind, wait_id):
    """A mutex in words: ``lock `first` (0x4040a0)``; of a critical construct its name."""
    if kind == "ordered":
        return "its turn, ordered"
    name = places.symbol(wait_id) or ""
    if name.startswith(_CRITICAL):
        plain = name[len(_CRITICAL) :].removesuffix(".var").lstrip("_")
        return "critical(%s)" % plain if plain else "critical without a name"
    return "%s %s" % (kind, places.data(wait_id))
