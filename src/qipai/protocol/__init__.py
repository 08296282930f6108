"""What connections and the hall exchange: intents, notices, and the interface of a dialect.

Belongs here: messages that every client can use, the native dialect, the JSON of a replay.
Does not belong here: dialects and messages of older clients (`qipai.clients`), sockets, rooms.
"""
