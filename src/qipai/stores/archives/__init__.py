"""Where finished games are stored for good.

Belongs here: implementations of the Archive interface, their registry, and the SQL they share.
Does not belong here: what a finished game is and when it is archived; that is in hall/history.
"""
