"""Runs the cells of a notebook in a kernel, and prints each cell's outputs as JSON.

usage: notebook.py FOLDER < CELLS        CELLS is a JSON list of texts
"""

import json
import sys

import nbformat
from nbclient import NotebookClient

cells = [nbformat.v4.new_code_cell(text) for text in json.load(sys.stdin)]
notebook = nbformat.v4.new_notebook(cells=cells)
there = {"metadata": {"path": sys.argv[1]}}
NotebookClient(notebook, kernel_name="python3", allow_errors=True, timeout=100, resources=there).execute()
json.dump([cell.outputs for cell in notebook.cells], sys.stdout)
