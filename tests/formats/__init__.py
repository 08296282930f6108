"""Files of every format and schema, kept for ever, and the tests that read them."""
