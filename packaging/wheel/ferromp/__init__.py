"""The command `ferromp`, with the OpenMP runtime and the tools that it loads into programs.

Importing this package loads none of them. Type `ferromp trace -- python app.py`, or `python -m ferromp`.
"""

__version__ = "@version@"


def load_ipython_extension(ipython):
    """Gives a notebook the cell magic `%%ferromp`. IPython calls this for `%load_ext ferromp`."""
    from . import notebook

    ipython.register_magic_function(notebook.run_cell, "cell", "ferromp")
