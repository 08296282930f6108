"""Bot seats, and the threads, processes and engines that compute their moves.

How a bot of a game plays is in `games/<game>/bots/`.
Substitute bots of disconnected players are bot seats as well.
"""
