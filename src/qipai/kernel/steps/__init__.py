"""The parts of `step`, one file per kind of command."""
