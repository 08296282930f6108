"""The I/O of signing in with an OpenID Connect provider.

Belongs here: requests to the provider, its ID tokens, and the routes that browsers use.
Does not belong here: which account a person gets (`hall/accounts/openid/`).
"""
