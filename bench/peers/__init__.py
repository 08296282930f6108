"""Chess servers on other libraries, in environments of their own; bench/peer_servers.py starts them."""
