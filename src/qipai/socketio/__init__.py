"""Engine.IO 4 and Socket.IO 5 for servers: polling, WebSocket, acknowledgements, recovery; no game in it."""
