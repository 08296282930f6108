"""CPU time per move, delays and memory of Qipai beside small reference servers."""
