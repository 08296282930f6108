"""Where journals and archives are stored.

Belongs here: implementations of the Store, Bus and Archive interfaces, and their registries.
Does not belong here: what is written and when; that is in hall/journal and hall/history.
"""
