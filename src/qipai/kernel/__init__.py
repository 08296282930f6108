"""What every table shares: pure values and functions, no clock, no chance, no sockets."""
