"""Mahjong: tiles, winning shapes, tai and payments of the Taiwanese games with 13 and 16 tiles."""
