"""`qipai ratings`: one file for each task."""
