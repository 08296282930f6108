"""The login form of the older clients."""
