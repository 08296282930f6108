"""The room as a value and the one pure function that changes it; no I/O, clock or randomness.

Belongs here: state, commands, events and views of a room, and the interface that games implement.
Does not belong here: anything that knows connections, storage, a wire protocol or a particular game.
"""
