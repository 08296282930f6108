"""Writing room journals and rebuilding rooms from them; the Store interface."""
