"""Wire protocols as pure functions: frames in, intents out; notices in, frames out."""
