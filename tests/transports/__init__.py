"""Tests of what sockets and browsers see."""
