"""A journal that several servers share: streams in Redis, and how the servers hear of each other."""
