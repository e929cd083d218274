"""`ompd tasks`: explicit and target tasks, wherever they are."""

import collections

import gdb

from .. import model, places, process
from ..errors import one_line
from .base import arguments, refusal, say, table

FLAGS = (
    (model.TARGET, "target"),
    (model.TASKWAIT, "taskwait"),
    (model.UNDEFERRED, "undeferred"),
    (model.UNTIED, "untied"),
    (model.FINAL, "final"),
    (model.MERGEABLE, "mergeable"),
    (model.MERGED, "merged"),
)
"""Flags that are worth a word."""


class Tasks(gdb.Command):
    """List the tasks of the program: queued, waiting for dependences, running, suspended.

usage: ompd tasks [all]

Tasks that a thread executes have a line each; those that wait are counted by their code and, where the program
was started with OMP_DEBUG=enabled, by the place that created them. `all` gives each a line, implicit tasks too."""

    def __init__(self):
        super().__init__("ompd tasks", gdb.COMMAND_STATUS)

    def complete(self, text, word):
        return ["all"] if "all".startswith(word) else []

    @one_line
    def invoke(self, argument, from_tty):
        words = arguments(self, argument, 1)
        if words not in ([], ["all"]):
            raise refusal(self, words[0], "not a choice")
        view = process.current().view()
        if words:
            _each(view)
        else:
            _counted(view)


def _counted(view):
    """Tasks that threads execute, then the waiting ones by site."""
    words = Words()
    rows, waiting = [], collections.Counter()
    for task in view.tasks.values():
        if task.flags & (model.INITIAL | model.IMPLICIT):
            continue
        if task.state in (model.CREATED, model.QUEUED):
            waiting[(task.state, task.function, task.creation)] += 1
        else:
            rows.append([1, model.TASK_STATES.get(task.state, "?"), _executor(view, task), *words.sites(task)])
    rows.sort(key=lambda row: row[2])
    for (state, function, creation), count in sorted(waiting.items(), key=lambda item: (-item[1], item[0])):
        rows.append([count, model.TASK_STATES[state], "", words.entry(function), words.creation(creation)])
    if rows:
        table(rows, ["tasks", "state", "thread", "code", "created at"])
    else:
        say("no explicit tasks")


def _each(view):
    """A line for each task."""
    words = Words()
    rows = []
    for task in view.tasks.values():
        rows.append(
            [
                "%#x" % task.task,
                model.TASK_STATES.get(task.state, "?"),
                _executor(view, task),
                _kind(task),
                *words.sites(task),
            ]
        )
    if rows:
        table(rows, ["task", "state", "thread", "kind", "code", "created at"])
    else:
        say("no tasks" if view.threads else model.NO_THREADS)


def _executor(view, task):
    """Which thread executes the task."""
    if task.executor < 0:
        return ""
    thread = view.by_gtid.get(task.executor)
    return "gdb's %d" % thread.num if thread and thread.num else "gtid %d" % task.executor


def _kind(task):
    """The kind of a task, its properties and its priority."""
    kind = "initial" if task.flags & model.INITIAL else "implicit" if task.flags & model.IMPLICIT else "explicit"
    words = [kind] + [word for flag, word in FLAGS if task.flags & flag]
    return " ".join(words + (["priority %d" % task.priority] if task.priority else []))


class Words:
    """Code in words, each address looked up once: a hundred thousand tasks have few sites."""

    def __init__(self):
        self._entries, self._creations = {}, {}

    def entry(self, function):
        """A task's function."""
        if function not in self._entries:
            self._entries[function] = places.entry(function) if function else ""
        return self._entries[function]

    def creation(self, address):
        """Where a task was created."""
        if address not in self._creations:
            self._creations[address] = places.after_call(address) if address else ""
        return self._creations[address]

    def sites(self, task):
        """Both of a task."""
        return self.entry(task.function), self.creation(task.creation)
