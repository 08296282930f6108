"""`qipai compare`: a finished game compared with an engine."""
