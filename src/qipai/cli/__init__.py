"""The commands of `qipai`, one file each.

Belongs here: reading the command line, running one command, printing its result.
Does not belong here: how the server works; a command calls stores/, hall/ and app.py for that.
"""
