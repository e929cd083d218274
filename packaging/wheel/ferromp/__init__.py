"""The command `ferromp`, with the OpenMP runtime and the tools that it loads into programs.

Importing this package loads none of them. Type `ferromp trace -- python app.py`, or `python -m ferromp`.
"""

__version__ = "@version@"
