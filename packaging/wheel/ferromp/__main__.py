"""`python -m ferromp` and the script `ferromp`: both become the command that lies in this package."""

import os
import sys


def path():
    """The file of the command."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "prefix", "bin", "ferromp")


def main():
    """Replaces this process with the command. Returns a line for stderr if that fails."""
    command = path()
    try:
        os.execv(command, ["ferromp"] + sys.argv[1:])
    except OSError as error:
        return "ferromp: %s: %s" % (command, error.strerror)


if __name__ == "__main__":
    sys.exit(main())
