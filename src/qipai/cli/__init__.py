"""The commands of `qipai`, one file each."""
