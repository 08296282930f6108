"""Tests of the Socket.IO endpoint without sockets."""
