# For gdb: stops at each instruction of the places that the file in PLACES lists (offset, size and name in the library, one a
# line), once each, and in the functions of the program that FUNCTIONS names; there, and for all threads in `at_rest`, the stack
# has to reach main or the first function of a thread. Prints what does not, and how many stops there were.
import os

import gdb

# WORKER is what gdb calls the library's first function of a worker, by its symbol or by its debug information. Where the C
# library has no symbols, as without its debug package, nothing that is further out has a name.
BEGINNINGS = ("main", "start_thread")
WORKER = ("ferromp::thread::pool::start", "start")


def is_beginning(frame):
    if frame.name() in WORKER:
        return os.path.realpath(gdb.solib_name(frame.pc()) or "") == os.path.realpath(os.environ["LIBRARY"])
    return frame.name() in BEGINNINGS


def check(thread, place):
    thread.switch()
    names, whole = [], False
    frame = gdb.newest_frame()
    while frame is not None and len(names) < 200:
        names.append(frame.name() or "??")
        whole = whole or is_beginning(frame)
        frame = frame.older()
    if not whole:
        print("BROKEN at %s: %s" % (place, " < ".join(names)))
        return False
    return True


def base_of(library):
    for line in gdb.execute("info proc mappings", to_string=True).splitlines():
        if os.path.realpath(library) in line:
            return int(line.split()[0], 16)
    raise gdb.GdbError("the library is not loaded")


def main():
    for command in ("set pagination off", "set confirm off", "set print thread-events off", "set breakpoint pending off",
                    "set disable-randomization on", "set debuginfod enabled off"):
        gdb.execute(command, to_string=True)
    gdb.execute("tbreak main", to_string=True)
    gdb.execute("run", to_string=True)
    base = base_of(os.environ["LIBRARY"])
    architecture = gdb.newest_frame().architecture()
    places = {}
    for line in open(os.environ["PLACES"]):
        offset, size, name = line.split(None, 2)
        start = base + int(offset, 16)
        for instruction in architecture.disassemble(start, start + int(size, 16) - 1):
            places[instruction["addr"]] = "%s+%d" % (name.strip(), instruction["addr"] - start)
    for address in places:
        gdb.Breakpoint("*%#x" % address, temporary=True, internal=True)
    for name in os.environ["FUNCTIONS"].split():
        gdb.Breakpoint(name, temporary=True)
    gdb.Breakpoint("at_rest")
    stops, good, rested = 0, True, 0
    while True:
        gdb.execute("continue", to_string=True)
        thread = gdb.selected_thread()
        if thread is None or not thread.is_valid():
            break
        stops += 1
        frame = gdb.newest_frame()
        place = places.get(frame.pc(), frame.name())
        good = check(thread, place) and good
        if frame.name() == "at_rest":
            for other in gdb.selected_inferior().threads():
                rested += 1
                good = check(other, "rest") and good
            thread.switch()
    print("%d stops, %d threads at rest: %s" % (stops, rested, "whole" if good else "broken"))


try:
    main()
except Exception as error:
    print("BROKEN: %s: %s" % (type(error).__name__, error))
