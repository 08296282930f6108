"""What the documents for client authors say about the HTTP API: routes, their bodies, answers and refusals.

Belongs here: descriptions, and the types of answers. Does not belong here: what serves the routes.
"""
