"""Files of every journal format, kept for ever, and the tests that read them."""
