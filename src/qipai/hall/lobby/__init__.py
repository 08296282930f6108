"""The list of public rooms and quick match."""
