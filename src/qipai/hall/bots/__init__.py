"""Bot seats, and the threads, processes and engines that compute their moves."""
