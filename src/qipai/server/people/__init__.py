"""People over HTTP: profiles, and the games of a person."""
