"""What a game must implement: rules, bots, headers of its records."""
