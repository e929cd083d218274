"""Stops a program again and again, a moment later each time, and has every command look: none may fail, and nobody is deadlocked."""

import os
import signal
import threading

import gdb

COMMANDS = ("threads", "parallel", "tasks", "tasks all", "locks", "icvs", "states", "bt")
LOOKS = 80


def stop_after(milliseconds):
    """Lets the program run for so long."""
    interrupt = threading.Timer(milliseconds / 1000, os.kill, (gdb.selected_inferior().pid, signal.SIGINT))
    interrupt.start()
    gdb.execute("continue", to_string=True)
    interrupt.join()


def look(command):
    """What is wrong with what a command says; None if nothing is."""
    try:
        said = gdb.execute("ompd " + command, to_string=True)
    except gdb.error as why:
        return str(why)
    return said if "deadlock" in said or "ompd_rc" in said else None


for number in range(LOOKS):
    stop_after(1 + number % 13 / 3)
    # Places between two system calls come by rarely else.
    gdb.execute("stepi %d" % (1 + number % 7 * 5), to_string=True)
    for command in COMMANDS:
        wrong = look(command)
        if wrong:
            print("\nompd %s at look %d: %s" % (command, number, wrong))
# gdb may have left the line before unfinished.
print("\n%d looks" % LOOKS)
