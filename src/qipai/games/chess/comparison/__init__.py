"""The comparison of a plain chess game with an engine, as figures."""
