"""A closed-loop load: tables of two players who answer as soon as they see that it is their turn."""
