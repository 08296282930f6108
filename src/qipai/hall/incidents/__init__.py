"""Incidents as they are kept: what is needed to find a fault, without anything personal.

Here: the kept incident, placeholders for what is personal, the replay of a failed command. Not here: the log
(`internal_errors`), files (`stores`).
"""
