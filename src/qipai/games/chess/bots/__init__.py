"""Chess bots: levels, search, evaluation."""
