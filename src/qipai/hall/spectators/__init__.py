"""What spectators see: the spectator delay and the spectator count.

What players see is in `rooms/fan_out`. Names of spectators, which only older clients
list, are in `clients/`.
"""
