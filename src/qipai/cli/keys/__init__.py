"""`qipai key`: one file for each task."""
