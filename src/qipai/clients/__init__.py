"""Support for the older clients: their dialects, lobby, nicknames, seats, login form and Socket.IO gateway.

`client_registry` registers everything with the hall and the server; nothing else imports this package,
and the server works without it. What native clients need does not belong here.
"""
