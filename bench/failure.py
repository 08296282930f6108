"""What ends a scenario, never the whole run."""


class Failure(Exception):
    """A scenario could not be measured; the text says why."""
