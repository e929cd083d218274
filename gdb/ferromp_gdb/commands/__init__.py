"""The commands, one a file. Their names are those of LLVM's plug-in where that has one."""

from . import bt, icvs, init, locks, parallel, states, step, tasks, threads
from .base import Ompd


def define():
    """Makes the commands known to gdb."""
    Ompd()
    for command in (
        init.Init,
        threads.Threads,
        parallel.Parallel,
        tasks.Tasks,
        locks.Locks,
        icvs.Icvs,
        states.States,
        bt.Backtrace,
        step.Step,
    ):
        command()
