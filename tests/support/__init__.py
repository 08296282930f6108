"""Helpers for tests: a hall in virtual time, real servers and workers, proxies and stores with faults."""
