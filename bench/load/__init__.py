"""Closed-loop load: tables of two players who move as soon as it is their turn."""
