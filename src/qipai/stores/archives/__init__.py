"""Where finished games are kept for good."""
