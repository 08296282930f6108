"""Live rooms: commands, execution, fan-out, alarms.

Belongs here: what happens to a room of this process between a decoded intent and the frames that follow.
Does not belong here: the rules of a room (kernel/), presence (hall/people/), other workers (hall/cluster/).
"""
