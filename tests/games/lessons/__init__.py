"""The lessons of the page, checked against the rules of the server."""
