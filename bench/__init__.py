"""What a move costs, beside what it costs elsewhere."""
