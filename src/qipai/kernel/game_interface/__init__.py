"""What a game must implement: rules, bots, headers of its records.

Only interfaces and the structs they exchange; the games themselves are in `qipai.games`.
"""
