"""The parts of `step`, one file per kind of command.

Each function returns the changed fields of the room and its events, None for no change, or raises
`IllegalCommand`. Storage and delivery do not belong here.
"""
