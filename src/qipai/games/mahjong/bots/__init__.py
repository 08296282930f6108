"""Mahjong bots: levels, strategies, odds. They see views, never states; the rules do not know them."""
