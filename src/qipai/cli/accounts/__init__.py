"""`qipai account`: one file for each task."""
