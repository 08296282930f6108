"""The games; each is one folder and one line in the registry."""
