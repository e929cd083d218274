"""Addresses in words: code as function, file and line, data as symbols."""

import os
import re

import gdb


def line(address):
    """`file:line` of code; None without debug information."""
    found = gdb.find_pc_line(address)
    if found.symtab is None or not found.line:
        return None
    return "%s:%d" % (os.path.basename(found.symtab.filename), found.line)


def function(address):
    """The name of the function that holds the address; None where not even a symbol is known."""
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    if block is not None:
        return block.function.print_name
    return re.sub(r"\+\d+$", "", symbol(address) or "") or None


def _begun(address):
    """The name of the function that begins at the address, not of an inlined one; None if it is unknown."""
    block, name = gdb.block_for_pc(address), None
    while block is not None and not block.is_static and not block.is_global:
        if block.function is not None and block.start == address:
            name = block.function.print_name
        block = block.superblock
    return name


def start(address):
    """Where the function that holds the address starts; the address itself where that is not known."""
    block = gdb.block_for_pc(address)
    while block is not None and (block.function is None or block.superblock.function is not None):
        block = block.superblock
    if block is not None:
        return block.start
    offset = re.search(r"\+(\d+)$", symbol(address) or "")
    return address - int(offset.group(1)) if offset else address


def symbol(address):
    """`symbol` or `symbol+offset`, of code or data; None where there is none."""
    found = re.search(r" <(.*)>$", gdb.format_address(address))
    return found.group(1) if found else None


def code(address):
    """Code that is executed: `file:line in function`, or what is known of that."""
    where, name = line(address), function(address)
    if where and name:
        return "%s in %s" % (where, name)
    return where or name or "%#x" % address


def after_call(address):
    """As `code`, of a return address: the place of the call."""
    return code(address - 1)


def entry(address):
    """A function by its address: `name, file:line`."""
    where, name = line(address), _begun(address) or function(address)
    if where and name:
        return "%s, %s" % (name, where)
    return where or name or "%#x" % address


def data(address):
    """A variable by its address: its name if it has one."""
    name = symbol(address)
    return "`%s` (%#x)" % (name, address) if name else "at %#x" % address
