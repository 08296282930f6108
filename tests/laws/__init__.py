"""The laws: what holds in every game, at every table, after any commands."""
