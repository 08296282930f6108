"""What connections and the hall exchange: intents, notices, dialects; the native dialect."""
