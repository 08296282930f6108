"""Chess, with optional dice, fog of war and mines.

Here: rules, state, views, events, PGN. Bots are in `bots`; what only older clients need on the wire is in
`clients`.
"""
