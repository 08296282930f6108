"""Tests of the kernel, one file per module or rule."""
