"""Chess, plain or with dice, fog and mines."""
