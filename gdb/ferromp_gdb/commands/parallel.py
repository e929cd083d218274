"""`ompd parallel`: the tree of regions, and what each of their threads does."""

import gdb

from .. import model, places, process
from ..errors import one_line
from ..waits import Waits
from .base import arguments, say, table


class Parallel(gdb.Command):
    """Show the tree of parallel regions: sizes, source lines, and what each thread does.

usage: ompd parallel

Of a thread that waits for a lock it says who holds it, of a barrier which threads have not come, and where those are.
Threads that wait for each other in a circle are named below."""

    def __init__(self):
        super().__init__("ompd parallel", gdb.COMMAND_STATUS)

    @one_line
    def invoke(self, argument, from_tty):
        arguments(self, argument)
        view = process.current().view()
        if not view.threads:
            say(model.NO_THREADS)
        waits = Waits(view)
        for root in view.roots:
            _show(view, waits, root, 0)
        _outside(view, waits)
        for line in waits.explain():
            say(line)


def _show(view, waits, region, depth):
    """One region and those in it."""
    if not region.initial:
        say("%sregion %d: %s" % ("  " * depth, region.number, title(region)))
        rows = []
        for tid in range(region.threads):
            rows.append([tid, *_member(view, waits, region, tid)])
        table(rows, ["thread", "gdb", "does", "at"], 2 * depth + 2)
        for line in _barrier(view, waits, region):
            say("  " * depth + "  " + line)
    for inner in region.inner:
        _show(view, waits, inner, depth + (not region.initial))


def title(region):
    """What a region is, in words: kind, size, place, function."""
    kind = "league, 1 of its teams with" if region.flags > 0 and region.flags & model.LEAGUE else "parallel,"
    device = " on device %d" % region.device if region.device >= 0 else ""
    size = "%d thread%s" % (region.threads, "" if region.threads == 1 else "s")
    where = " at %s" % places.after_call(region.codeptr) if region.codeptr else ""
    function = "; its code: %s" % places.entry(region.function) if region.function else ""
    return "%s %s%s%s%s" % (kind, size, device, where, function)


def _member(view, waits, region, tid):
    """gdb's number of a member, what it does, and where."""
    thread = view.member(region, tid)
    if thread is None:
        return "-", "has no thread", ""
    if thread.team != region.team:
        inner = view.region_of(thread)
        if inner is None or inner.initial:
            return thread.num or "-", "is not in it: not yet, or no longer", ""
        return thread.num or "-", "is thread %d of %s" % (thread.tid, inner.name), ""
    doing = waits.doing(thread)
    return thread.num or "-", doing.text, doing.where or ""


def _barrier(view, waits, region):
    """Who is missing at a barrier where others wait."""
    missing = waits.missing(region)
    if not missing:
        return
    yield "barrier: %d of %d threads have come" % (region.threads - len(missing), region.threads)
    for tid in missing:
        thread = view.member(region, tid)
        if thread is None:
            yield "missing: thread %d, which has no thread of the system" % tid
            continue
        doing = waits.doing(thread)
        at = ", at %s" % doing.where if doing.where else ""
        own = view.region_of(thread)
        inner = ", in %s" % own.name if own is not None and own is not region else ""
        fewer = waits.fewer(region, thread)
        left_out = ", and has come to %d barrier%s fewer" % (fewer, "" if fewer == 1 else "s") if fewer else ""
        yield "missing: thread %d (%s)%s: %s%s%s" % (tid, thread.called, inner, doing.text, at, left_out)


def _outside(view, waits):
    """Threads that are in no parallel region."""
    rows, idle = [], []
    for thread in view.threads:
        region = view.region_of(thread)
        doing = waits.doing(thread)
        if region is not None and not region.initial:
            continue
        if doing.where is None or region is None:
            idle.append(thread)
        else:
            rows.append([thread.num or "-", doing.text, doing.where])
    if rows:
        say("outside of parallel regions:")
        table(rows, ["gdb", "does", "at"], 2)
    if idle:
        say("idle threads: gdb's %s" % ", ".join(str(thread.num or "LWP %d" % thread.lwp) for thread in idle))
