"""Taiwanese mahjong with 13 or 16 tiles.

Here: rules, state, views, events of a whole game. Hand analysis is in `hands`, tai and payments in
`scoring`, bots in `bots`; what only older clients need on the wire is in `clients`.
"""
