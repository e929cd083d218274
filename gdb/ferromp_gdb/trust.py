"""The files that gdb may load code from: those that only the user and root could have written."""

import grp
import os
import pwd
import stat


def why_not(path, also=()):
    """Why this file must not be loaded, as the end of a sentence; None if it may be. `also` are further owners."""
    for name in (path, os.path.dirname(path)):
        try:
            reason = _why_not(os.stat(name), {0, os.geteuid(), *also})
        except OSError as why:
            return "cannot be read: %s" % why.strerror.lower()
        if reason:
            return reason if name == path else "lies in %s, which %s" % (name, reason)
    return None


def _why_not(status, owners):
    if status.st_uid not in owners:
        return "belongs to %s, neither to you nor to root" % _user(status.st_uid)
    # In a sticky folder nobody can replace the files of others.
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        return None
    if status.st_mode & stat.S_IWOTH:
        return "can be written by everybody"
    if status.st_mode & stat.S_IWGRP and not _is_private(status.st_gid):
        return "can be written by the group %s" % _group(status.st_gid)
    return None


def _is_private(number):
    """Whether a group has only the user and root. Many systems make such a group for each user."""
    try:
        group, mine = grp.getgrgid(number), {"root", pwd.getpwuid(os.geteuid()).pw_name}
    except KeyError:
        return False
    return {group.gr_name, *group.gr_mem} <= mine


def _user(number):
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return "user %d" % number


def _group(number):
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
