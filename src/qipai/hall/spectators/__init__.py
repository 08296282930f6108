"""What spectators see: delay and spectator count."""
