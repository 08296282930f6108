"""The exception that ends one scenario, not the whole run."""


class Failure(Exception):
    """A scenario could not be measured; the text says why."""
