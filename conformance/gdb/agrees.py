"""Stops at each look of agrees.c and has LLVM's plug-in compare what the tool was told with what the library tells."""

import contextlib
import io

import gdb
import ompd

space = ompd.addr_space
gdb.events.stop.disconnect(space.handle_stop_event)
space.new_thread_breakpoint.enabled = False
gdb.Breakpoint("compare_here", internal=True)
looks, said = 0, []
while True:
    gdb.execute("continue", to_string=True)
    if not gdb.selected_thread() or gdb.newest_frame().name() != "compare_here":
        break
    looks += 1
    space.threads = {}
    words = io.StringIO()
    with contextlib.redirect_stdout(words):
        try:
            space.compare_ompt_data()
        except Exception as why:
            print("failed:", why)
    said += [line for line in words.getvalue().splitlines() if "mismatch" in line or "failed" in line or "rror" in line]
print("%d looks, %d differences" % (looks, len(said)))
for line in said:
    print(line)
