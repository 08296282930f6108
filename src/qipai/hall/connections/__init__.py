"""One client connection: incoming and outgoing frames, rate limit, admission."""
