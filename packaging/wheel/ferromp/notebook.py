"""The cell magic `%%ferromp`: a cell's code runs in a process of its own, which is traced; its report is shown.

A process loads its OpenMP runtime once. That of the notebook is loaded already, so the notebook itself cannot be
traced. The cell therefore sees no variables of other cells, and leaves none behind.
"""

import argparse
import codecs
import contextlib
import html
import os
import re
import selectors
import shlex
import signal
import subprocess
import sys
import tempfile
import time

from .__main__ import path

# How long an interrupted cell may take to end.
PATIENCE = 5
# How often the command's end is looked for, in seconds: its pipes may stay open longer.
GLANCE = 0.1
# How long what the command wrote before its end may take to be read, in seconds.
LEAVE = 1
# Exit statuses of the command for failures of its own: nothing was recorded.
FAILED = (125, 126, 127)


class CellFailed(Exception):
    """The cell's process has ended with another status than 0. What it said is above."""

    def _render_traceback_(self):
        """IPython shows these lines instead of a traceback through this module."""
        return [str(self)]


class _Options(argparse.ArgumentParser):
    """Reads the line of the magic. A wrong word is the cell's error, and ends no process."""

    def error(self, message):
        raise CellFailed("%%%%ferromp: %s" % message)


def _options():
    options = _Options(
        prog="%%ferromp",
        add_help=False,
        allow_abbrev=False,
        description="Runs the cell in a new process under `ferromp trace`, and shows the report. Further options are "
        "those of `ferromp trace`.",
    )
    options.add_argument("-h", "--help", action="store_true", help="show this help")
    options.add_argument("-o", "--output", metavar="DIR", help="keep the trace in this folder")
    # The report stands for what the command says at its end.
    options.add_argument("-q", "--quiet", action="store_true", help=argparse.SUPPRESS)
    options.add_argument("--no-html", action="store_true", help="show the report as text only")
    options.add_argument("--height", type=int, default=700, metavar="PIXELS", help="height of the page (700)")
    return options


def run_cell(line, cell):
    """Runs a cell under `ferromp trace` and shows its report; `line` is what stands behind the magic's name."""
    options = _options()
    try:
        own, further = options.parse_known_args(shlex.split(line))
    except ValueError as error:
        raise CellFailed("%%%%ferromp: %s" % error) from None
    if own.help:
        print(options.format_help(), end="")
        return
    if own.output and re.search("%[hpr%]", own.output):
        raise CellFailed("%%%%ferromp: %s: the folder's name can have no placeholders such as %%p" % own.output)
    with tempfile.TemporaryDirectory(prefix="ferromp-") as folder:
        program = os.path.join(folder, "cell.py")
        with open(program, "w", encoding="utf-8") as file:
            # The magic's own line comes first, so that a traceback has the numbers of the cell.
            file.write("# %%ferromp\n" + cell)
        trace = os.path.abspath(own.output) if own.output else os.path.join(folder, "trace")
        # The command takes a "%" in the path of a folder for a placeholder.
        words = ["trace", "--quiet", "-o", trace.replace("%", "%%")] + further + ["--", sys.executable, program]
        status = _stream([path()] + words)
        # A folder that was there before is another run's.
        if status not in FAILED and os.path.isdir(trace):
            _show(trace, folder, own)
    if status != 0:
        raise CellFailed(_ended(status))


def _ended(status):
    if status < 0:
        return "the cell's process was ended by signal %d" % -status
    return "the cell's process ended with status %d" % status


def _stream(words):
    """Runs a command, and writes what it says to the cell's output as it comes. Returns the exit status."""
    # Python looks for modules beside the program, which lies elsewhere. Those of the notebook lie in this folder.
    folders = [os.getcwd(), os.environ.get("PYTHONPATH")]
    modules = os.pathsep.join(folder for folder in folders if folder)
    environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONPATH=modules)
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    try:
        with process.stdout, process.stderr, selectors.DefaultSelector() as pipes:
            for pipe, to in ((process.stdout, sys.stdout), (process.stderr, sys.stderr)):
                # A letter may come in two parts.
                decoder = codecs.getincrementaldecoder("utf-8")("replace")
                pipes.register(pipe, selectors.EVENT_READ, (decoder, to))
            _copy(process, pipes)
        return process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        raise
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _copy(process, pipes):
    """Writes what comes from pipes, each with its decoder and target, until they end or shortly after the process."""
    last = None
    while pipes.get_map():
        # A process in the background keeps the pipes open, and may write for ever.
        if last is None and process.poll() is not None:
            last = time.monotonic() + LEAVE
        ready = pipes.select(GLANCE if last is None else 0)
        if last is not None and (not ready or time.monotonic() > last):
            break
        for pipe, _ in ready:
            data = os.read(pipe.fd, 65536)
            decoder, to = pipe.data
            to.write(decoder.decode(data, final=not data))
            to.flush()
            if not data:
                pipes.unregister(pipe.fileobj)
    for pipe in pipes.get_map().values():
        decoder, to = pipe.data
        to.write(decoder.decode(b"", final=True))
        to.flush()


def _show(trace, folder, own):
    """Shows the report of a trace: as text, and as a page in a frame."""
    report = subprocess.run([path(), "report", trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    sys.stdout.write(report.stdout.decode("utf-8", "replace"))
    sys.stderr.write(report.stderr.decode("utf-8", "replace"))
    if own.no_html or report.returncode != 0:
        return
    page = os.path.join(folder, "report.html")
    made = subprocess.run([path(), "report", trace, "--html", page], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if made.returncode != 0:
        sys.stderr.write(made.stderr.decode("utf-8", "replace"))
        return
    with open(page, encoding="utf-8") as file:
        text = file.read()
    from IPython.display import display

    # The frame may run the page's scripts, and has access to nothing of the notebook.
    frame = '<iframe sandbox="allow-scripts" style="width: 100%%; height: %dpx; border: 0" srcdoc="%s"></iframe>'
    bundle = {"text/html": frame % (own.height, html.escape(text)), "text/plain": "The report of ferromp as a page"}
    display(bundle, raw=True)
