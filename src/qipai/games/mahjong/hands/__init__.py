"""Hand analysis: winning shapes, waits, shanten, notation. No game state; tai are in `scoring`."""
