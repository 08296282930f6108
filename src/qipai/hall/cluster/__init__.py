"""Several workers on one store: replicas, remote presence, messages between workers."""
