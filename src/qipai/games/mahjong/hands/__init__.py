"""Hand analysis: winning shapes, waits, shanten, notation."""
