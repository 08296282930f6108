"""Sockets, HTTP and what operators look at."""
