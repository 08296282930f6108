"""Socket.IO connection state recovery for older clients, also on another worker.

Recovery inside one worker belongs to `socketio/`.
"""
