"""Signing in with an OpenID Connect provider, such as that of a school or a club.

Belongs here: which account an identity at the provider belongs to; what is signed for the way there and back.
Does not belong here: requests to the provider and its ID tokens (`server/openid/`).
"""
