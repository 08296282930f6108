"""Chess bots: levels, search, evaluation. They see views, never states; the rules do not know them."""
