"""HTTP routes, native WebSockets, metrics and the documentation for client authors.

What only older clients use is in `clients/` and comes in by `client_routes`.
The hall is called, never the other way round.
"""
